import StructuredText

/// The dialect of a schema document, which decides whether `pattern` must match the whole string or
/// may match any part of it.
package enum SchemaDialect: String, Sendable, Hashable, CaseIterable {
  /// The dialect of Apple's framework: a pattern must match the whole string.
  case apple
  /// Plain JSON Schema: a pattern may match any part of the string.
  case jsonSchema

  /// Creates the dialect in which a document is written.
  ///
  /// A document with `$schema` is plain JSON Schema, unless an object in it has Apple's `x-order`.
  /// Every other document is in Apple's dialect. Keywords that exist in both dialects don't count.
  package init(of document: JSONValue) {
    let isJSONSchema = document["$schema"] != nil && !DocumentTraits.hasOrder(document)
    self = isJSONSchema ? .jsonSchema : .apple
  }
}

extension SchemaReadOptions {
  /// Creates the default options for a dialect.
  ///
  /// - Parameter dialect: The dialect, or `nil` to detect it from the document.
  package init(dialect: SchemaDialect?) {
    self.init()
    searchesPatterns = dialect.map { $0 == .jsonSchema }
  }

  /// Returns the options for a schema by which answers are judged.
  ///
  /// - Parameter dialect: The dialect, or `nil` to detect it from the document.
  package static func judging(_ dialect: SchemaDialect? = nil) -> SchemaReadOptions {
    var options = SchemaReadOptions(dialect: dialect)
    options.compilesPatterns = true
    return options
  }
}
