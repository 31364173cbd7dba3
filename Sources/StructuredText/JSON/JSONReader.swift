/// Reads JSON (RFC 8259), with the place of every value.
///
/// Stricter than the RFC where it leaves a choice: duplicate keys and lone surrogates are errors.
/// Numbers are kept as they are written. Nesting is limited to ``depthLimit`` levels, so that
/// hostile input ends in an error, not in a stack overflow.
public enum JSONReader {
  /// What is read beyond JSON.
  public struct Options: OptionSet, Sendable, Hashable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// `// …`, `/* … */`, and a comma after the last element or member.
    public static let commentsAndTrailingCommas = Options(rawValue: 1)
  }

  /// The deepest nesting of arrays and objects that is read.
  public static let depthLimit = 512

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - text: The text of one JSON value; a byte order mark in front is skipped.
  ///   - options: What is read beyond JSON.
  /// - Returns: The value with the places of its parts.
  /// - Throws: The first error, with its place.
  public static func read(
    _ text: String, options: Options = []
  ) throws(StructuredTextError) -> SourceNode {
    try parse(Array(text.utf8), options, SourceNodeBuilder.self, checked: true)
  }

  /// Reads the bytes of a text.
  ///
  /// - Parameters:
  ///   - bytes: One JSON value in UTF-8; a byte order mark in front is skipped.
  ///   - options: What is read beyond JSON.
  /// - Returns: The value with the places of its parts.
  /// - Throws: The first error, with its place; bytes that are not UTF-8 are one.
  public static func read(
    _ bytes: [UInt8], options: Options = []
  ) throws(StructuredTextError) -> SourceNode {
    try parse(bytes, options, SourceNodeBuilder.self, checked: false)
  }

  /// Reads a value without places, which is faster.
  ///
  /// - Parameters:
  ///   - bytes: One JSON value in UTF-8; a byte order mark in front is skipped.
  ///   - options: What is read beyond JSON.
  /// - Returns: The value.
  /// - Throws: The first error, with its place.
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
  /// Reads a value from JSON.
  ///
  /// - Parameter text: The text of one JSON value.
  /// - Throws: The first error, with its place.
  public init(parsing text: String) throws(StructuredTextError) {
    self = try JSONReader.parse(Array(text.utf8), [], JSONValueBuilder.self, checked: true)
  }
}
