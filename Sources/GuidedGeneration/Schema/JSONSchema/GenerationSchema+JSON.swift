import StructuredText

extension GenerationSchema {
  /// Reads a schema in Apple's dialect or in plain JSON Schema.
  ///
  /// `KeywordTable` lists for each keyword whether the reader enforces it, treats it as an
  /// annotation, or refuses the schema. The error for a refused schema names the keyword's path.
  /// Definitions are in order of first use. Unused definitions come last, or are dropped if the
  /// reader has to create types that the document doesn't define.
  ///
  /// - Parameters:
  ///   - json: The document.
  ///   - options: The options for reading the document.
  /// - Throws: An error that names the first place that can't be enforced, or the limit that the
  ///   document exceeds.
  package init(
    json: JSONValue, options: SchemaReadOptions = SchemaReadOptions()
  ) throws(SchemaReadError) {
    var reader = SchemaReader(json, options: options)
    self = try reader.schema(json)
  }

  /// Returns the reasons why the reader leaves out parts of a document, in the order in which it
  /// finds them: no value meets these parts, although values meet the whole document.
  ///
  /// The result is empty if the document can't be read. What stands in a `not` or an `if` is not
  /// left out, so it is not in the result.
  package static func impossibleParts(of json: JSONValue) -> [SchemaReadError] {
    var reader = SchemaReader(json)
    guard (try? reader.schema(json)) != nil else { return [] }
    var paths: Set<String> = []
    return reader.contradictions.filter { error in
      !SchemaPointer.keywords(of: error.path).contains { ["not", "if"].contains($0) }
        && paths.insert(error.path).inserted
    }
  }

  /// The schema in Apple's dialect.
  ///
  /// Properties are in declared order, keywords in alphabetical order, and definitions in order of
  /// first use, so the same schema always gives the same text.
  package var json: JSONValue { SchemaWriter().json(of: self) }

  /// The schema by which answers are judged, or `nil` if it accepts the same values as `json`.
  ///
  /// `json` is the schema of the values that the model may generate. A document may accept more
  /// values: undeclared properties. In plain JSON Schema, it also accepts fewer, because a null
  /// doesn't stand for an absent property there.
  package var judgedJSON: JSONValue? {
    var open = [root] + definitions.map(\.node)
    while let node = open.popLast() {
      if case .object(let object) = node {
        if object.accepted != nil { return SchemaWriter.judgedJSON(of: self) }
        if dialect == .jsonSchema, object.properties.contains(where: \.isOptional) {
          return SchemaWriter.judgedJSON(of: self)
        }
      }
      open += node.children
    }
    return nil
  }
}

extension GenerationSchema: CustomDebugStringConvertible {
  /// The schema as JSON text in Apple's dialect of JSON Schema, as in Apple's framework.
  public var debugDescription: String { JSONTextWriter.text(of: json, style: .spaced) }
}

extension GenerationSchema: Codable {
  /// Reads the schema from a document in Apple's dialect or in plain JSON Schema.
  ///
  /// Apple's framework reads only its own dialect.
  ///
  /// `x-order` determines the order of the properties. Without `x-order`, the properties have the
  /// order of the keys if the decoder keeps that order.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: `DecodingError.dataCorrupted` if the schema can't be enforced. The error's
  ///   description names the place and what is allowed there. The decoder may throw other errors.
  public init(from decoder: any Decoder) throws {
    let value = try JSONValue(from: decoder)
    do throws(SchemaReadError) {
      try self.init(json: value)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath, debugDescription: error.description,
          underlyingError: error))
    }
  }

  /// Writes the schema as JSON Schema in Apple's dialect.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: The encoder's error.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
