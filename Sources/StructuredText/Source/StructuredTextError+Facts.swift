extension StructuredTextError {
  /// The error of a key that was written twice in one object.
  static func duplicateKey(
    _ key: String, at location: SourceLocation, first: SourceLocation
  ) -> StructuredTextError {
    StructuredTextError(
      at: location, "the key \(JSONWriter.quoted(key)) is already at \(first.line):\(first.column)",
      allowed: "every key of an object stands there once")
  }

  /// A character for people: itself in backquotes, or its code where it can't be seen.
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
}
