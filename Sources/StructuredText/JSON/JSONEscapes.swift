/// The escapes of JSON strings.
package enum JSONEscapes {
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
      switch UInt8(truncatingIfNeeded: letter) {
      case UInt8(ascii: "b"): units.append(0x08)
      case UInt8(ascii: "t"): units.append(0x09)
      case UInt8(ascii: "n"): units.append(0x0A)
      case UInt8(ascii: "f"): units.append(0x0C)
      case UInt8(ascii: "r"): units.append(0x0D)
      case UInt8(ascii: "u"):
        let digits = String(decoding: rest.prefix(4), as: UTF16.self)
        rest = rest.dropFirst(4)
        units.append(UInt16(digits, radix: 16) ?? 0xFFFD)
      default: units.append(letter)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }
}
