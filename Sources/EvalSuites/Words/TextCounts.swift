/// Counts characters, words and sentences, for the assertions with these names.
///
/// - **Characters** are extended grapheme clusters (UAX #29): `é` and a flag count as one each.
/// - **Words** are stretches between white space that contain a letter or a digit: `well-known` is
///   one word, and so is `3.5 %`, because `%` alone is not a word. In every script, text without
///   spaces is one word.
/// - **Sentences** end at a line break. They also end at `.`, `!`, `?` or `…` if white space or the
///   end of the text follows, and at `。`, `！`, `？` or `｡` no matter what follows. Closing quotes
///   and brackets after the mark belong to the sentence. A sentence doesn't end before a lowercase
///   letter, after an initial (`J. Smith`), or after a common abbreviation (`Mt. Fuji`). Every
///   sentence contains a letter or a digit, and the last sentence needs no end mark.
package enum TextCounts {
  /// Returns the number of characters.
  package static func characters(in text: String) -> Int { text.count }

  /// Returns the number of words.
  package static func words(in text: String) -> Int {
    text.split(whereSeparator: \.isWhitespace).count { word in
      word.contains { $0.isLetter || $0.isNumber }
    }
  }

  /// Returns the number of sentences.
  ///
  /// - Complexity: Linear in the length of the text.
  package static func sentences(in text: String) -> Int { sentenceTexts(in: text).count }

  /// Returns the sentences, each with the white space before it.
  ///
  /// Text without letters or digits is added to the next sentence, or dropped if there is none.
  ///
  /// - Complexity: Linear in the length of the text.
  package static func sentenceTexts(in text: String) -> [String] {
    let characters = Array(text)
    var sentences: [String] = []
    var start = 0
    var position = 0
    var hasContent = false
    func end(at end: Int) {
      sentences.append(String(characters[start..<end]))
      start = end
      hasContent = false
    }
    while position < characters.count {
      let character = characters[position]
      if terminators.contains(character) {
        let runEnd = endOfRun(in: characters, from: position)
        if hasContent, isSentenceEnd(in: characters, run: position..<runEnd) { end(at: runEnd) }
        position = runEnd
        continue
      }
      if character.isNewline, hasContent {
        end(at: position)
      } else if character.isLetter || character.isNumber {
        hasContent = true
      }
      position += 1
    }
    if hasContent { end(at: characters.count) }
    return sentences
  }

  private static let terminators: Set<Character> = [".", "!", "?", "…", "。", "！", "？", "｡"]
  private static let fullWidth: Set<Character> = ["。", "！", "？", "｡"]
  private static let closers: Set<Character> = [
    "\"", "'", ")", "]", "}", "”", "’", "»", "」", "』", "）",
  ]
  private static let abbreviations: Set<String> = [
    "mr", "mrs", "ms", "dr", "prof", "st", "mt", "jr", "sr", "vs", "etc", "e.g", "i.e", "approx",
    "no", "fig", "vol", "ca", "cf",
  ]

  private static func endOfRun(in characters: [Character], from start: Int) -> Int {
    var end = start + 1
    while end < characters.count,
      terminators.contains(characters[end]) || closers.contains(characters[end])
    {
      end += 1
    }
    return end
  }

  private static func isSentenceEnd(in characters: [Character], run: Range<Int>) -> Bool {
    guard run.upperBound < characters.count else { return true }
    if characters[run].contains(where: fullWidth.contains) { return true }
    guard characters[run.upperBound].isWhitespace else { return false }
    guard let next = characters[run.upperBound...].first(where: { !$0.isWhitespace }) else {
      return true
    }
    if next.isLowercase { return false }
    guard run.count == 1, characters[run.lowerBound] == "." else { return true }
    var start = run.lowerBound
    while start > 0, !characters[start - 1].isWhitespace, run.lowerBound - start < 8 { start -= 1 }
    let word = characters[start..<run.lowerBound].drop { !$0.isLetter && !$0.isNumber }
    if word.count == 1, let letter = word.first, letter.isUppercase, letter != "I" {
      return false
    }
    return !abbreviations.contains(String(word).lowercased())
  }
}
