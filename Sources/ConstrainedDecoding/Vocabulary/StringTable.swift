/// The effect of every token on a JSON string in one state: before its opening quote, in its body,
/// after a backslash, or inside a multi-byte character.
///
/// A token either stays inside the string, or closes it and may continue after it, or doesn't fit.
/// The tokens that stay inside are the same for all schemas. For a token that closes the string,
/// only the bytes after the closing quote decide whether it fits the schema:
///
/// ```
/// in the body:   cat   un   é  \n        stay inside: one bit set for all strings
///                "  ."  !"               close it,  nothing follows   suffix ""
///                ","  .",                close it,  a comma follows   suffixes ," and ,
///                "},{"                   close it,  four bytes follow suffix },{"
/// ```
///
/// So the mask of a string state is the set of the tokens that stay inside, plus the result of a
/// walk over a few dozen suffixes. For strings with a maximum length, the table groups the tokens
/// that stay inside by the number of characters that begin in them; the last of these characters
/// may end in a later token.
final class StringTable: Sendable {
  /// A token in which `characters` characters of the string begin, and which then closes the
  /// string.
  struct Closer: Sendable {
    var token: Int32
    var characters: UInt32
    /// The white space before the string; always empty in a table that doesn't skip white space.
    var run = WhitespaceRun.none
  }

  /// The tokens that stay inside and in which at most `characters` characters begin.
  struct Within: Sendable {
    var characters: Int
    var words: BitWords
    var count: Int
  }

  /// The tokens that stay inside, whatever their length.
  let inside: BitWords
  /// The number of tokens that stay inside.
  let insideCount: Int
  /// The tokens that stay inside and in which at most n characters begin, in ascending order of n.
  ///
  /// There is an entry for 0 and for every n that occurs, except the largest n, for which
  /// `inside` has the tokens.
  let insideWithin: [Within]
  /// The largest number of characters that begin in any token that stays inside.
  let largestNumber: Int
  /// The texts after the closing quote; the values are indices into `groups`.
  let suffixes: SpacedTrie
  /// The closing tokens, grouped by the text after the closing quote.
  let groups: [[Closer]]

  /// Creates a table for a state.
  ///
  /// - Parameters:
  ///   - vocabulary: The tokens' bytes.
  ///   - candidates: The tokens to examine, which must include all tokens that fit.
  ///   - automaton: The automaton of strings.
  ///   - state: The state of the string before a token.
  ///   - skipsSpace: Whether any amount of white space may come before the string.
  init(
    vocabulary: TokenBytes, candidates: [Int32], automaton: StringAutomaton,
    state: StringAutomaton.State, skipsSpace: Bool = false
  ) {
    var buckets: [Int: [Int32]] = [:]
    var closers: [[Closer]] = []
    var suffixes: [ArraySlice<UInt8>] = []
    var index: [ArraySlice<UInt8>: Int] = [:]
    for token in candidates {
      var bytes = vocabulary.bytes(of: token)
      let run = skipsSpace ? WhitespaceRun(at: bytes) : .none
      if skipsSpace { bytes = bytes.drop { ByteSet.whitespace.contains($0) } }
      var current = state
      var characters = 0
      var position = bytes.startIndex
      while position < bytes.endIndex, current != StringAutomaton.end {
        let next = automaton.step(current, bytes[position])
        if current == StringAutomaton.body, next != StringAutomaton.end { characters += 1 }
        current = next
        if current == StringAutomaton.dead { break }
        position += 1
      }
      if current == StringAutomaton.dead { continue }
      if current == StringAutomaton.end {
        let suffix = bytes[position...]
        let group = index[suffix] ?? closers.count
        if group == closers.count {
          index[suffix] = group
          closers.append([])
          suffixes.append(suffix)
        }
        closers[group].append(
          Closer(token: token, characters: UInt32(characters), run: run))
      } else {
        buckets[characters, default: []].append(token)
      }
    }
    let all = BitWords(bitCount: vocabulary.count)
    var count = 0
    var within: [Within] = []
    // Add an entry for zero characters, so that `inside(within:)` finds an entry for any number.
    buckets[0, default: []] += []
    for (characters, tokens) in buckets.sorted(by: { $0.key < $1.key }) {
      for token in tokens { all.insert(token) }
      count += tokens.count
      if within.count + 1 < buckets.count {
        let words = BitWords(bitCount: vocabulary.count)
        words.formUnion(all)
        within.append(Within(characters: characters, words: words, count: count))
      }
    }
    inside = all
    insideCount = count
    insideWithin = within
    largestNumber = buckets.keys.max() ?? 0
    groups = closers
    self.suffixes = SpacedTrie(suffixes, values: Array(0..<Int32(closers.count)))
  }

  /// Returns the tokens that stay inside and in which at most `characters` characters begin, and
  /// the number of these tokens.
  func inside(within characters: UInt32?) -> (words: BitWords, count: Int) {
    guard let characters, Int(characters) < largestNumber,
      let found = insideWithin.last(where: { $0.characters <= Int(characters) })
    else { return (inside, insideCount) }
    return (found.words, found.count)
  }
}
