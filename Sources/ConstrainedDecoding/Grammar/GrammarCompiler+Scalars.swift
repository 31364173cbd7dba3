import GuidedGeneration
import Patterns
import StructuredText

extension GrammarCompiler {
  // MARK: Strings

  mutating func add(_ string: StringSchema, path: String) throws(GrammarError) -> UInt32 {
    let length = try lengthBounds(of: string, path: path)
    if let choices = string.choices {
      return try add(choices: filtered(choices, string, path), length: length, path: path)
    }
    let isCombined =
      !string.otherPatterns.isEmpty || !string.excludedPatterns.isEmpty
      || !string.excludedChoices.isEmpty
    if isCombined {
      guard let states = try stringStates(string, path: path) else {
        throw GrammarError(
          path: path, problem: .emptyPattern(string.patterns.joined(separator: " ")))
      }
      return try append(.states(states), path: path)
    }
    if let pattern = string.pattern {
      return try add(pattern: pattern, length: length, path: path)
    }
    let index = lengthIndex[length] ?? grammar.lengths.count
    if index == grammar.lengths.count {
      grammar.lengths.append(length)
      lengthIndex[length] = index
    }
    return try append(.string(index), path: path)
  }

  /// Returns the choices that match the schema's patterns and that the schema doesn't exclude.
  mutating func filtered(
    _ choices: [String], _ string: StringSchema, _ path: String
  ) throws(GrammarError) -> [String] {
    var kept = choices
    for pattern in string.patterns {
      let automaton = try automaton(pattern, path)
      kept.removeAll { !automaton.accepts($0.utf8) }
    }
    for pattern in string.excludedPatterns {
      let automaton = try automaton(pattern, path)
      kept.removeAll { automaton.accepts($0.utf8) }
    }
    let excluded = Set(string.excludedChoices)
    return excluded.isEmpty ? kept : kept.filter { !excluded.contains($0) }
  }

  func lengthBounds(
    of string: StringSchema, path: String
  ) throws(GrammarError) -> Grammar.Length {
    let minimum = max(0, string.minimumLength ?? 0)
    for bound in [minimum, string.maximumLength ?? 0] where bound > limits.count {
      throw limit("length of a string", bound, limits.count, path)
    }
    if let maximum = string.maximumLength, maximum < minimum {
      throw GrammarError(
        path: path,
        problem: .unsatisfiable(
          keyword: "minLength", minimum: "\(minimum)", maximum: "\(maximum)"))
    }
    return Grammar.Length(
      minimum: UInt32(minimum), maximum: string.maximumLength.map { UInt32($0) })
  }

  /// Adds a string enum as a trie; of several equal cases, it adds only the first.
  private mutating func add(
    choices: [String], length: Grammar.Length, path: String
  ) throws(GrammarError) -> UInt32 {
    var seen: Set<[UInt8]> = []
    var names: [String] = []
    var spellings: [[UInt8]] = []
    for choice in choices {
      let count = choice.unicodeScalars.count
      guard count >= Int(length.minimum), count <= length.maximum.map({ Int($0) }) ?? count,
        seen.insert(Array(choice.utf8)).inserted
      else { continue }
      names.append(choice)
      spellings.append(JSONText.quoted(choice))
    }
    if names.isEmpty { throw GrammarError(path: path, problem: .noChoice) }
    if names.count == 1 { return try append(.states(literal(spellings[0])), path: path) }
    let total = spellings.reduce(grammar.states.count) { $0 + $1.count }
    if total > limits.byteStates { throw limit("byte states", total, limits.byteStates, path) }
    let trie = addTrie(spellings)
    grammar.choiceSets.append(
      Grammar.ChoiceSet(
        start: trie.start, ranges: trie.ranges, order: trie.order.map { Int32($0) }, names: names))
    return try append(.choice(grammar.choiceSets.count - 1), path: path)
  }

  /// Appends a trie of distinct spellings, level by level.
  ///
  /// - Returns: The trie's first state; for each state, the range of `order` that its subtree
  ///   covers; and `order` itself, which lists the indices into `spellings`, sorted by spelling.
  mutating func addTrie(
    _ spellings: [[UInt8]]
  ) -> (start: UInt32, ranges: [Range<Int32>], order: [Int]) {
    let order = spellings.indices.sorted {
      spellings[$0].lexicographicallyPrecedes(spellings[$1])
    }
    let start = UInt32(grammar.states.count)
    var ranges: [Range<Int32>] = []
    var level: [(range: Range<Int>, depth: Int)] = [(0..<order.count, 0)]
    var next = start + 1
    while !level.isEmpty {
      var following: [(range: Range<Int>, depth: Int)] = []
      for (range, depth) in level {
        var edges: [ByteStates.Edge] = []
        var position = range.lowerBound
        let accepts = spellings[order[position]].count == depth
        if accepts { position += 1 }
        while position < range.upperBound {
          let byte = spellings[order[position]][depth]
          var end = position + 1
          while end < range.upperBound, spellings[order[end]][depth] == byte { end += 1 }
          edges.append(ByteStates.Edge(low: byte, high: byte, target: next))
          next += 1
          following.append((position..<end, depth + 1))
          position = end
        }
        grammar.states.append(edges, accepting: accepts)
        ranges.append(Int32(range.lowerBound)..<Int32(range.upperBound))
      }
      level = following
    }
    return (start, ranges, order)
  }

  // MARK: Numbers

  mutating func add(_ integer: IntegerSchema, path: String) throws(GrammarError) -> UInt32 {
    try addNumber(
      minimum: integer.minimumText, maximum: integer.maximumText, allowsFraction: false,
      multiple: integer.multiple.map { String($0) }, path: path)
  }

  mutating func add(_ number: NumberSchema, path: String) throws(GrammarError) -> UInt32 {
    if number.minimum == nil, number.maximum == nil, number.multiple == nil {
      return try append(.states(numbers["number"] ?? 0), path: path)
    }
    return try addNumber(
      minimum: number.minimum?.text, maximum: number.maximum?.text, allowsFraction: true,
      multiple: number.multiple?.text,
      excluding: (number.excludesMinimum ? [number.minimum?.text] : [])
        + (number.excludesMaximum ? [number.maximum?.text] : []), path: path)
  }

  private mutating func addNumber(
    minimum: String?, maximum: String?, allowsFraction: Bool, multiple: String? = nil,
    excluding excluded: [String?] = [], path: String
  ) throws(GrammarError) -> UInt32 {
    let key =
      "\(minimum ?? "")…\(maximum ?? "")\(allowsFraction ? "." : "")"
      + (multiple.map { "/\($0)" } ?? "") + excluded.map { "≠\($0 ?? "")" }.joined()
    if let known = numbers[key] { return try append(.states(known), path: path) }
    let low = try digits(minimum, path: path)
    let high = try digits(maximum, path: path)
    let allowsNegativeZero = grammar.options.dialect.allowsNegativeZero
    var draft = DecimalRangeBuilder.automaton(
      minimum: low, maximum: high, allowsFraction: allowsFraction,
      allowsNegativeZero: allowsNegativeZero)
    for bound in excluded {
      let value = try digits(bound, path: path)
      draft = draft.subtracting(
        DecimalRangeBuilder.automaton(
          minimum: value, maximum: value, allowsFraction: true,
          allowsNegativeZero: allowsNegativeZero))
    }
    if let multiple, multiple != "1" || allowsFraction {
      let value = try digits(multiple, path: path)?.magnitude ?? DecimalDigits()
      guard value.fraction.count <= ByteAutomatonDraft.mostDecimals else {
        throw GrammarError(
          path: path,
          problem: .longMultiple(multiple, maximum: ByteAutomatonDraft.mostDecimals))
      }
      let divisor = (value.whole + value.fraction).reduce(0) { number, digit in
        number > limits.patternStates ? number : number * 10 + Int(digit)
      }
      guard
        let multiples = draft.multiples(
          of: divisor, decimals: value.fraction.count, limit: limits.patternStates)
      else {
        throw GrammarError(
          path: path, problem: .multiples(of: multiple, maximum: limits.patternStates))
      }
      draft = multiples
    }
    guard let state = grammar.states.append(draft) else {
      throw GrammarError(
        path: path,
        problem: .unsatisfiable(
          keyword: "minimum", minimum: minimum ?? "−∞", maximum: maximum ?? "∞"))
    }
    try checkStates(path: path)
    numbers[key] = state
    return try append(.states(state), path: path)
  }

  private func digits(
    _ text: String?, path: String
  ) throws(GrammarError) -> (magnitude: DecimalDigits, isNegative: Bool)? {
    guard let text else { return nil }
    guard let digits = DecimalDigits.parse(text, limit: limits.digits) else {
      let isNumber = JSONNumber(text) != nil
      throw GrammarError(
        path: path,
        problem: isNumber
          ? .longBound(text, maximum: limits.digits) : .malformedBound(text))
    }
    return digits
  }
}
