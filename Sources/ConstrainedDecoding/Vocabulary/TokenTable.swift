import GuidedGeneration
import Synchronization
import Tokenization

/// The bytes of a vocabulary's text tokens.
final class TokenBytes: @unchecked Sendable {
  let bytes: [UInt8]
  let offsets: [UInt32]
  // Copies that loops read without counting references; written during `init` only.
  private let fastBytes: UnsafeMutableBufferPointer<UInt8>
  private let fastOffsets: UnsafeMutableBufferPointer<UInt32>
  /// Tokens that text is made of, in ascending order: text tokens of at least one byte and at most
  /// `longestToken`, but those that end a text.
  let textTokens: [Int32]
  /// Tokens that end a text and exist, each once, in ascending order.
  let endTokens: [Int32]
  /// The number of token numbers, special ones included.
  let count: Int

  /// The length of the longest token that can be text, in bytes: a trie's depths are 16 bits wide.
  static let longestToken = Int(UInt16.max)

  init(_ vocabulary: Vocabulary) {
    let ends = Set(vocabulary.endTokens.filter { $0 >= 0 && Int($0) < vocabulary.count })
    endTokens = ends.sorted()
    bytes = vocabulary.bytes
    offsets = vocabulary.offsets
    count = vocabulary.count
    textTokens = (0..<Int32(vocabulary.count)).filter {
      vocabulary.kinds[Int($0)] == .text && !ends.contains($0)
        && (1...Self.longestToken).contains(vocabulary.bytes(of: $0).count)
    }
    fastBytes = .allocate(capacity: bytes.count)
    _ = fastBytes.initialize(from: bytes)
    // A token that is no text has an empty range here.
    fastOffsets = .allocate(capacity: 2 * count)
    fastOffsets.initialize(repeating: 0)
    for token in textTokens {
      fastOffsets[2 * Int(token)] = offsets[Int(token)]
      fastOffsets[2 * Int(token) + 1] = offsets[Int(token) + 1]
    }
  }

  deinit {
    fastBytes.deallocate()
    fastOffsets.deallocate()
  }

  /// The bytes of a text token, empty for anything else; valid while this object lives.
  @inline(__always)
  func textBytes(of token: Int32) -> UnsafeBufferPointer<UInt8> {
    guard token >= 0, Int(token) < count else { return UnsafeBufferPointer(start: nil, count: 0) }
    // In bounds: the offsets are the vocabulary's, which end at the number of its bytes.
    let start = Int(fastOffsets[2 * Int(token)])
    let end = Int(fastOffsets[2 * Int(token) + 1])
    return UnsafeBufferPointer(rebasing: fastBytes[start..<end])
  }

  func bytes(of token: Int32) -> ArraySlice<UInt8> {
    bytes[Int(offsets[Int(token)])..<Int(offsets[Int(token) + 1])]
  }
}

/// Everything about a vocabulary that masks are made of: built once, shared by all schemas and
/// workers.
///
/// Memory: about 14 bytes for each trie node (two for each token), and one bit for each token for
/// each number of characters that some token has.
package final class TokenTable: Sendable {
  /// The vocabulary.
  package let vocabulary: Vocabulary
  /// The spellings for which the string tables were made.
  package let dialect: JSONDialect
  let tokens: TokenBytes
  /// All text tokens.
  let spaced: SpacedTrie
  /// Those of white space alone, as bits.
  let blank: BitWords
  let classes: TokenClasses
  private let classesByFirst = Mutex<[UInt8: TokenClasses]>([:])
  private let valueStartMask = Mutex<TokenMask?>(nil)
  private let boundedSpaces = Mutex<[WhitespaceBound: BoundedSpaces]>([:])
  /// Strings before their opening quote.
  let atStart: StringTable
  /// The same where any white space may stand before the quote.
  let atSpacedStart: StringTable
  /// By the state of a string, or nil if it has no table.
  private let stringTables: [StringTable?]
  /// Tokens that end a text and exist, each once.
  package var endTokens: [TokenID] { tokens.endTokens }

  /// Creates the tables of a vocabulary.
  ///
  /// - Parameters:
  ///   - vocabulary: The tokens; special and unused ones never match text, nor do those that end a
  ///     text and those of more than 65,535 bytes.
  ///   - dialect: The spellings that strings may have.
  package init(vocabulary: Vocabulary, dialect: JSONDialect = JSONDialect()) {
    self.vocabulary = vocabulary
    self.dialect = dialect
    let tokens = TokenBytes(vocabulary)
    self.tokens = tokens
    classes = TokenClasses(tokens)
    spaced = SpacedTrie(
      (0..<Int32(tokens.count)).map { tokens.bytes(of: $0) }, values: tokens.textTokens)
    blank = BitWords(bitCount: tokens.count)
    for token in spaced.blank { blank.insert(token) }
    let strings = StringAutomaton(dialect: dialect)
    var tokensByFirst = [[TokenID]](repeating: [], count: 256)
    for token in tokens.textTokens {
      if let first = tokens.bytes(of: token).first { tokensByFirst[Int(first)].append(token) }
    }
    func candidates(_ bytes: ByteSet) -> [TokenID] {
      var result: [TokenID] = []
      bytes.forEach { result += tokensByFirst[Int($0)] }
      return result.sorted()
    }
    func table(_ state: StringAutomaton.State) -> StringTable {
      StringTable(
        vocabulary: tokens, candidates: candidates(strings.firstBytes[Int(state)]),
        automaton: strings, state: state)
    }
    var tables = [StringTable?](repeating: nil, count: StringAutomaton.stateCount)
    let states = [StringAutomaton.start, StringAutomaton.body, StringAutomaton.escape]
    for state in states + Array(StringAutomaton.insideCharacter) {
      tables[Int(state)] = table(state)
    }
    stringTables = tables
    atStart = tables[Int(StringAutomaton.start)] ?? table(StringAutomaton.start)
    var beforeStart = ByteSet.whitespace
    beforeStart.insert(UInt8(ascii: "\""))
    atSpacedStart = StringTable(
      vocabulary: tokens, candidates: candidates(beforeStart), automaton: strings,
      state: StringAutomaton.start, skipsSpace: true)
  }

  /// The number of token numbers.
  package var tokenCount: Int { tokens.count }

  /// A number that depends on every node of the vocabulary's trie: what looking at each of them
  /// once costs, for benchmarks.
  package func trieChecksum() -> Int {
    var sum = 0
    for node in trie.nodes { sum &+= Int(node.byte) &+ Int(node.value) }
    return sum
  }

  /// All text tokens as a trie.
  var trie: TokenTrie { spaced.trie }

  /// The tokens that begin with a byte, by what they are made of after it: made at the first call,
  /// then shared by all schemas and workers.
  func classes(after first: UInt8) -> TokenClasses {
    if let known = classesByFirst.withLock({ $0[first] }) { return known }
    let made = TokenClasses(tokens, after: first)
    // Another worker may have been quicker, and its tables rely on what it put here.
    return classesByFirst.withLock { known in
      if let other = known[first] { return other }
      known[first] = made
      return made
    }
  }

  /// The tokens that begin with white space, by what is left of a bound: made at the first call, then
  /// shared by all schemas and workers.
  func spaces(within bound: WhitespaceBound) -> BoundedSpaces {
    if let known = boundedSpaces.withLock({ $0[bound] }) { return known }
    let made = BoundedSpaces(bound, self)
    return boundedSpaces.withLock { known in
      if let other = known[bound] { return other }
      known[bound] = made
      return made
    }
  }

  /// The tokens with which some JSON value begins, in any white space but none before it.
  ///
  /// Made at the first call. A model that would rather begin with another one writes a preface.
  var valueStarts: TokenMask? {
    if let known = valueStartMask.withLock({ $0 }) { return known }
    let anything = GenerationSchema(root: .any(description: nil), definitions: [])
    let options = GrammarOptions(whitespace: .flexible, dialect: dialect)
    guard let grammar = try? Grammar(schema: anything, options: options) else { return nil }
    let automaton = TokenAutomaton(grammar: grammar, table: self)
    let mask = automaton.mask(at: automaton.start)
    valueStartMask.withLock { $0 = mask }
    return mask
  }

  /// The table of a string's state: before its quote, in its body, after a backslash, inside a
  /// character of several bytes; nil inside longer escapes, which few tokens fit.
  func table(for state: StringAutomaton.State) -> StringTable? { stringTables[Int(state)] }
}
