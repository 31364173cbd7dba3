import StructuredText

/// A draft of JSON Schema from before 2019 that a document's `$schema` names.
///
/// In such a document, a keyword from a later draft is unknown, so it counts as an annotation.
package struct SchemaDraft: Sendable {
  /// The number of the draft.
  package let number: Int
  /// The keywords of later drafts that would constrain values.
  package let newerKeywords: Set<String>

  /// The keywords that constrain values, listed under the draft that introduced them.
  ///
  /// Drafts from 2019 on count as number 8.
  private static let introduced: [(number: Int, keywords: [String])] = [
    (4, ["allOf", "anyOf", "oneOf", "not", "multipleOf", "minProperties", "maxProperties"]),
    (6, ["const", "contains", "propertyNames"]),
    (7, ["if", "then", "else"]),
    (
      8,
      [
        "dependentRequired", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems",
        "prefixItems", "minContains", "maxContains",
      ]
    ),
  ]

  /// Creates the draft that a document names, or returns `nil` if the document names no draft or
  /// one from 2019 or later.
  package init?(of document: JSONValue) {
    guard let name = document["$schema"]?.string,
      let number = [3, 4, 6, 7].first(where: { name.contains("draft-0\($0)") })
    else { return nil }
    self.number = number
    newerKeywords = Set(Self.introduced.filter { $0.number > number }.flatMap(\.keywords))
  }

  /// Returns whether a keyword of JSON Schema is newer than the draft.
  package func isOlder(than keyword: String) -> Bool { newerKeywords.contains(keyword) }
}
