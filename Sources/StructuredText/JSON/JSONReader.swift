/// Reads JSON (RFC 8259) and records the position of every value.
///
/// The RFC doesn't forbid duplicate keys or lone surrogates, but the reader rejects both. It keeps
/// numbers as they are written. It limits nesting to ``depthLimit`` levels, so that hostile input
/// causes an error instead of a stack overflow.
public enum JSONReader {
  /// Extensions of JSON that the reader accepts.
  public struct Options: OptionSet, Sendable, Hashable {
    /// One bit for each extension.
    public let rawValue: Int

    /// Creates a set of extensions from their bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Allows `// …`, `/* … */`, and a comma after the last element or member.
    public static let commentsAndTrailingCommas = Options(rawValue: 1)
    /// Rejects a byte order mark, which isn't part of JSON.
    static let noByteOrderMark = Options(rawValue: 2)
  }

  /// The maximum nesting depth of arrays and objects.
  public static let depthLimit = 512

  /// Reads a value from JSON text.
  ///
  /// - Parameters:
  ///   - text: The text of one JSON value; a leading byte order mark is skipped.
  ///   - options: The extensions of JSON to accept.
  /// - Returns: The value with the positions of its parts.
  /// - Throws: The first error, with its position.
  public static func read(
    _ text: String, options: Options = []
  ) throws(StructuredTextError) -> SourceNode {
    try parse(Array(text.utf8), options, SourceNodeBuilder.self, checked: true)
  }

  /// Reads a value from the bytes of JSON text.
  ///
  /// - Parameters:
  ///   - bytes: One JSON value in UTF-8; a leading byte order mark is skipped.
  ///   - options: The extensions of JSON to accept.
  /// - Returns: The value with the positions of its parts.
  /// - Throws: The first error, with its position. Invalid UTF-8 is an error.
  public static func read(
    _ bytes: [UInt8], options: Options = []
  ) throws(StructuredTextError) -> SourceNode {
    try parse(bytes, options, SourceNodeBuilder.self, checked: false)
  }

  /// Reads a value without positions, which is faster.
  ///
  /// - Parameters:
  ///   - bytes: One JSON value in UTF-8; a leading byte order mark is skipped.
  ///   - options: The extensions of JSON to accept.
  /// - Returns: The value.
  /// - Throws: The first error, with its position.
  public static func readValue(
    _ bytes: [UInt8], options: Options = []
  ) throws(StructuredTextError) -> JSONValue {
    try parse(bytes, options, JSONValueBuilder.self, checked: false)
  }

  static func parse<Builder: JSONTreeBuilder>(
    _ bytes: [UInt8], _ options: Options, _ builder: Builder.Type, checked: Bool
  ) throws(StructuredTextError) -> Builder.Node {
    try bytes.withUnsafeBufferPointer { (buffer) throws(StructuredTextError) -> Builder.Node in
      if !checked, let offset = UTF8Check.firstInvalidOffset(in: buffer) {
        throw StructuredTextError.invalidUTF8(in: buffer, at: offset)
      }
      var parser = JSONParser<Builder>(buffer, options)
      return try parser.document()
    }
  }
}

extension JSONValue {
  /// Creates a value from JSON text.
  ///
  /// - Parameter text: The text of one JSON value.
  /// - Throws: The first error, with its position.
  public init(parsing text: String) throws(StructuredTextError) {
    self = try JSONReader.parse(Array(text.utf8), [], JSONValueBuilder.self, checked: true)
  }

  /// Creates a value from a model's answer, in which nothing but white space may stand around the
  /// JSON, not even a byte order mark.
  ///
  /// - Parameter text: The answer.
  /// - Throws: The first error, with its position.
  package init(parsingAnswer text: String) throws(StructuredTextError) {
    self = try JSONReader.parse(
      Array(text.utf8), .noByteOrderMark, JSONValueBuilder.self, checked: true)
  }
}
