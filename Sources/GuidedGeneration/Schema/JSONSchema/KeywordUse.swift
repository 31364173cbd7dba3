import StructuredText

/// A keyword in a schema document, and its treatment.
package struct KeywordUse: Hashable, Sendable {
  /// The position of the keyword's schema in the document: `#/properties/cards`.
  package let place: String
  /// The keyword.
  package let keyword: String
  /// The treatment of the keyword; an unknown keyword counts as an annotation.
  package let treatment: KeywordTable.Treatment
  /// How the reader interprets the keyword, why it refuses the schema, or what to use instead.
  package let note: String

  /// Returns the keywords of a document in document order, including refused ones.
  ///
  /// - Parameters:
  ///   - document: A JSON Schema.
  ///   - limit: The maximum number of keywords.
  package static func uses(in document: JSONValue, limit: Int = 10_000) -> [KeywordUse] {
    var uses: [KeywordUse] = []
    let draft = SchemaDraft(of: document)
    var open: [(place: String, value: JSONValue)] = [("#", document)]
    while let (place, value) = open.popLast(), uses.count < limit {
      guard case .object(let object) = value else { continue }
      var inner: [(place: String, value: JSONValue)] = []
      for (keyword, value) in object {
        let row = KeywordTable.row(of: keyword)
        let newer = draft.flatMap { $0.isOlder(than: keyword) ? $0.number : nil }
        uses.append(
          KeywordUse(
            place: place, keyword: keyword,
            treatment: newer == nil ? row?.treatment ?? .annotation : .annotation,
            note: newer.map { "newer than draft \($0), so an annotation" } ?? row?.note
              ?? unknownNote(keyword)))
        inner += schemas(below: keyword, value, at: SchemaPointer.child(of: place, keyword))
      }
      open += inner.reversed()
    }
    return uses
  }

  private static func unknownNote(_ keyword: String) -> String {
    let meant = KeywordSpelling.meant(by: keyword)
    return "not a keyword, so an annotation" + (meant.map { "; did you mean `\($0)`?" } ?? "")
  }

  /// Returns the schemas inside the value of a keyword.
  private static func schemas(
    below keyword: String, _ value: JSONValue, at place: String
  ) -> [(place: String, value: JSONValue)] {
    switch (keyword, value) {
    case ("properties", .object(let members)), ("$defs", .object(let members)),
      ("definitions", .object(let members)), ("patternProperties", .object(let members)),
      ("dependentSchemas", .object(let members)):
      members.map { (SchemaPointer.child(of: place, $0.key), $0.value) }
    case ("anyOf", .array(let choices)), ("oneOf", .array(let choices)),
      ("allOf", .array(let choices)), ("prefixItems", .array(let choices)),
      ("items", .array(let choices)):
      choices.enumerated().map { ("\(place)/\($0.offset)", $0.element) }
    case ("items", .object), ("additionalProperties", .object), ("additionalItems", .object),
      ("propertyNames", .object), ("not", .object), ("if", .object), ("then", .object),
      ("else", .object), ("unevaluatedProperties", .object), ("unevaluatedItems", .object):
      [(place, value)]
    default: []
    }
  }
}
