/// An encoding of text in which servers send bodies.
enum BodyEncoding: Equatable {
  case utf8
  case utf16(isBigEndian: Bool)
  case latin1
  case windows1252

  /// Finds an encoding by the name in a content type.
  ///
  /// - Parameter charset: The name in lower case, or `nil` if the content type names none.
  /// - Returns: `nil` if the encoding is unknown.
  init?(charset: String?) {
    switch charset {
    case nil, "utf-8", "utf8", "us-ascii", "ascii": self = .utf8
    case "iso-8859-1", "iso8859-1", "latin1": self = .latin1
    case "windows-1252", "cp1252": self = .windows1252
    case "utf-16", "utf-16be": self = .utf16(isBigEndian: true)
    case "utf-16le": self = .utf16(isBigEndian: false)
    default: return nil
    }
  }

  /// Returns the text that the bytes encode, or `nil` if they are invalid.
  func text(_ bytes: ArraySlice<UInt8>) -> String? {
    switch self {
    case .utf8: return String(validating: bytes, as: UTF8.self)
    case .latin1: return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    case .windows1252:
      var scalars = String.UnicodeScalarView()
      for byte in bytes {
        guard let scalar = Self.windows1252Scalar(byte) else { return nil }
        scalars.append(scalar)
      }
      return String(scalars)
    case .utf16(let isBigEndian):
      guard bytes.count.isMultiple(of: 2) else { return nil }
      let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index in
        let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        return isBigEndian ? first << 8 | second : second << 8 | first
      }
      return String(validating: units, as: UTF16.self)
    }
  }

  /// The characters of the bytes 0x80 to 0x9F in Windows-1252; a dot is a byte without character.
  private static let upperControls: [Unicode.Scalar] = Array(
    "€·‚ƒ„…†‡ˆ‰Š‹Œ·Ž··‘’“”•–—˜™š›œ·žŸ".unicodeScalars)

  private static func windows1252Scalar(_ byte: UInt8) -> Unicode.Scalar? {
    guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
    let scalar = upperControls[Int(byte) - 0x80]
    return scalar == "·" ? nil : scalar
  }
}
