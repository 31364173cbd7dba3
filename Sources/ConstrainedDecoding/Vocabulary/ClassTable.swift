import Synchronization
import Tokenization

/// What every token does to a loop over characters of some kinds, as in `[a-z0-9._]+@…`.
///
/// A token is made of characters that the loop takes, and then either ends or goes on with a
/// character that leads out of it:
///
/// ```
/// inside a–z 0–9 . _     the   .com   as       stay: one bit set, by their number of characters
/// exits  @               s@  a@               leave after 1 character:  rest @
///                        me@gm                 leave after 2:            rest @gm
///                        @   @gm               leave at once: walked in the vocabulary's trie
///                        The  x!y              neither: do not fit
/// ```
///
/// The same table serves every state of every pattern whose loop takes and is left by these kinds.
final class ClassTable: Sendable {
  /// The rests of the tokens that leave after the same number of characters.
  struct Exits: Sendable {
    let trie: TokenTrie
    /// By the trie's values.
    let tokens: [Int32]
  }

  let inside: TextClass
  /// By the number of characters before the exit, up to `TokenClasses.mostCharacters`.
  let exits: [Exits?]
  /// Tokens with more characters of the loop than that at their beginning.
  let long: [Int32]
  /// The bytes with which characters inside the loop begin.
  let firstBytes: ByteSet

  // They keep this table and live as long as the vocabulary's tables do.
  unowned let classes: TokenClasses
  private struct Words {
    var bits: BitWords
    var count: Int
  }
  private let words = Mutex<[Int: Words]>([:])

  /// More tokens that leave make no table.
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
    // A line separator's first byte is that of other characters too, which stay inside: tokens
    // that begin with one leave at once, but not by a byte that the whole trie is walked by.
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

  /// The tokens that stay inside: made at the first call, then remembered.
  ///
  /// - Parameter characters: The most characters; nil for any number.
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
