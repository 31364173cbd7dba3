/// What every token does to a JSON string that stands at one state (before its opening quote, or
/// in its body).
///
/// A token either stays inside the string, or closes it and goes on with what follows, or does
/// not fit. For strings of any schema the first kind is the same set, and the second one depends
/// on the schema only through the bytes after the closing quote:
///
/// ```
/// in the body:   cat   un   é  \n        stay inside: one bit set for all strings
///                "  ."  !"               close it,  nothing follows   suffix ""
///                ","  .",                close it,  a comma follows   suffix "," and ,
///                "},{"                   close it,  four bytes follow suffix },{"
/// ```
///
/// So the mask of a string state is that bit set, and a walk over a few dozen suffixes. Bounded
/// strings use the tokens that stay inside by the number of characters that they begin.
final class StringTable: Sendable {
  /// A token that closes the string after beginning `characters` characters.
  struct Closer: Sendable {
    var token: Int32
    var characters: UInt32
  }

  /// Tokens that stay inside, whatever their length.
  let inside: BitWords
  /// The number of tokens that stay inside.
  let insideCount: Int
  /// `insideWithin[n]`: tokens that stay inside and begin at most n characters, for n below the
  /// largest number.
  let insideWithin: [BitWords]
  /// How many tokens each of them has.
  let insideWithinCounts: [Int]
  /// The bytes after the closing quote; the values are indices of `groups`.
  let suffixes: SpacedTrie
  /// Closing tokens by suffix.
  let groups: [[Closer]]

  /// Makes the table of a state.
  ///
  /// - Parameters:
  ///   - vocabulary: The tokens' bytes.
  ///   - candidates: Tokens, among which are all that fit.
  ///   - skipsSpace: Whether any white space may stand before the state.
  init(
    vocabulary: TokenBytes, candidates: [Int32], automaton: StringAutomaton,
    state: StringAutomaton.State, skipsSpace: Bool = false
  ) {
    var buckets: [[Int32]] = []
    var closers: [[Closer]] = []
    var suffixes: [ArraySlice<UInt8>] = []
    var index: [ArraySlice<UInt8>: Int] = [:]
    for token in candidates {
      var bytes = vocabulary.bytes(of: token)
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
        closers[group].append(Closer(token: token, characters: UInt32(characters)))
      } else {
        while buckets.count <= characters { buckets.append([]) }
        buckets[characters].append(token)
      }
    }
    let all = BitWords(bitCount: vocabulary.count)
    var within: [BitWords] = []
    for (characters, tokens) in buckets.enumerated() {
      for token in tokens { all.insert(token) }
      if characters + 1 < buckets.count {
        let words = BitWords(bitCount: vocabulary.count)
        words.formUnion(all)
        within.append(words)
      }
    }
    inside = all
    insideCount = buckets.reduce(0) { $0 + $1.count }
    insideWithin = within
    insideWithinCounts = within.map(\.populationCount)
    groups = closers
    self.suffixes = SpacedTrie(suffixes, values: Array(0..<Int32(closers.count)))
  }

  /// The tokens that stay inside and begin at most a number of characters, and how many they are.
  func inside(within characters: UInt32?) -> (words: BitWords, count: Int) {
    guard let characters, Int(characters) < insideWithin.count else { return (inside, insideCount) }
    return (insideWithin[Int(characters)], insideWithinCounts[Int(characters)])
  }
}
