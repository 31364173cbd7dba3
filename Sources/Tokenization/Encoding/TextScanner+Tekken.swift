extension TextScanner {
  /// The class of a character in Mistral's rule: uppercase, lowercase, both (marks, letters without
  /// case) or neither.
  private struct Case {
    /// Whether the character is in `U`, which is `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`.
    var isUpper: Bool
    /// Whether the character is in `W`, which is `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`.
    var isLower: Bool

    init(_ scalar: Unicode.Scalar) {
      switch scalar.value {
      case 0x41...0x5A: (isUpper, isLower) = (true, false)
      case 0x61...0x7A: (isUpper, isLower) = (false, true)
      case ..<0x80: (isUpper, isLower) = (false, false)
      default:
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .titlecaseLetter: (isUpper, isLower) = (true, false)
        case .lowercaseLetter: (isUpper, isLower) = (false, true)
        case .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark, .enclosingMark:
          (isUpper, isLower) = (true, true)
        default: (isUpper, isLower) = (false, false)
        }
      }
    }
  }

  /// Applies Mistral's rule (Tekken):
  /// `P?U*W+|P?U+W*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
  /// where `P` is `[^\r\n\p{L}\p{N}]`, and `U` and `W` are the classes of ``Case``.
  ///
  /// A word is split where an uppercase letter follows a lowercase one: `getName` becomes `get`,
  /// `Name`.
  func tekken(_ start: Int) -> Int {
    let takesPrefix =
      !isLineBreak(start) && classes[start] != .letter && classes[start] != .number
    for starts in [true, false] {
      if takesPrefix, let end = word(start + 1, endsInLower: starts) { return end }
      if let end = word(start, endsInLower: starts) { return end }
    }
    if classes[start] == .number { return start + 1 }
    let sign = text[start] == " " ? start + 1 : start
    if sign < text.count, classes[sign] == .other {
      var end = run(sign, .other, limit: text.count)
      while end < text.count, isLineBreak(end) || text[end] == "/" { end += 1 }
      return end
    }
    return spacesWithLineBreaks(start)
  }

  /// Returns the end of `U*W+` if `endsInLower` is true, and otherwise the end of `U+W*`; nil if
  /// there is no match.
  private func word(_ start: Int, endsInLower: Bool) -> Int? {
    var upperEnd = start
    var lastOfBoth: Int?
    while upperEnd < text.count {
      let kind = Case(text[upperEnd])
      guard kind.isUpper else { break }
      if kind.isLower { lastOfBoth = upperEnd }
      upperEnd += 1
    }
    var end = upperEnd
    while end < text.count, Case(text[end]).isLower { end += 1 }
    if end > upperEnd { return end }
    // No letter of `W` follows the run of `U`, so `W+` has to match inside that run: the word ends
    // after the run's last letter that is in both classes.
    if endsInLower { return lastOfBoth.map { $0 + 1 } }
    return upperEnd > start ? upperEnd : nil
  }
}
