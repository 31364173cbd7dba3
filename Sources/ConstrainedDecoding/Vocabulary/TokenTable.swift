import Dispatch
import GuidedGeneration
import Synchronization
import Tokenization

/// The bytes of a vocabulary's text tokens.
final class TokenBytes: @unchecked Sendable {
  let bytes: [UInt8]
  let offsets: [UInt32]
  // Copies that loops can read without reference counting; written only during `init`.
  private let fastBytes: UnsafeMutableBufferPointer<UInt8>
  private let fastOffsets: UnsafeMutableBufferPointer<UInt32>
  /// The tokens that text can consist of, in ascending order: text tokens that have between one
  /// byte and `longestToken` bytes and don't end a text.
  let textTokens: [Int32]
  /// The tokens of the vocabulary that end a text, without duplicates, in ascending order.
  let endTokens: [Int32]
  /// The number of tokens, including special and unused ones.
  let count: Int

  /// The maximum length of a usable text token in bytes, because a trie's depths are 16 bits wide.
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
    // A token that is not text has an empty range here.
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

  /// Returns the bytes of a text token, or no bytes for other tokens; the buffer is valid while
  /// this object lives.
  @inline(__always)
  func textBytes(of token: Int32) -> UnsafeBufferPointer<UInt8> {
    guard token >= 0, Int(token) < count else { return UnsafeBufferPointer(start: nil, count: 0) }
    // This stays in bounds, because no offset of a vocabulary exceeds the number of its bytes.
    let start = Int(fastOffsets[2 * Int(token)])
    let end = Int(fastOffsets[2 * Int(token) + 1])
    return UnsafeBufferPointer(rebasing: fastBytes[start..<end])
  }

  func bytes(of token: Int32) -> ArraySlice<UInt8> {
    bytes[Int(offsets[Int(token)])..<Int(offsets[Int(token) + 1])]
  }
}

/// The tables of a vocabulary from which automata compute masks, shared by all schemas and workers.
///
/// A trie takes about 14 bytes per node; the trie of all tokens has about two nodes per token. Each
/// string table takes one bit per token for every length in characters that occurs among its
/// tokens.
package final class TokenTable: Sendable {
  /// The vocabulary.
  package let vocabulary: Vocabulary
  /// The spellings for which the string tables were built.
  package let dialect: JSONDialect
  let tokens: TokenBytes
  /// All text tokens, as a trie, and as a second trie that skips leading white space.
  let spaced: SpacedTrie
  /// The tokens that consist only of white space, as bits.
  let blank: BitWords
  let classes: TokenClasses
  private let classesByFirst = Mutex<[UInt8: TokenClasses]>([:])
  private let valueStartMask = Mutex<TokenMask?>(nil)
  private let boundedSpaces = Mutex<[WhitespaceBound: BoundedSpaces]>([:])
  /// The table of strings before their opening quote.
  let atStart: StringTable
  /// The table of strings before their opening quote, for places where any amount of white space
  /// may come before the quote.
  let atSpacedStart: StringTable
  /// The string tables, indexed by the state of a string; nil for a state without a table.
  private let stringTables: [StringTable?]
  /// The tokens of the vocabulary that end a text, without duplicates, in ascending order.
  package var endTokens: [TokenID] { tokens.endTokens }

  /// Creates the tables of a vocabulary.
  ///
  /// - Parameters:
  ///   - vocabulary: The tokens. Special and unused tokens never match text, and neither do tokens
  ///     that end a text or have more than 65,535 bytes.
  ///   - dialect: The spellings that strings may have.
  package init(vocabulary: Vocabulary, dialect: JSONDialect = JSONDialect()) {
    self.vocabulary = vocabulary
    self.dialect = dialect
    let tokens = TokenBytes(vocabulary)
    self.tokens = tokens
    let strings = StringAutomaton(dialect: dialect)
    var tokensByFirst = [[TokenID]](repeating: [], count: 256)
    for token in tokens.textTokens {
      if let first = tokens.bytes(of: token).first { tokensByFirst[Int(first)].append(token) }
    }
    let byFirst = tokensByFirst
    @Sendable func candidates(_ bytes: ByteSet) -> [TokenID] {
      var result: [TokenID] = []
      bytes.forEach { result += byFirst[Int($0)] }
      return result.sorted()
    }
    @Sendable func table(_ state: StringAutomaton.State) -> StringTable {
      StringTable(
        vocabulary: tokens, candidates: candidates(strings.firstBytes[Int(state)]),
        automaton: strings, state: state)
    }
    // A program can't decode before it has these tables, so all cores compute them.
    let states =
      [StringAutomaton.body, StringAutomaton.start, StringAutomaton.escape]
      + Array(StringAutomaton.insideCharacter)
    let made = Mutex(Parts())
    DispatchQueue.concurrentPerform(iterations: states.count + 3) { number in
      switch number {
      case 0:
        let spaced = SpacedTrie(
          (0..<Int32(tokens.count)).map { tokens.bytes(of: $0) }, values: tokens.textTokens)
        made.withLock { $0.spaced = spaced }
      case 1:
        let classes = TokenClasses(tokens)
        made.withLock { $0.classes = classes }
      case 2:
        var first = ByteSet.whitespace
        first.insert(UInt8(ascii: "\""))
        let table = StringTable(
          vocabulary: tokens, candidates: candidates(first), automaton: strings,
          state: StringAutomaton.start, skipsSpace: true)
        made.withLock { $0.atSpacedStart = table }
      default:
        let state = states[number - 3]
        let table = table(state)
        made.withLock { $0.tables[Int(state)] = table }
      }
    }
    let parts = made.withLock { $0 }
    guard let spaced = parts.spaced, let classes = parts.classes,
      let atStart = parts.tables[Int(StringAutomaton.start)],
      let atSpacedStart = parts.atSpacedStart
    else { preconditionFailure("concurrentPerform has made all parts") }
    self.spaced = spaced
    self.classes = classes
    blank = BitWords(bitCount: tokens.count)
    for token in spaced.blank { blank.insert(token) }
    stringTables = parts.tables
    self.atStart = atStart
    self.atSpacedStart = atSpacedStart
  }

  /// The parts of a table, each made by one thread.
  private struct Parts {
    var spaced: SpacedTrie?
    var classes: TokenClasses?
    var atSpacedStart: StringTable?
    var tables = [StringTable?](repeating: nil, count: StringAutomaton.stateCount)
  }

  /// The number of tokens in the vocabulary, including special and unused ones.
  package var tokenCount: Int { tokens.count }

  /// Returns a number that depends on every node of the vocabulary's trie, for measuring the cost
  /// of visiting each node once.
  package func trieChecksum() -> Int {
    var sum = 0
    for node in trie.nodes { sum &+= Int(node.byte) &+ Int(node.value) }
    return sum
  }

  /// All text tokens as a trie.
  var trie: TokenTrie { spaced.trie }

  /// Returns the tokens that begin with a byte, grouped by the kinds of the characters after it.
  ///
  /// The table computes the groups for each byte once; all schemas and workers share them.
  func classes(after first: UInt8) -> TokenClasses {
    if let known = classesByFirst.withLock({ $0[first] }) { return known }
    let made = TokenClasses(tokens, after: first)
    // Another worker may have been faster, and its tables rely on the groups that it stored.
    return classesByFirst.withLock { known in
      if let other = known[first] { return other }
      known[first] = made
      return made
    }
  }

  /// Returns the tokens that begin with white space, for each state of a bounded run of white
  /// space.
  ///
  /// The table creates one object for each bound; all schemas and workers share it.
  func spaces(within bound: WhitespaceBound) -> BoundedSpaces {
    if let known = boundedSpaces.withLock({ $0[bound] }) { return known }
    let made = BoundedSpaces(bound, self)
    return boundedSpaces.withLock { known in
      if let other = known[bound] { return other }
      known[bound] = made
      return made
    }
  }

  /// The tokens that can begin some JSON value, in any layout but without white space before it.
  ///
  /// The table computes them once. If a model prefers any other token, it is writing a preface.
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

  /// Returns the table of a string's state: before its quote, in its body, after a backslash, or
  /// inside a multi-byte character.
  ///
  /// The result is nil inside longer escapes, because few tokens fit there.
  func table(for state: StringAutomaton.State) -> StringTable? { stringTables[Int(state)] }
}
