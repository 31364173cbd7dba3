/// Reads a documented subset of YAML 1.2 and records the position of every value.
///
/// The reader accepts: block and flow collections; plain, single-quoted, double-quoted, literal
/// (`|`) and folded (`>`) scalars with chomping and indentation indicators, over several lines if
/// YAML allows it; comments; one document, with or without `---` and `...` around it; anchors and
/// aliases within ``aliasLimit``. Plain scalars follow the core schema: `no` is a string, `010` is
/// ten, `0o10` is eight. Keys are scalars and keep their text: `1: x` has the key `"1"`.
///
/// The reader rejects the following with an error that gives the position: tags, directives, merge
/// keys, keys that are collections or aliases, `?`, tabs in indentation, infinities and NaN,
/// duplicate keys, and a second document. Inside brackets, indentation is free and tabs count as
/// spaces.
public enum YAMLReader {
  /// The maximum nesting depth of sequences and mappings.
  public static let depthLimit = 128

  /// The maximum number of values that all aliases of a document together may expand to.
  public static let aliasLimit = 100_000

  /// Reads a value from YAML text.
  ///
  /// - Parameter text: One document; an empty document is null.
  /// - Returns: The value with the positions of its parts.
  /// - Throws: The first error, with its position.
  public static func read(_ text: String) throws(StructuredTextError) -> SourceNode {
    try parse(Array(text.utf8))
  }

  /// Reads a value from the bytes of YAML text.
  ///
  /// - Parameter bytes: One document in UTF-8.
  /// - Returns: The value with the positions of its parts.
  /// - Throws: The first error, with its position. Invalid UTF-8 is an error.
  public static func read(_ bytes: [UInt8]) throws(StructuredTextError) -> SourceNode {
    let invalid = bytes.withUnsafeBufferPointer { buffer -> StructuredTextError? in
      UTF8Check.firstInvalidOffset(in: buffer).map { .invalidUTF8(in: buffer, at: $0) }
    }
    if let invalid { throw invalid }
    return try parse(bytes)
  }

  /// Returns the values in a text that YAML probably reads differently than its author.
  ///
  /// - Parameter text: A text that ``read(_:)-(String)`` accepts.
  package static func doubts(in text: String) -> YAMLDoubts {
    let bytes = Array(text.utf8)
    // Most texts have no such value, and needn't be parsed again.
    let mayHaveDoubts = bytes.indices.dropFirst().dropLast().contains {
      switch bytes[$0] {
      case UInt8(ascii: "#"):
        YAMLParser.isBlank(bytes[$0 - 1]) && !YAMLParser.isSpace(bytes[$0 + 1])
      case UInt8(ascii: "0"):
        !YAMLCoreSchema.isDigit(bytes[$0 - 1]) && YAMLCoreSchema.isDigit(bytes[$0 + 1])
      default: false
      }
    }
    guard mayHaveDoubts else { return YAMLDoubts() }
    return bytes.withUnsafeBufferPointer { buffer in
      var parser = YAMLParser(buffer)
      _ = try? parser.document()
      return parser.doubts
    }
  }

  private static func parse(_ bytes: [UInt8]) throws(StructuredTextError) -> SourceNode {
    try bytes.withUnsafeBufferPointer { (buffer) throws(StructuredTextError) -> SourceNode in
      var parser = YAMLParser(buffer)
      return try parser.document()
    }
  }
}

/// The values in a text that YAML probably reads differently than its author.
package struct YAMLDoubts: Sendable {
  /// The comments without a space after their `#` that cut off plain strings, as in `input: Shop
  /// #12`, keyed by the places of the strings.
  package var cuts: [SourceLocation: SourceLocation] = [:]
  /// The spellings of the numbers with leading zeros, as in `zip: 02134`, keyed by their places.
  package var paddedNumbers: [SourceLocation: String] = [:]

  /// Creates a value without doubts.
  package init() {}

  /// Whether there are no doubts.
  package var isEmpty: Bool { cuts.isEmpty && paddedNumbers.isEmpty }
}
