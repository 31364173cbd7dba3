import StructuredText

/// How a schema document is meant where Apple's framework and JSON Schema differ: whether `pattern`
/// is held against the whole string or searched for in it.
package enum SchemaDialect: String, Sendable, Hashable, CaseIterable {
  /// As Apple's framework writes schemas: a pattern matches the whole string.
  case apple
  /// As JSON Schema has it: a pattern matches some part of the string.
  case jsonSchema

  /// Detects the dialect of a document.
  ///
  /// A document that names its `$schema` is JSON Schema, unless some object in it has Apple's
  /// `x-order`; every other one is Apple's. A document never changes its meaning by a keyword that
  /// both dialects have.
  package init(of document: JSONValue) {
    let isJSONSchema = document["$schema"] != nil && !DocumentTraits.hasOrder(document)
    self = isJSONSchema ? .jsonSchema : .apple
  }
}

extension SchemaReadOptions {
  /// Creates the default options for a dialect.
  ///
  /// - Parameter dialect: The dialect; nil for the one that the document is detected to have.
  package init(dialect: SchemaDialect?) {
    self.init()
    searchesPatterns = dialect.map { $0 == .jsonSchema }
  }
}
