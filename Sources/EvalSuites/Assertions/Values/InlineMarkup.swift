/// Finds markup inside a paragraph.
struct InlineMarkup {
  private let text: [Unicode.Scalar]

  init(_ paragraph: [Unicode.Scalar]) { text = paragraph }

  /// A description of the first sign of markup, or `nil` if there is none.
  var first: String? {
    var open: [Run] = []
    var place = 0
    while place < text.count {
      let mark = text[place]
      switch mark {
      case "\\":
        // The next sign is plain.
        place += 2
      case "`":
        let length = run(at: place)
        if isCode(from: place, length) { return "a backtick" }
        place += length
      case "*", "_", "~":
        let closer = Run(mark, place..<(place + run(at: place)), in: text)
        if closer.closes, let opener = open.last(where: { isPair($0, closer) }) {
          return words(opener, closer)
        }
        if closer.opens { open.append(closer) }
        place = closer.range.upperBound
      case "[":
        if let sign = link(at: place) { return sign }
        place += 1
      case "<":
        if isTag(at: place) { return "an HTML tag" }
        place += 1
      case "&":
        if let name = HTMLEntity.name(in: text[(place + 1)...]) { return "the entity `&\(name);`" }
        place += 1
      default: place += 1
      }
    }
    return nil
  }

  private func run(at place: Int) -> Int { text[place...].prefix { $0 == text[place] }.count }

  // MARK: Emphasis

  /// Adjacent signs of emphasis.
  private struct Run {
    let mark: Unicode.Scalar
    let range: Range<Int>
    /// Whether emphasis can begin here.
    let opens: Bool
    /// Whether emphasis can end here.
    let closes: Bool
    /// Whether a letter or digit is on each side.
    let isInsideWord: Bool

    init(_ mark: Unicode.Scalar, _ range: Range<Int>, in text: [Unicode.Scalar]) {
      let before = range.lowerBound > 0 ? text[range.lowerBound - 1] : " "
      let after = range.upperBound < text.count ? text[range.upperBound] : " "
      let faces = { (inner: Unicode.Scalar, outer: Unicode.Scalar) in
        !inner.properties.isWhitespace
          && (!inner.isSign || outer.properties.isWhitespace || outer.isSign)
      }
      let (left, right) = (faces(after, before), faces(before, after))
      self.mark = mark
      self.range = range
      opens = left && (mark != "_" || !right || before.isSign)
      closes = right && (mark != "_" || !left || after.isSign)
      isInsideWord = !before.isSpaceOrSign && !after.isSpaceOrSign
    }
  }

  /// Returns whether two runs enclose text that is set differently.
  private func isPair(_ opener: Run, _ closer: Run) -> Bool {
    guard opener.mark == closer.mark else { return false }
    let length = min(opener.range.count, closer.range.count)
    if opener.mark == "~" { return opener.range.count == 2 && closer.range.count == 2 }
    guard opener.isInsideWord, closer.isInsideWord else { return true }
    // A product such as `5*3*2`, or two words with hidden letters
    return length == 2
      && !text[opener.range.upperBound..<closer.range.lowerBound]
        .contains(where: \.properties.isWhitespace)
  }

  private func words(_ opener: Run, _ closer: Run) -> String {
    if opener.mark == "~" { return "struck-out text `~~`" }
    return min(opener.range.count, closer.range.count) > 1
      ? "bold `\(opener.mark)\(opener.mark)`" : "italics `\(opener.mark)`"
  }

  // MARK: Code, links and tags

  /// Returns whether a run of backticks has a counterpart of the same length.
  ///
  /// Backticks inside two words are apostrophes, as in "it`s what it`s called".
  private func isCode(from start: Int, _ length: Int) -> Bool {
    var place = start + length
    while let next = text[place...].firstIndex(of: "`") {
      let other = run(at: next)
      if other == length {
        let areInWords = length == 1 && isInsideWord(start) && isInsideWord(next)
        return !(areInWords && text[start..<next].contains(where: \.properties.isWhitespace))
      }
      place = next + other
    }
    return false
  }

  /// Returns whether a letter or digit is on each side of a sign.
  private func isInsideWord(_ place: Int) -> Bool {
    place > 0 && place + 1 < text.count && !text[place - 1].isSpaceOrSign
      && !text[place + 1].isSpaceOrSign
  }

  /// Returns the kind of link that begins with a bracket.
  ///
  /// `[text][label]` counts only if it doesn't look like two indices or two citations.
  private func link(at start: Int) -> String? {
    guard let end = text[(start + 1)...].firstIndex(where: { $0 == "]" || $0 == "[" }),
      text[end] == "]", end + 1 < text.count
    else { return nil }
    let rest = text[(end + 2)...]
    switch text[end + 1] {
    case "(": return rest.contains(")") ? "a link" : nil
    case "[":
      let isIndex = start > 0 && !text[start - 1].isSpaceOrSign
      let hasLetter = text[start..<end].contains(where: \.properties.isAlphabetic)
      return !isIndex && hasLetter && rest.contains("]") ? "a link" : nil
    default: return nil
    }
  }

  private func isTag(at start: Int) -> Bool {
    var rest = text[(start + 1)...]
    if rest.starts(with: "!--".unicodeScalars) { return true }
    if rest.first == "/" || rest.first == "!" { rest = rest.dropFirst() }
    guard let letter = rest.first, letter.isASCII, letter.properties.isAlphabetic else {
      return false
    }
    return rest.prefix(200).prefix { $0 != "<" }.contains(">")
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is punctuation or a symbol.
  fileprivate var isSign: Bool {
    switch properties.generalCategory {
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
      .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol,
      .modifierSymbol, .otherSymbol:
      true
    default: false
    }
  }

  fileprivate var isSpaceOrSign: Bool { properties.isWhitespace || isSign }
}
