import Synchronization
import Tokenization

/// The text tokens grouped by the kinds of their characters, and the tables that are built from
/// these groups for the loops in patterns.
///
/// ```
/// kinds        characters   tokens
/// a–f g–z          3        the, and, …          fit [a-z0-9._]+
/// a–f g–z .        4        .com, .net, …        fit
/// a–f g–z @        4        a@gm, …              leave the loop
/// ```
final class TokenClasses: Sendable {
  struct Group: Sendable {
    var kinds: TextClass
    /// The number of characters; for all tokens longer than `mostCharacters`, one more than that
    /// limit.
    var characters: Int
    var tokens: [Int32]
  }

  /// The kinds of characters that a loop accepts, and the bytes that leave it.
  private struct Key: Hashable {
    var inside: TextClass
    var exits: ByteSet
  }

  /// Tokens with more characters than this are not grouped by length.
  static let mostCharacters = 32
  /// The maximum number of cached tables, which limits the memory that a hostile schema can take.
  ///
  /// If a loop needs one more table, the object drops all tables and recomputes them on demand.
  private static let mostTables = 64

  private let tokens: TokenBytes
  private let skipped: Int
  let groups: [Group]
  /// All tokens that consist of plain characters (`TextClass.plain`).
  private let plain: BitWords
  private let plainCount: Int
  private let tables = Mutex<[Key: ClassTable?]>([:])

  /// Creates groups of the tokens that can follow a whole character.
  ///
  /// - Parameters:
  ///   - tokens: The bytes of the tokens.
  ///   - first: The byte with which the tokens must begin; the groups then depend only on the bytes
  ///     after it. If it is nil, all tokens count, and the groups depend on all of their bytes.
  init(_ tokens: TokenBytes, after first: UInt8? = nil) {
    struct Measure: Hashable {
      var kinds: TextClass
      var characters: Int
    }
    self.tokens = tokens
    skipped = first == nil ? 0 : 1
    var index: [Measure: Int] = [:]
    var groups: [Group] = []
    plain = BitWords(bitCount: tokens.count)
    for token in tokens.textTokens {
      var bytes = tokens.bytes(of: token)
      if let first {
        guard bytes.first == first, bytes.count > 1 else { continue }
        bytes.removeFirst()
      }
      let (kinds, characters) = TextClass.measure(bytes)
      if kinds.contains(.fragment) { continue }
      let key = Measure(kinds: kinds, characters: min(characters, Self.mostCharacters + 1))
      let number = index[key] ?? groups.count
      if number == groups.count {
        index[key] = number
        groups.append(Group(kinds: kinds, characters: key.characters, tokens: []))
      }
      groups[number].tokens.append(token)
      if TextClass.plain.isSuperset(of: kinds) { plain.insert(token) }
    }
    self.groups = groups
    plainCount = plain.populationCount
  }

  /// Returns the bytes of a token, without its first byte if the groups don't depend on that byte.
  func bytes(of token: Int32) -> ArraySlice<UInt8> {
    tokens.bytes(of: token).dropFirst(skipped)
  }

  /// Returns the table of a loop, which is cached for all schemas and workers.
  ///
  /// - Parameters:
  ///   - inside: The kinds of characters that stay in the loop.
  ///   - bytes: The bytes that fit at some state of the loop.
  /// - Returns: The table, or nil if so many tokens leave the loop that walking the trie is no
  ///   slower.
  func table(inside: TextClass, bytes: ByteSet) -> ClassTable? {
    var exits = bytes.subtracting(inside.firstBytes)
    if inside.contains(.beyondASCII), !inside.contains(.lineSeparator) {
      // Line separators leave the loop, and the pattern may continue after them.
      exits.insert(UTF8Sequence.separatorLead[0])
    }
    let key = Key(inside: inside, exits: exits)
    if let known = tables.withLock({ $0[key] }) { return known }
    let table = ClassTable(self, inside: inside, exits: exits)
    tables.withLock { tables in
      if tables.count >= Self.mostTables { tables.removeAll() }
      tables[key] = .some(table)
    }
    return table
  }

  /// Returns the tokens that consist only of characters of the given kinds.
  ///
  /// - Parameters:
  ///   - kinds: The kinds.
  ///   - characters: The maximum number of characters; any number above `mostCharacters` means no
  ///     limit.
  func words(of kinds: TextClass, characters: Int) -> BitWords {
    let words = BitWords(bitCount: tokens.count)
    var fitting = 0
    for group in groups where kinds.isSuperset(of: group.kinds) && group.characters <= characters {
      fitting += group.tokens.count
    }
    // If most plain tokens fit, it is faster to remove those that don't.
    let isMost = kinds.isSubset(of: .plain) && fitting > plainCount / 2
    if isMost { words.formUnion(plain) }
    for group in groups {
      let fits = kinds.isSuperset(of: group.kinds) && group.characters <= characters
      if isMost {
        if !fits, TextClass.plain.isSuperset(of: group.kinds) {
          for token in group.tokens { words.remove(token) }
        }
      } else if fits {
        for token in group.tokens { words.insert(token) }
      }
    }
    return words
  }
}
