import Synchronization
import Tokenization

/// The effect of every token on a loop (`ClassLoop`) over characters of some kinds, as in
/// `[a-z0-9._]+@…`.
///
/// A token that fits begins with characters inside the loop, and then either ends or continues with
/// a character that leaves the loop:
///
/// ```
/// inside a–z 0–9 . _     the   .com   as       stay: a bit set for each limit on the length
/// exits  @               s@  a@                leave after 1 character:  rest @
///                        me@gm                 leave after 2:            rest @gm
///                        @   @gm               leave at once: walked in the vocabulary's trie
///                        The  x!y              don't fit
/// ```
///
/// The same table serves every loop, in any pattern, that accepts the same kinds of characters and
/// can be left with the same bytes.
final class ClassTable: Sendable {
  /// The tokens that leave the loop after a certain number of characters, and a trie of their bytes
  /// after those characters.
  struct Exits: Sendable {
    let trie: TokenTrie
    /// The token of each value in the trie.
    let tokens: [Int32]
  }

  let inside: TextClass
  /// The exits, indexed by the number of characters before them, up to
  /// `TokenClasses.mostCharacters`.
  let exits: [Exits?]
  /// The tokens that begin with more than `mostCharacters` characters of the loop.
  let long: [Int32]
  /// The first bytes of the characters inside the loop.
  let firstBytes: ByteSet

  // Unowned, because the classes retain this table. The classes live as long as the vocabulary's
  // tables.
  unowned let classes: TokenClasses
  private struct Words {
    var bits: BitWords
    var count: Int
  }
  private let words = Mutex<[Int: Words]>([:])

  /// The maximum number of tokens that leave the loop; a loop with more of them gets no table.
  private static let mostExits = 10_000

  init?(_ classes: TokenClasses, inside: TextClass, exits: ByteSet) {
    self.classes = classes
    self.inside = inside
    firstBytes = inside.firstBytes
    let kinds = TextClass(beginningWith: exits)
    var candidates: [Int32] = []
    var long: [Int32] = []
    for group in classes.groups where !inside.isDisjoint(with: group.kinds) {
      let isInside = inside.isSuperset(of: group.kinds)
      if group.characters > TokenClasses.mostCharacters {
        long += group.tokens.filter {
          inside.prefix(of: classes.bytes(of: $0)).characters > TokenClasses.mostCharacters
        }
      }
      if !isInside, !kinds.isDisjoint(with: group.kinds) { candidates += group.tokens }
    }
    // A line separator shares its first byte with characters that stay inside. Tokens that begin
    // with a separator leave the loop right away. List them here, to avoid walking the trie for
    // that byte.
    if inside.contains(.beyondASCII), !inside.contains(.lineSeparator) {
      for group in classes.groups
      where group.kinds.contains(.lineSeparator) && inside.isDisjoint(with: group.kinds) {
        candidates += group.tokens
      }
    }
    self.long = long
    guard
      let sorted = Self.exits(candidates, classes, inside: inside, exits: exits)
    else { return nil }
    self.exits = sorted
  }

  private static func exits(
    _ candidates: [Int32], _ classes: TokenClasses, inside: TextClass, exits: ByteSet
  ) -> [Exits?]? {
    var count = 0
    var tokens = [[Int32]](repeating: [], count: TokenClasses.mostCharacters + 1)
    var rests = [[ArraySlice<UInt8>]](repeating: [], count: TokenClasses.mostCharacters + 1)
    for token in candidates {
      let (characters, rest) = inside.prefix(of: classes.bytes(of: token))
      guard characters <= TokenClasses.mostCharacters, let first = rest.first,
        exits.contains(first),
        characters > 0 || first >= 0x80 && inside.contains(.beyondASCII)
      else { continue }
      count += 1
      if count > mostExits { return nil }
      tokens[characters].append(token)
      rests[characters].append(rest)
    }
    return tokens.indices.map { count in
      if tokens[count].isEmpty { return nil }
      return Exits(
        trie: TokenTrie(rests[count], values: Array(0..<Int32(tokens[count].count))),
        tokens: tokens[count])
    }
  }

  /// Returns the tokens that stay inside the loop; the table computes them once for each limit.
  ///
  /// - Parameter characters: The maximum number of characters, or nil if there is no limit.
  func stay(within characters: Int?) -> (words: BitWords, count: Int) {
    let most = characters ?? .max
    return words.withLock { words in
      if let known = words[most] { return (known.bits, known.count) }
      let bits = classes.words(of: inside, characters: most)
      let made = Words(bits: bits, count: bits.populationCount)
      words[most] = made
      return (made.bits, made.count)
    }
  }
}
