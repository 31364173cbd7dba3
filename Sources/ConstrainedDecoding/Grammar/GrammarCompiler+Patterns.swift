import GuidedGeneration
import Patterns

/// The key under which the compiler stores the automaton of a pattern: the pattern, and the bounds
/// on the length of its strings.
///
/// The pattern is stored as bytes, because Swift treats canonically equivalent strings as equal,
/// although such patterns match different texts.
struct PatternKey: Hashable {
  var pattern: [UInt8]
  var length: Grammar.Length
}

extension GrammarCompiler {
  /// Adds an automaton for the JSON strings whose whole contents match a pattern and whose lengths
  /// are within bounds.
  mutating func add(
    pattern: String, length: Grammar.Length, path: String
  ) throws(GrammarError) -> UInt32 {
    let key = PatternKey(pattern: Array(pattern.utf8), length: length)
    if let known = patterns[key] { return try append(.states(known), path: path) }
    let automaton = try automaton(pattern, path)
    var builder = PatternStringBuilder(
      language: StringLanguage(included: [automaton], excluded: [], names: []), length: length,
      dialect: grammar.options.dialect,
      limit: limits.patternStates)
    guard let draft = builder.build() else {
      throw limit("states of a pattern", limits.patternStates + 1, limits.patternStates, path)
    }
    do throws(PatternError) {
      // Charge the builder's work too: it has looked up every byte at every state.
      try patternBudget.spend(draft.edges.count * 32)
    } catch {
      throw GrammarError(path: path, problem: .pattern(pattern, reason: error.description))
    }
    guard let state = grammar.states.append(draft) else {
      throw GrammarError(path: path, problem: .emptyPattern(pattern))
    }
    try checkStates(path: path)
    patterns[key] = state
    return try append(.states(state), path: path)
  }
}

/// Converts a language of strings, such as the texts that a pattern matches, to an automaton for
/// JSON strings.
///
/// A state of the automaton combines a state of the language with the number of characters so far,
/// counted only as far as a bound requires. The builder escapes the characters that a JSON string
/// can't contain directly:
///
/// ```
///   pattern    0 ─ a ─► 1           0 ─ LF ─► 2            0 ─ U+0001 ─► 3
///   string     0 ─ a ─► 1           0 ─ \ ─► ° ─ n ─► 2    0 ─ \ ─► ° ─ u ─ 0 ─ 0 ─ 0 ─ 1 ─► 3
/// ```
struct PatternStringBuilder {
  private struct Key: Hashable {
    var state: Int32
    var count: UInt32
  }

  private let language: StringLanguage
  private let length: Grammar.Length
  private let dialect: JSONDialect
  private let limit: Int
  private let kinds: [(isRaw: Bool, isEscaped: Bool)]
  private var draft = ByteAutomatonDraft()
  private var numbers: [Key: Int] = [:]
  private var open: [Key] = []
  private var end = 0

  init(
    language: StringLanguage, length: Grammar.Length, dialect: JSONDialect, limit: Int
  ) {
    self.language = language
    self.length = length
    self.dialect = dialect
    self.limit = limit
    kinds = Self.kinds(dialect)
  }

  /// Returns the automaton for the strings with their quotes, or nil if the automaton would have
  /// too many states.
  mutating func build() -> ByteAutomatonDraft? {
    let start = draft.addState()
    draft.start = start
    end = draft.addState(accepting: true)
    let body = number(of: Key(state: language.start, count: 0))
    draft.addEdge(start, UInt8(ascii: "\""), UInt8(ascii: "\""), body)
    while let key = open.popLast() {
      if numbers.count > limit { return nil }
      addEdges(of: key)
    }
    return draft
  }

  private mutating func number(of key: Key) -> Int {
    if let known = numbers[key] { return known }
    let number = draft.addState()
    numbers[key] = number
    open.append(key)
    return number
  }

  /// Returns the state after a byte of the string's contents, or nil if the length bound forbids
  /// the byte.
  private func successor(of key: Key, _ byte: UInt8, to next: Int32) -> Key? {
    let isContinuation = byte & 0xC0 == 0x80
    if isContinuation { return Key(state: next, count: key.count) }
    if let maximum = length.maximum {
      return key.count < maximum ? Key(state: next, count: key.count + 1) : nil
    }
    return Key(state: next, count: min(key.count + 1, length.minimum))
  }

  private mutating func addEdges(of key: Key) {
    let state = number(of: key)
    if language.isAccepting(key.state), key.count >= length.minimum {
      draft.addEdge(state, UInt8(ascii: "\""), UInt8(ascii: "\""), end)
    }
    var escaped: [(byte: UInt8, target: Int)] = []
    for step in language.steps(from: key.state) {
      guard let next = successor(of: key, step.bytes.lowerBound, to: step.target) else { continue }
      let target = number(of: next)
      var low: UInt8?
      for byte in step.bytes {
        let kind = kinds[Int(byte)]
        if kind.isRaw {
          low = low ?? byte
        } else if let first = low.take() {
          draft.addEdge(state, first, byte - 1, target)
        }
        if kind.isEscaped { escaped.append((byte, target)) }
      }
      if let first = low { draft.addEdge(state, first, step.bytes.upperBound, target) }
    }
    if !escaped.isEmpty { addEscapes(escaped, at: state) }
  }

  /// For each byte, whether a string can contain it directly, and whether it can contain an escape
  /// for it.
  private static func kinds(_ dialect: JSONDialect) -> [(isRaw: Bool, isEscaped: Bool)] {
    (UInt8.min...UInt8.max).map { byte in
      let isRaw =
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        && (byte != 0x7F || dialect.allowsRawDelete)
      return (isRaw, !isRaw || byte == UInt8(ascii: "/") && dialect.allowsEscapedSlash)
    }
  }

  private mutating func addEscapes(_ characters: [(byte: UInt8, target: Int)], at state: Int) {
    let escape = draft.addState()
    draft.addEdge(state, UInt8(ascii: "\\"), UInt8(ascii: "\\"), escape)
    // Characters without a short escape share the states of `u00`. Characters with the same third
    // hexadecimal digit also share the state after that digit.
    var digits: [UInt8: Int] = [:]
    var afterZeros: Int?
    for (byte, target) in characters {
      if let letter = JSONText.shortEscape(of: byte) {
        draft.addEdge(escape, letter, letter, target)
      } else if byte == UInt8(ascii: "/") {
        draft.addEdge(escape, byte, byte, target)
      } else if dialect.unicodeEscapes != .none {
        let zeros = afterZeros ?? addZeros(after: escape)
        afterZeros = zeros
        let digit = digits[byte >> 4] ?? draft.addState()
        if digits[byte >> 4] == nil {
          digits[byte >> 4] = digit
          draft.addEdge(zeros, 0x30 + (byte >> 4), 0x30 + (byte >> 4), digit)
        }
        for last in hexDigits(byte & 15) { draft.addEdge(digit, last, last, target) }
      }
    }
  }

  private mutating func addZeros(after escape: Int) -> Int {
    var state = draft.addState()
    draft.addEdge(escape, UInt8(ascii: "u"), UInt8(ascii: "u"), state)
    for _ in 0..<2 {
      let next = draft.addState()
      draft.addEdge(state, UInt8(ascii: "0"), UInt8(ascii: "0"), next)
      state = next
    }
    return state
  }

  private func hexDigits(_ value: UInt8) -> [UInt8] {
    value < 10
      ? [UInt8(ascii: "0") + value]
      : [UInt8(ascii: "A") + value - 10, UInt8(ascii: "a") + value - 10]
  }
}
