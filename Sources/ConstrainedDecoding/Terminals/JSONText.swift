/// Writes keys and constants in the only spelling that the grammar allows, and reads strings with
/// escapes.
enum JSONText {
  /// Returns a string in quotes, escaping only characters that need an escape, in the short form if
  /// there is one.
  static func quoted(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    bytes.reserveCapacity(text.utf8.count + 2)
    for byte in text.utf8 { append(byte, to: &bytes) }
    bytes.append(UInt8(ascii: "\""))
    return bytes
  }

  private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    if let letter = shortEscape(of: byte) {
      bytes += [UInt8(ascii: "\\"), letter]
    } else if byte < 0x20 {
      let digits = Array("0123456789abcdef".utf8)
      bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    } else {
      bytes.append(byte)
    }
  }

  /// Returns the second byte of the short escape of `byte`, or nil if `byte` has none.
  static func shortEscape(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "\""): byte
    case UInt8(ascii: "\\"): byte
    case 0x08: UInt8(ascii: "b")
    case 0x09: UInt8(ascii: "t")
    case 0x0A: UInt8(ascii: "n")
    case 0x0C: UInt8(ascii: "f")
    case 0x0D: UInt8(ascii: "r")
    default: nil
    }
  }
}
