import Synchronization
import Tokenization

/// The text tokens by the kinds of characters that they are made of, and the tables for loops of
/// patterns that were made of them.
///
/// ```
/// kinds        characters   tokens
/// a–f g–z          3        the, and, …          fit [a-z0-9._]+
/// a–f g–z .        4        .com, .net, …        fit
/// a–f g–z @        4        …@gm                 leave it
/// ```
final class TokenClasses: Sendable {
  struct Group: Sendable {
    var kinds: TextClass
    /// One more than `mostCharacters` for all longer ones.
    var characters: Int
    var tokens: [Int32]
  }

  /// Which characters a loop takes, and the bytes that lead out of it.
  private struct Key: Hashable {
    var inside: TextClass
    var exits: ByteSet
  }

  /// Longer tokens are not told apart by their length.
  static let mostCharacters = 32
  /// The most tables that are kept, since schemas may be hostile.
  ///
  /// One more, and all are dropped, to be made anew where they are asked for.
  private static let mostTables = 64

  private let tokens: TokenBytes
  private let skipped: Int
  let groups: [Group]
  /// All tokens of plain characters.
  private let plain: BitWords
  private let plainCount: Int
  private let tables = Mutex<[Key: ClassTable?]>([:])

  /// Sorts tokens; those that no whole character can be followed by are left out.
  ///
  /// - Parameters:
  ///   - tokens: The bytes of the tokens.
  ///   - first: The byte that the tokens begin with and that is left out of them; nil for all
  ///     tokens as they are.
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

  /// The bytes of a token, as far as they are looked at.
  func bytes(of token: Int32) -> ArraySlice<UInt8> {
    tokens.bytes(of: token).dropFirst(skipped)
  }

  /// The table of a loop: made at the first call, then shared by all schemas and workers.
  ///
  /// - Parameters:
  ///   - inside: The kinds of characters that go on in it.
  ///   - bytes: The bytes that fit at some of its states.
  /// - Returns: Nil where so many tokens leave the loop that a walk through the trie is no slower.
  func table(inside: TextClass, bytes: ByteSet) -> ClassTable? {
    var exits = bytes.subtracting(inside.firstBytes)
    if inside.contains(.beyondASCII), !inside.contains(.lineSeparator) {
      // Line separators leave the loop, and may lead somewhere.
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

  /// The tokens of characters of some kinds.
  ///
  /// - Parameters:
  ///   - kinds: The kinds.
  ///   - characters: The most characters, up to `mostCharacters`; more is any number.
  func words(of kinds: TextClass, characters: Int) -> BitWords {
    let words = BitWords(bitCount: tokens.count)
    var fitting = 0
    for group in groups where kinds.isSuperset(of: group.kinds) && group.characters <= characters {
      fitting += group.tokens.count
    }
    // Where most plain tokens fit, it is quicker to take out those that don't.
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
