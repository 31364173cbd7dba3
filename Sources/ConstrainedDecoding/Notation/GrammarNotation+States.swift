extension GrammarNotation {
  /// An edge that consumes a whole character; it replaces the edges for the character's bytes.
  struct CharacterEdge {
    var low: UInt32
    var high: UInt32
    var target: UInt32
  }

  /// Returns the expression for the texts that byte states spell.
  ///
  /// A chain without branches becomes a literal. Every other state becomes a rule with one option
  /// for each state that can follow:
  ///
  /// ```
  /// s4 ::= [0-9] s4 | [\x2E] s7 | ""
  /// ```
  mutating func states(_ start: UInt32) throws(Obstacle) -> String {
    if let bytes = chain(from: start) { return Self.literal(bytes) }
    return try rule("s\(start)") { it throws(Obstacle) in
      var targets: [UInt32: [CharacterEdge]] = [:]
      for edge in it.characterEdges(of: start) { targets[edge.target, default: []].append(edge) }
      var options: [String] = []
      for (target, edges) in targets.sorted(by: { $0.key < $1.key }) {
        let isLast = !it.grammar.states.hasEdges(target)
        let next = try isLast ? "" : " \(it.states(target))"
        options.append(Self.characters(edges) + next)
      }
      if it.grammar.states.accepting[Int(start)] { options.append("\"\"") }
      return options.joined(separator: " | ")
    }
  }

  /// Returns the only text that can be spelled from a state, or nil if there are several texts or
  /// the text is too long.
  private func chain(from start: UInt32) -> [UInt8]? {
    var bytes: [UInt8] = []
    var state = start
    while bytes.count <= 4096 {
      let edges = grammar.states.edges(of: state)
      guard let edge = edges.first else { return bytes }
      guard edges.count == 1, edge.low == edge.high, !grammar.states.accepting[Int(state)]
      else { return nil }
      bytes.append(edge.low)
      state = edge.target
    }
    return nil
  }

  /// Returns the character class of the given edges.
  private static func characters(_ edges: [CharacterEdge]) -> String {
    func written(_ value: UInt32) -> String {
      let isPlain =
        (0x30...0x39).contains(value) || (0x41...0x5A).contains(value)
        || (0x61...0x7A).contains(value)
      return isPlain ? String(Character(Unicode.Scalar(UInt8(value)))) : hex(value)
    }
    let ranges = edges.map { edge in
      edge.low == edge.high ? written(edge.low) : "\(written(edge.low))-\(written(edge.high))"
    }
    return "[\(ranges.joined())]"
  }

  /// Returns the edges of a state between two characters, as edges that consume whole characters.
  ///
  /// ```
  /// bytes       C3 ─► (A4 ─► 7, A5…BF ─► 8)         characters   ä ─► 7, å–ÿ ─► 8
  /// ```
  func characterEdges(of state: UInt32) -> [CharacterEdge] {
    var result: [CharacterEdge] = []
    func add(_ low: UInt32, _ high: UInt32, _ target: UInt32) {
      if let last = result.last, last.target == target, last.high + 1 == low {
        result[result.count - 1].high = high
      } else {
        result.append(CharacterEdge(low: low, high: high, target: target))
      }
    }
    /// Follows the bytes of a character after its first byte.
    func follow(_ value: UInt32, _ state: UInt32, left: Int) {
      for edge in grammar.states.edges(of: state) {
        for byte in edge.low...edge.high {
          let next = value << 6 | UInt32(byte & 0x3F)
          if left == 1 {
            add(next, next, edge.target)
          } else {
            follow(next, edge.target, left: left - 1)
          }
        }
      }
    }
    for edge in grammar.states.edges(of: state) {
      if edge.high < 0x80 {
        add(UInt32(edge.low), UInt32(edge.high), edge.target)
        continue
      }
      for byte in edge.low...edge.high {
        switch byte {
        case 0..<0x80: add(UInt32(byte), UInt32(byte), edge.target)
        case 0xC2...0xDF: follow(UInt32(byte & 0x1F), edge.target, left: 1)
        case 0xE0...0xEF: follow(UInt32(byte & 0x0F), edge.target, left: 2)
        default: follow(UInt32(byte & 0x07), edge.target, left: 3)
        }
      }
    }
    return result
  }
}
