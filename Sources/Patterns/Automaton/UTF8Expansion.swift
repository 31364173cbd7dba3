/// Replaces the letters of an automaton (see ``ScalarAlphabet``) with the UTF-8 bytes of their
/// scalars.
///
/// The expansion puts all letters into one tree of byte ranges, and walks the tree once per state,
/// with that state's targets at the leaves. Nodes with equal edges become one state of the result,
/// even if they belong to different source states:
///
///     state 5 on é (C3 A9):    5 ─ C3 ─► m ─ A9 ─► 6
///     state 8 on é, to 6 too:  8 ─ C3 ─► m
///
/// If the automaton over letters is minimal, so is the result: no two states accept the same texts.
/// In particular, a state inside a scalar differs from every state between scalars, because only
/// the former has edges for continuation bytes.
struct UTF8Expansion {
  /// The maximum number of states; if a pattern needs more, the expansion fails with an error.
  ///
  /// For comparison: the letters of all scripts, `\p{L}`, take about 300 states.
  static let stateLimit = 50_000

  private struct Edge: Hashable {
    var bytes: ClosedRange<UInt8>
    /// A state of the result.
    var target: Int32
  }

  private enum Child {
    case letter(Int32)
    case node(Int)
  }

  /// The tree; its root is the last node.
  private var nodes: [[(bytes: ClosedRange<UInt8>, child: Child)]] = []
  private var targetOfLetter: [Int32]
  private var rows: [[Edge]] = []
  private var rowOfEdges: [[Edge]: Int32] = [:]
  private let budget: PatternBudget

  init(_ alphabet: ScalarAlphabet, _ budget: PatternBudget) {
    self.budget = budget
    targetOfLetter = [Int32](repeating: ByteAutomaton.none, count: alphabet.count)
    let sequences = alphabet.ranges.flatMap { range in
      UTF8Sequences.sequences(of: ScalarSet([range.scalars])).map { ($0, range.letter) }
    }
    _ = addNode(sequences[...], from: 0)
  }

  /// Adds the subtree for sorted sequences that share all bytes before an index, and returns the
  /// index of its root.
  private mutating func addNode(
    _ sequences: ArraySlice<([ClosedRange<UInt8>], Int32)>, from index: Int
  ) -> Int {
    var children: [(ClosedRange<UInt8>, Child)] = []
    var rest = sequences
    while let (sequence, letter) = rest.first {
      let bytes = sequence[index]
      let same = rest.prefix { $0.0[index] == bytes }
      rest = rest.dropFirst(same.count)
      let isLast = sequence.count == index + 1
      children.append((bytes, isLast ? .letter(letter) : .node(addNode(same, from: index + 1))))
    }
    nodes.append(children)
    return nodes.count - 1
  }

  /// Returns the automaton over bytes.
  ///
  /// - Throws: An error if the automaton takes more states than ``stateLimit`` or more steps than
  ///   the budget allows.
  mutating func automaton(of source: SparseAutomaton) throws(PatternError) -> ByteAutomaton {
    rows = [[Edge]](repeating: [], count: source.edges.count)
    for (state, edges) in source.edges.enumerated() where !edges.isEmpty {
      for edge in edges { targetOfLetter[Int(edge.letter)] = edge.target }
      rows[state] = try self.edges(of: nodes.count - 1)
      for edge in edges { targetOfLetter[Int(edge.letter)] = ByteAutomaton.none }
    }
    let inner = [Bool](repeating: false, count: rows.count - source.edges.count)
    // A row of the table has at most 256 entries; filling sixteen entries counts as one step.
    try budget.spend(rows.count * 16)
    return packed(isAccepting: source.isAccepting + inner)
  }

  /// Returns the edges of a tree node for the targets of the current state.
  private mutating func edges(of node: Int) throws(PatternError) -> [Edge] {
    try budget.spend(nodes[node].count)
    var edges: [Edge] = []
    for (bytes, child) in nodes[node] {
      let target =
        switch child {
        case .letter(let letter): targetOfLetter[Int(letter)]
        case .node(let node): try row(of: self.edges(of: node))
        }
      if target == ByteAutomaton.none { continue }
      if let last = edges.last, last.target == target,
        Int(last.bytes.upperBound) + 1 == Int(bytes.lowerBound)
      {
        edges[edges.count - 1].bytes = last.bytes.lowerBound...bytes.upperBound
      } else {
        edges.append(Edge(bytes: bytes, target: target))
      }
    }
    return edges
  }

  private mutating func row(of edges: [Edge]) throws(PatternError) -> Int32 {
    if edges.isEmpty { return ByteAutomaton.none }
    if let known = rowOfEdges[edges] { return known }
    guard rows.count < Self.stateLimit else { throw SubsetConstruction.tooLarge(Self.stateLimit) }
    let row = Int32(rows.count)
    rows.append(edges)
    rowOfEdges[edges] = row
    return row
  }

  /// Packs the table: bytes that every state treats alike share a class.
  ///
  /// Adjacent bytes form a group if no edge begins or ends between them; groups with equal columns
  /// form a class.
  private func packed(isAccepting: [Bool]) -> ByteAutomaton {
    var begins = [Bool](repeating: false, count: 257)
    for edge in rows.joined() {
      begins[Int(edge.bytes.lowerBound)] = true
      begins[Int(edge.bytes.upperBound) + 1] = true
    }
    var groupOfByte = [Int](repeating: 0, count: 256)
    for byte in 1..<256 { groupOfByte[byte] = groupOfByte[byte - 1] + (begins[byte] ? 1 : 0) }
    var columns = [[Int32]](
      repeating: [Int32](repeating: ByteAutomaton.none, count: rows.count),
      count: groupOfByte[255] + 1)
    for (state, edges) in rows.enumerated() {
      for edge in edges {
        let last = groupOfByte[Int(edge.bytes.upperBound)]
        for group in groupOfByte[Int(edge.bytes.lowerBound)]...last {
          columns[group][state] = edge.target
        }
      }
    }
    var classOfColumn: [[Int32]: UInt8] = [:]
    var kept: [[Int32]] = []
    let classOfGroup = columns.map { column in
      if let known = classOfColumn[column] { return known }
      let new = UInt8(kept.count)
      classOfColumn[column] = new
      kept.append(column)
      return new
    }
    var transitions: [Int32] = []
    transitions.reserveCapacity(rows.count * kept.count)
    for state in rows.indices {
      for column in kept { transitions.append(column[state]) }
    }
    return ByteAutomaton(
      classOfByte: groupOfByte.map { classOfGroup[$0] }, classCount: kept.count,
      transitions: transitions, isAccepting: isAccepting)
  }
}
