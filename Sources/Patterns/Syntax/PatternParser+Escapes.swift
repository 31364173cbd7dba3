extension PatternParser {
  /// Parses an escape, which begins with `\`.
  mutating func escape(inClass: Bool) throws(PatternError) -> ScalarSet {
    let start = position
    position += 1
    guard let letter = peek() else {
      throw PatternError(
        at: start, "the pattern ends with `\\`", allowed: "write `\\\\` for a backslash")
    }
    position += 1
    switch letter {
    case "d": return .digits
    case "D": return ScalarSet.digits.inverted
    case "w": return .wordCharacters
    case "W": return ScalarSet.wordCharacters.inverted
    case "s": return .spaces
    case "S": return ScalarSet.spaces.inverted
    case "p", "P":
      let set = try category(from: start)
      return letter == "P" ? set.inverted : set
    case "x", "u": return ScalarSet(try hexadecimal(letter, from: start))
    default: break
    }
    if let control = Self.controls[letter] { return ScalarSet(control) }
    if letter == "0" {
      if let next = peek(), ScalarSet.digits.contains(next.value) {
        throw PatternError(
          at: start, "octal escapes are not supported",
          allowed: "write `\\u{…}` for a character by its code")
      }
      return ScalarSet("\0")
    }
    if inClass, letter == "b" { return ScalarSet("\u{8}") }
    if letter == "_" { return ScalarSet(letter) }
    if letter.isASCII, !ScalarSet.wordCharacters.contains(letter.value) { return ScalarSet(letter) }
    throw refusal(of: letter, at: start)
  }

  private static let controls: [Unicode.Scalar: Unicode.Scalar] = [
    "t": "\t", "n": "\n", "r": "\r", "f": "\u{C}", "v": "\u{B}", "a": "\u{7}", "e": "\u{1B}",
  ]

  private func refusal(of letter: Unicode.Scalar, at start: Int) -> PatternError {
    switch letter {
    case "1"..."9", "k", "g":
      PatternError(at: start, "back-references are not supported")
    case "A", "Z", "z", "G":
      PatternError(
        at: start, "the anchor `\\\(letter)` is not supported here",
        allowed: "`^` and `\\A` are the start of the text, `$` and `\\z` its end")
    case "Q", "E":
      PatternError(
        at: start, "quoting with `\\Q` is not supported", allowed: "escape each character")
    default:
      PatternError(
        at: start, "unknown escape `\\\(letter)`",
        allowed:
          "escapes are \\d \\w \\s \\D \\W \\S \\p{…} \\P{…} \\t \\n \\r \\f \\v \\a \\e \\0 "
          + "\\xNN \\uNNNN \\u{…}, and a backslash before punctuation")
    }
  }

  private mutating func category(from start: Int) throws(PatternError) -> ScalarSet {
    var name = ""
    if take("{") {
      while let scalar = peek(), scalar != "}", name.unicodeScalars.count < 64 {
        name.unicodeScalars.append(scalar)
        position += 1
      }
      guard take("}") else {
        throw PatternError(at: start, "the name of the category is not closed with `}`")
      }
    } else if let scalar = peek() {
      name.unicodeScalars.append(scalar)
      position += 1
    }
    guard let set = GeneralCategories.scalars(in: name) else {
      throw PatternError(
        at: start, "`\(name)` is not a general category",
        allowed: "the categories are \(GeneralCategories.names)")
    }
    return set
  }

  // MARK: - Characters by their codes

  private mutating func hexadecimal(
    _ letter: Unicode.Scalar, from start: Int
  ) throws(PatternError) -> Unicode.Scalar {
    let form = PatternError(
      at: start, "this is not a character code",
      allowed: "codes are `\\xNN`, `\\x{…}`, `\\uNNNN` and `\\u{…}`, up to 10FFFF, no surrogates")
    let value: UInt32?
    if take("{") {
      value = digits(1...8)
      guard take("}") else { throw form }
    } else if letter == "x" {
      value = digits(2...2)
    } else {
      value = surrogatePair() ?? digits(4...4)
    }
    guard let value, let scalar = Unicode.Scalar(value) else { throw form }
    return scalar
  }

  private mutating func digits(_ count: ClosedRange<Int>) -> UInt32? {
    var value: UInt32 = 0
    var taken = 0
    while taken < count.upperBound, let scalar = peek(), scalar.isASCII,
      let digit = Character(scalar).hexDigitValue
    {
      value = value << 4 | UInt32(digit)
      taken += 1
      position += 1
    }
    return taken >= count.lowerBound ? value : nil
  }

  /// Parses two `\uNNNN` that form one scalar above U+FFFF; the caller has already consumed the
  /// first `\u`.
  ///
  /// - Returns: The scalar, or nil, without consuming anything, if there is no such pair.
  private mutating func surrogatePair() -> UInt32? {
    let start = position
    if let high = digits(4...4), (0xD800...0xDBFF).contains(high), take("\\u"),
      let low = digits(4...4), (0xDC00...0xDFFF).contains(low)
    {
      return 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
    }
    position = start
    return nil
  }
}
