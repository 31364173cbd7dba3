import StructuredText

/// Bounds that a guide states in words: "between 3 and 8 cards", "at most twelve".
struct WordedBounds: Hashable {
  var minimum: Int?
  var maximum: Int?

  /// Creates bounds from the first bounds in a guide, or returns `nil` if there are none.
  ///
  /// Bounds on the length of a text, such as "at most 6 words", are ignored.
  init?(in text: String) {
    let words = Self.words(of: text)
    for start in words.indices {
      guard let (bounds, end) = Self.bounds(in: words, at: start) else { continue }
      if end < words.count, Self.textUnits.contains(words[end]) { continue }
      self = bounds
      return
    }
    return nil
  }

  private init(minimum: Int?, maximum: Int?) {
    self.minimum = minimum
    self.maximum = maximum
  }

  /// A description of the bounds.
  var words: String {
    NumberBounds(
      minimum: minimum.map { JSONNumber($0) }, maximum: maximum.map { JSONNumber($0) }
    ).words
  }

  private static let textUnits: Set<String> = [
    "word", "words", "sentence", "sentences", "character", "characters", "letters", "lines",
    "paragraphs", "syllables",
  ]

  private static let numbers: [String: Int] = [
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20,
    "thirty": 30, "fifty": 50, "hundred": 100,
  ]

  /// Returns the words, numbers and punctuation marks of a text; each dash or ellipsis becomes `-`.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var isNumber = false
    func flush() {
      if !word.isEmpty { words.append(word) }
      word = ""
    }
    for character in text.lowercased().replacing("...", with: "…") {
      let isDigit = character.isASCII && character.isNumber
      if isDigit || character.isLetter {
        if !word.isEmpty, isDigit != isNumber { flush() }
        isNumber = isDigit
        word.append(character)
      } else {
        flush()
        if "-–—…".contains(character) {
          words.append("-")
        } else if !character.isWhitespace {
          words.append(String(character))
        }
      }
    }
    flush()
    return words
  }

  private static func number(_ words: [String], _ index: Int) -> Int? {
    guard index < words.count else { return nil }
    return Int(words[index]) ?? numbers[words[index]]
  }

  private static func bounds(
    in words: [String], at start: Int
  ) -> (WordedBounds, end: Int)? {
    func has(_ phrase: String...) -> Int? {
      for text in phrase {
        let parts = text.split(separator: " ").map(String.init)
        if words[start...].starts(with: parts) { return start + parts.count }
      }
      return nil
    }
    for (opening, joiner) in [("between", "and"), ("from", "to")] where words[start] == opening {
      if let low = number(words, start + 1), start + 2 < words.count, words[start + 2] == joiner,
        let high = number(words, start + 3)
      {
        return (WordedBounds(minimum: low, maximum: high), start + 4)
      }
    }
    if let low = number(words, start), start + 1 < words.count,
      ["to", "-"].contains(words[start + 1]), let high = number(words, start + 2)
    {
      return (WordedBounds(minimum: low, maximum: high), start + 3)
    }
    if let next = has("at most", "up to", "no more than", "not more than", "maximum of", "max"),
      let high = number(words, next)
    {
      return (WordedBounds(minimum: nil, maximum: high), next + 1)
    }
    if let next = has("at least", "no fewer than", "not fewer than", "minimum of", "min"),
      let low = number(words, next)
    {
      return (WordedBounds(minimum: low, maximum: nil), next + 1)
    }
    return nil
  }
}
