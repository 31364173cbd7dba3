import GuidedGeneration

extension GrammarCompiler {
  mutating func add(
    _ object: ObjectSchema, path: String, depth: Int
  ) throws(GrammarError) -> UInt32 {
    let optional = object.properties.count { $0.isOptional }
    if optional > limits.optionalMembers {
      throw limit("optional members of an object", optional, limits.optionalMembers, path)
    }
    var members: [Grammar.Member] = []
    // Compare bytes, because Swift treats canonically equivalent strings as equal.
    var names: Set<[UInt8]> = []
    for property in object.properties {
      let memberPath = Self.path(path, member: property.name)
      guard names.insert(Array(property.name.utf8)).inserted else {
        throw GrammarError(path: path, problem: .duplicateProperty(property.name))
      }
      var node = try add(property.node, path: memberPath, depth: depth + 1)
      if property.isOptional && object.representsNilExplicitly {
        let null = try append(.states(literal(Array("null".utf8))), path: memberPath)
        node = try append(
          .union(
            Grammar.Union(kind: .optional, options: [node, null], names: .presentOrAbsent)),
          path: memberPath)
      }
      let key = keyStates(property.name)
      members.append(
        Grammar.Member(
          name: property.name,
          isOptional: property.isOptional && !object.representsNilExplicitly, node: node,
          key: key.plain, commaKey: key.afterComma))
      try checkStates(path: memberPath)
    }
    if object.extra != nil || object.count != nil {
      return try addOpen(object, members: members, path: path, depth: depth)
    }
    return try append(.object(Grammar.Object(members: members)), path: path)
  }

  /// Returns the first states of two chains: one spells a key, the other a comma and the key.
  mutating func keyStates(_ name: String) -> (plain: UInt32, afterComma: UInt32) {
    var bytes = JSONText.quoted(name)
    let comma: [UInt8]
    switch grammar.options.whitespace {
    case .compact:
      bytes += Array(":".utf8)
      comma = Array(",".utf8)
    case .singleSpace:
      bytes += Array(": ".utf8)
      comma = Array(", ".utf8)
    case .pretty:
      bytes += Array(": ".utf8)
      comma = []
    case .any, .flexible: comma = []
    }
    let plain = literal(bytes)
    if comma.isEmpty { return (plain, plain) }
    if let known = literals[comma + bytes] { return (plain, known) }
    let chain = grammar.states.appendChain(comma, tail: plain)
    literals[comma + bytes] = chain
    return (plain, chain)
  }

  /// Returns the first state of the chain that spells a literal, and adds the chain if necessary.
  mutating func literal(_ bytes: [UInt8]) -> UInt32 {
    if let known = literals[bytes] { return known }
    let state = grammar.states.appendChain(bytes)
    literals[bytes] = state
    return state
  }

  func checkStates(path: String) throws(GrammarError) {
    if grammar.states.count > limits.byteStates {
      throw limit("byte states", grammar.states.count, limits.byteStates, path)
    }
  }

  /// Adds the states that don't depend on the schema.
  mutating func addPunctuation() {
    let mode = grammar.options.whitespace
    let hasSpaces = mode == .singleSpace || mode == .pretty
    var punctuation = Grammar.Punctuation()
    punctuation.openObject = literal(Array("{".utf8))
    punctuation.closeObject = literal(Array("}".utf8))
    punctuation.openArray = literal(Array("[".utf8))
    punctuation.closeArray = literal(Array("]".utf8))
    punctuation.comma = literal(Array((mode == .singleSpace ? ", " : ",").utf8))
    punctuation.colon = literal(Array((hasSpaces ? ": " : ":").utf8))
    addSpace(to: &punctuation)
    let truth = addTrie([Array("false".utf8), Array("true".utf8)]).start
    numbers["boolean"] = truth
    let anyNumber = DecimalRangeBuilder.anyNumber(
      allowsNegativeZero: grammar.options.dialect.allowsNegativeZero)
    let number = grammar.states.append(anyNumber) ?? 0
    numbers["number"] = number
    punctuation.anyScalars = [truth, literal(Array("null".utf8)), number]
    grammar.punctuation = punctuation
  }

  /// Adds the states of optional white space: one state with a loop if there is no bound, otherwise
  /// one byte state for each state of a run (`WhitespaceBound`).
  private mutating func addSpace(to punctuation: inout Grammar.Punctuation) {
    guard grammar.options.whitespace.isVarying else { return }
    let first = UInt32(grammar.states.count)
    let bound = grammar.options.whitespace == .any ? grammar.options.whitespaceBound : nil
    for state in 0..<(bound?.stateCount ?? 1) {
      let blank = bound.map { $0.afterBlank(state) } ?? 0
      let line = bound.map { $0.afterLineEnd(state) } ?? 0
      let edges: [(byte: UInt8, target: Int?)] = [
        (0x09, blank), (0x0A, line), (0x0D, blank), (0x20, blank),
      ]
      grammar.states.append(
        edges.compactMap { edge in
          edge.target.map {
            ByteStates.Edge(low: edge.byte, high: edge.byte, target: first + UInt32($0))
          }
        }, accepting: true)
    }
    punctuation.space = first
    punctuation.spaceCount = UInt32(bound?.stateCount ?? 1)
  }
}
