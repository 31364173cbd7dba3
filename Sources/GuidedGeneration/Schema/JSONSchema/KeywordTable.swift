/// What becomes of every JSON Schema keyword: enforced, kept or dropped as an annotation, refused.
///
/// The reader decides by this table and the documentation is made from it, so that they agree.
package enum KeywordTable {
  /// What a keyword does to the generated value.
  package enum Treatment: String, Hashable, Sendable {
    /// No value that breaks it can be generated.
    case enforced
    /// It changes no value.
    case annotation
    /// A schema that has it is not accepted.
    case refused
  }

  /// One keyword.
  package struct Row: Hashable, Sendable {
    /// The keyword.
    package let keyword: String
    /// What becomes of it.
    package let treatment: Treatment
    /// The types that it belongs to; empty where it stands in any schema.
    package let types: [String]
    /// How it is understood, or why it is refused.
    package let note: String
  }

  /// The row of a keyword, nil for an unknown one.
  package static func row(of keyword: String) -> Row? { byKeyword[keyword] }

  /// Every keyword of the table, sorted as the documentation shows them.
  package static let rows: [Row] = enforced + annotations + refused

  private static let byKeyword = Dictionary(
    rows.map { ($0.keyword, $0) }, uniquingKeysWith: { first, _ in first })

  private static func row(
    _ keyword: String, _ treatment: Treatment, _ types: [String] = [], _ note: String
  ) -> Row {
    Row(keyword: keyword, treatment: treatment, types: types, note: note)
  }

  private static let enforced: [Row] = [
    row("type", .enforced, "one type, or a list of types, which is a union of them"),
    row("enum", .enforced, "strings, integers, numbers and null; one type per choice"),
    row("const", .enforced, "a string, an integer, a number or null"),
    row("properties", .enforced, ["object"], "the members, generated in the order of `x-order`"),
    row("required", .enforced, ["object"], "a property that is not named may be left out"),
    row(
      "additionalProperties", .enforced, ["object"],
      "never generated; `true` and `false` are the same, a schema is refused"),
    row(
      "unevaluatedProperties", .enforced, ["object"],
      "never generated; only `false` is accepted"),
    row("x-order", .enforced, ["object"], "the order of the properties; else the document's"),
    row("items", .enforced, ["array"], "the schema of every element"),
    row("minItems", .enforced, ["array"], "the least number of elements"),
    row("maxItems", .enforced, ["array"], "the greatest number of elements"),
    row("minLength", .enforced, ["string"], "the least number of Unicode scalars"),
    row("maxLength", .enforced, ["string"], "the greatest number of Unicode scalars"),
    row("pattern", .enforced, ["string"], "matches the whole string"),
    row("minimum", .enforced, ["integer", "number"], "inclusive"),
    row("maximum", .enforced, ["integer", "number"], "inclusive"),
    row("exclusiveMinimum", .enforced, ["integer"], "becomes the next integer"),
    row("exclusiveMaximum", .enforced, ["integer"], "becomes the integer before"),
    row("anyOf", .enforced, "one of the schemas"),
    row(
      "oneOf", .enforced,
      "as `anyOf`, where no value fits two of the schemas; refused elsewhere"),
    row("allOf", .enforced, "of exactly one schema, as Pydantic writes a described reference"),
    row("$ref", .enforced, "`#`, `#/$defs/NAME` or `#/definitions/NAME`"),
    row("$defs", .enforced, "the named schemas; only at the root"),
    row("definitions", .enforced, "as `$defs`"),
  ]

  private static let annotations: [Row] =
    [
      row("title", .annotation, "the name of an object, a union or a string enum"),
      row("description", .annotation, "what the model is told"),
      row("format", .annotation, "as JSON Schema has it: an annotation, not an assertion"),
      row("default", .annotation, "not used: the model always chooses"),
      row("discriminator", .annotation, "implied by the constants of the choices"),
    ]
    + [
      "$anchor", "$comment", "$id", "$schema", "$vocabulary", "contentEncoding",
      "contentMediaType", "contentSchema", "deprecated", "example", "examples", "readOnly",
      "strict", "writeOnly",
    ].map { row($0, .annotation, "ignored") }

  private static let refused: [Row] = [
    row("not", .refused, "the complement of a schema is not a schema of ours"),
    row("if", .refused, "write the cases as `anyOf`"),
    row("then", .refused, "write the cases as `anyOf`"),
    row("else", .refused, "write the cases as `anyOf`"),
    row("dependentRequired", .refused, "write the cases as `anyOf`"),
    row("dependentSchemas", .refused, "write the cases as `anyOf`"),
    row("dependencies", .refused, "write the cases as `anyOf`"),
    row("nullable", .refused, "write `\"type\": [\"string\", \"null\"]`"),
    row("patternProperties", .refused, "only named properties can be generated"),
    row("propertyNames", .refused, "only named properties can be generated"),
    row("minProperties", .refused, "say which properties are required"),
    row("maxProperties", .refused, "say which properties there are"),
    row("prefixItems", .refused, "write an object with named properties"),
    row("additionalItems", .refused, "write an object with named properties"),
    row("contains", .refused, "elements cannot be constrained together"),
    row("minContains", .refused, "elements cannot be constrained together"),
    row("maxContains", .refused, "elements cannot be constrained together"),
    row("unevaluatedItems", .refused, "elements cannot be constrained together"),
    row("uniqueItems", .refused, "elements cannot be compared while they are generated"),
    row("multipleOf", .refused, "use an enum of the values"),
    row("$dynamicRef", .refused, "use `$ref`"),
    row("$dynamicAnchor", .refused, "use `$defs`"),
    row("$recursiveRef", .refused, "use `$ref`"),
    row("$recursiveAnchor", .refused, "use `$defs`"),
  ]

  private static func row(_ keyword: String, _ treatment: Treatment, _ note: String) -> Row {
    row(keyword, treatment, [], note)
  }
}
