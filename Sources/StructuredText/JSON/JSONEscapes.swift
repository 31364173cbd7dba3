/// The escapes of JSON strings.
package enum JSONEscapes {
  /// Returns the character that a letter after a backslash stands for, or `nil` if the letter is
  /// `u` or not allowed.
  package static func character(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "r"): 0x0D
    default: nil
    }
  }

  /// Returns the value of a hexadecimal digit, or `nil` if the byte isn't one.
  package static func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46: UInt32(byte - 0x41 + 10)
    case 0x61...0x66: UInt32(byte - 0x61 + 10)
    default: nil
    }
  }

  /// Returns whether a code unit is the first half of a surrogate pair.
  static func isHighSurrogate(_ unit: UInt32) -> Bool { (0xD800...0xDBFF).contains(unit) }

  /// Returns the character of a surrogate pair, or `nil` if the second half is none.
  package static func scalar(high: UInt32, low: UInt32) -> Unicode.Scalar? {
    guard isHighSurrogate(high), (0xDC00...0xDFFF).contains(low) else { return nil }
    return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
  }

  /// Returns whether an escape that begins with these bytes is complete.
  ///
  /// A high surrogate and a low surrogate are two escapes, but one character.
  package static func isComplete(_ escape: [UInt8]) -> Bool {
    if escape.count < 2 { return false }
    if escape[1] != UInt8(ascii: "u") { return true }
    if escape.count < 6 { return false }
    let unit = escape[2..<6].reduce(0) { $0 << 4 | (hexDigit($1) ?? 0) }
    return escape.count == (isHighSurrogate(unit) ? 12 : 6)
  }

  /// Returns the text between a string's quotes, with each escape replaced by its character.
  ///
  /// An invalid escape stands for the character after the backslash, and an invalid `\uXXXX` for
  /// U+FFFD.
  package static func unescaped(_ body: [UInt8]) -> String {
    guard body.contains(UInt8(ascii: "\\")) else { return String(decoding: body, as: UTF8.self) }
    var units: [UInt16] = []
    var rest = String(decoding: body, as: UTF8.self).utf16[...]
    while let unit = rest.popFirst() {
      guard unit == 0x5C, let letter = rest.popFirst() else {
        units.append(unit)
        continue
      }
      if letter == 0x75 {
        let digits = String(decoding: rest.prefix(4), as: UTF16.self)
        rest = rest.dropFirst(4)
        units.append(UInt16(digits, radix: 16) ?? 0xFFFD)
      } else {
        units.append(UInt8(exactly: letter).flatMap(character).map { UInt16($0) } ?? letter)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }
}
