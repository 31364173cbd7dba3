extension StructuredTextError {
  /// Returns the error for a key that appears twice in one object.
  static func duplicateKey(
    _ key: String, at location: SourceLocation, first: SourceLocation
  ) -> StructuredTextError {
    StructuredTextError(
      at: location, "the key \(JSONWriter.quoted(key)) is already at \(first.line):\(first.column)",
      allowed: "each key may appear only once in an object")
  }

  /// Describes a character for readers: in backquotes, or by its code if it is invisible.
  static func quotedCharacter(_ text: String) -> String {
    guard let scalar = text.unicodeScalars.first else { return "the end of the text" }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator, .spaceSeparator:
      let code = String(scalar.value, radix: 16, uppercase: true)
      let padded = String(repeating: "0", count: max(0, 4 - code.count)) + code
      return "the character U+\(padded)"
    default:
      return "`\(scalar)`"
    }
  }

  /// Returns the error for a byte that is not valid UTF-8.
  static func invalidUTF8(
    in bytes: UnsafeBufferPointer<UInt8>, at offset: Int
  ) -> StructuredTextError {
    var counter = LocationCounter(bytes)
    return StructuredTextError(
      at: counter.location(of: offset), "this byte is not part of valid UTF-8",
      allowed: "the text must be UTF-8")
  }

  /// Describes the character at an offset for an error message.
  static func character(in bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> String {
    guard offset < bytes.count else { return "the end of the text" }
    let length = UTF8Check.sequenceLength(in: bytes, at: offset)
    let character = UnsafeBufferPointer(rebasing: bytes[offset..<offset + max(1, length)])
    return quotedCharacter(String(decoding: character, as: UTF8.self))
  }
}
