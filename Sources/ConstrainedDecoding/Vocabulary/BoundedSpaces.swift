import Synchronization
import Tokenization

/// The tokens of a vocabulary that begin with white space, for each state of a bounded run of white
/// space (`WhitespaceBound`).
///
/// The object computes the tokens for a state when the state first occurs, and shares them among
/// all schemas and workers.
final class BoundedSpaces: Sendable {
  /// A set of tokens as bits, and the number of tokens in it.
  struct Tokens: Sendable {
    var words: BitWords
    var count: Int
  }

  /// A token that consists of white space and the beginning of a string.
  private struct Beginning: Sendable {
    var token: TokenID
    var characters: UInt32
    var run: WhitespaceRun
  }

  private struct State {
    var blank: [Tokens?]
    var start: [Tokens?]
  }

  let bound: WhitespaceBound
  private let tokenCount: Int
  private let spaced: SpacedTrie
  private let atStart: StringTable
  private let beginnings: [Beginning]
  private let states: Mutex<State>

  /// Creates the tables from which the tokens for each state are computed on demand.
  ///
  /// - Parameters:
  ///   - bound: The bound on white space.
  ///   - table: The vocabulary's tables.
  init(_ bound: WhitespaceBound, _ table: TokenTable) {
    self.bound = bound
    tokenCount = table.tokenCount
    spaced = table.spaced
    atStart = table.atStart
    let strings = StringAutomaton(dialect: table.dialect)
    var beginnings: [Beginning] = []
    for (group, tokens) in table.spaced.groups.enumerated() {
      guard let first = tokens.first else { continue }
      let rest = table.tokens.bytes(of: first).drop { ByteSet.whitespace.contains($0) }
      guard let characters = strings.charactersInside(rest) else { continue }
      for (token, run) in zip(tokens, table.spaced.groupRuns[group]) {
        beginnings.append(Beginning(token: token, characters: characters, run: run))
      }
    }
    self.beginnings = beginnings
    let none = [Tokens?](repeating: nil, count: bound.stateCount)
    states = Mutex(State(blank: none, start: none))
  }

  /// Returns the tokens that consist only of white space and that can continue a run from a state.
  func blank(from state: Int) -> Tokens {
    states.withLock { states in
      if let known = states.blank[state] { return known }
      let words = BitWords(bitCount: tokenCount)
      let count = addBlank(from: state, to: words)
      let made = Tokens(words: words, count: count)
      states.blank[state] = made
      return made
    }
  }

  /// Returns the tokens that `blank(from:)` returns, and the tokens that begin a string without
  /// closing it, with or without white space before the string.
  ///
  /// The result ignores any bound on the string's length.
  func start(from state: Int) -> Tokens {
    states.withLock { states in
      if let known = states.start[state] { return known }
      let words = BitWords(bitCount: tokenCount)
      words.formUnion(atStart.inside)
      var count = atStart.insideCount + addBlank(from: state, to: words)
      for beginning in beginnings where bound.allows(beginning.run, from: state) {
        words.insert(beginning.token)
        count += 1
      }
      let made = Tokens(words: words, count: count)
      states.start[state] = made
      return made
    }
  }

  private func addBlank(from state: Int, to words: BitWords) -> Int {
    var count = 0
    for (token, run) in zip(spaced.blank, spaced.blankRuns) where bound.allows(run, from: state) {
      words.insert(token)
      count += 1
    }
    return count
  }

  /// Adds the tokens that consist of white space and the beginning of a string, with at most
  /// `characters` characters of the string.
  func addSpacedBeginnings(from state: Int, characters: UInt32, to listed: inout [TokenID]) {
    for beginning in beginnings
    where beginning.characters <= characters && bound.allows(beginning.run, from: state) {
      listed.append(beginning.token)
    }
  }
}

extension StringAutomaton {
  /// Returns the number of the string's characters that start within the bytes, or nil if the bytes
  /// can't be the beginning of a string, or if they also close it.
  ///
  /// The last of these characters may be incomplete.
  fileprivate func charactersInside(_ bytes: ArraySlice<UInt8>) -> UInt32? {
    var state = Self.start
    var characters: UInt32 = 0
    for byte in bytes {
      let next = step(state, byte)
      if next == Self.end || next == Self.dead { return nil }
      if state == Self.body { characters += 1 }
      state = next
    }
    return characters
  }
}
