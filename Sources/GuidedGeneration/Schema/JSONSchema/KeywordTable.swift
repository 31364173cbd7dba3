/// The treatment of every JSON Schema keyword: the grammar enforces it, the reader treats it as an
/// annotation, or the reader refuses the schema.
///
/// The reader uses this table, and the documentation is generated from it, so the two always agree.
package enum KeywordTable {
  /// The effect of a keyword on the generated value.
  package enum Treatment: String, Hashable, Sendable {
    /// No generated value can violate the keyword.
    case enforced
    /// The keyword doesn't restrict values by default.
    case annotation
    /// The reader refuses a schema with this keyword, unless the keyword has no effect there.
    case refused
  }

  /// A row of the table, which describes one keyword.
  package struct Row: Hashable, Sendable {
    /// The keyword.
    package let keyword: String
    /// The treatment of the keyword.
    package let treatment: Treatment
    /// The types that the keyword affects, or an empty array if it isn't limited to certain types.
    package let types: [String]
    /// How the reader interprets the keyword, why it refuses the schema, or what to use instead.
    package let note: String
  }

  /// Returns the row of a keyword, or `nil` if the keyword is unknown.
  package static func row(of keyword: String) -> Row? { byKeyword[keyword] }

  /// The rows of all keywords, in the order of the documentation.
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
    row("enum", .enforced, "values of any type; values of different types become a union"),
    row("const", .enforced, "a value of any type"),
    row("nullable", .enforced, "`true` adds null to `type`"),
    row("properties", .enforced, ["object"], "the members, generated in the order of `x-order`"),
    row(
      "required", .enforced, ["object"],
      "the required properties; a name that is not in `properties` becomes a property"),
    row(
      "additionalProperties", .enforced, ["object"],
      "the model may add keys if this is a schema, or `true` without `properties`"),
    row("patternProperties", .enforced, ["object"], "the model may add keys that match"),
    row("propertyNames", .enforced, ["object"], "one string schema that every key must match"),
    row("minProperties", .enforced, ["object"], "the minimum number of properties"),
    row("maxProperties", .enforced, ["object"], "the maximum number of properties"),
    row(
      "unevaluatedProperties", .enforced, ["object"],
      "the schema of the properties that no other schema at the same place covers"),
    row(
      "dependentRequired", .enforced, ["object"],
      "as a choice between objects with and without the property"),
    row(
      "dependentSchemas", .enforced, ["object"],
      "as a choice between objects with and without the property"),
    row("dependencies", .enforced, ["object"], "as `dependentRequired` or `dependentSchemas`"),
    row(
      "x-order", .enforced, ["object"],
      "the order of the properties; the document's order by default"),
    row("items", .enforced, ["array"], "the schema of every element; a list means `prefixItems`"),
    row("prefixItems", .enforced, ["array"], "the schemas of the first elements"),
    row(
      "additionalItems", .enforced, ["array"],
      "the schema of the elements after a list of `items`"),
    row(
      "unevaluatedItems", .enforced, ["array"],
      "the schema of the elements after `prefixItems`; next to other schemas, only `true` is "
        + "allowed"),
    row("minItems", .enforced, ["array"], "the minimum number of elements"),
    row("maxItems", .enforced, ["array"], "the maximum number of elements"),
    row(
      "uniqueItems", .enforced, ["array"],
      "if `items` allows at most \(DistinctValues.limit) values; otherwise refused"),
    row("minLength", .enforced, ["string"], "the minimum number of Unicode scalars"),
    row("maxLength", .enforced, ["string"], "the maximum number of Unicode scalars"),
    row(
      "pattern", .enforced, ["string"],
      "must match the whole string; in the dialect `jsonSchema`, any part of it"),
    row("minimum", .enforced, ["integer", "number"], "inclusive"),
    row("maximum", .enforced, ["integer", "number"], "inclusive"),
    row(
      "exclusiveMinimum", .enforced, ["integer", "number"], "a number, or a Boolean as in draft 4"),
    row(
      "exclusiveMaximum", .enforced, ["integer", "number"], "a number, or a Boolean as in draft 4"),
    row("multipleOf", .enforced, ["integer", "number"], "a number above 0"),
    row("anyOf", .enforced, "one of the schemas"),
    row(
      "oneOf", .enforced,
      "like `anyOf`, but excludes values that fit two of the schemas; refused if they can't be "
        + "excluded"
    ),
    row("allOf", .enforced, "all of the schemas, which Assay intersects"),
    row("not", .enforced, "if a schema can describe the remaining values; otherwise refused"),
    row(
      "if", .enforced, "if a schema can describe the values that don't fit it; otherwise refused"),
    row("then", .enforced, "the schema of values that fit `if`"),
    row("else", .enforced, "the schema of values that don't fit `if`"),
    row("$ref", .enforced, "`#`, a pointer to any place in the document, or an anchor"),
    row("$defs", .enforced, "the named schemas"),
    row("definitions", .enforced, "as `$defs`"),
  ]

  private static let annotations: [Row] =
    [
      row("title", .annotation, "the name of an object, a union or a string enum"),
      row("description", .annotation, "shown to the model"),
      row(
        "format", .annotation, ["string"],
        "enforced on request (`x-format-assertion` at the root, or `assay schema --formats`): "
          + StringFormats.names.joined(separator: ", ")),
      row("default", .annotation, "not used: the model always chooses"),
      row("discriminator", .annotation, "implied by the constants of the choices"),
      row("x-format-assertion", .annotation, "`true` at the root enforces `format`"),
    ]
    + [
      "$anchor", "$comment", "$id", "$schema", "$vocabulary", "contentEncoding",
      "contentMediaType", "contentSchema", "deprecated", "example", "examples", "id", "readOnly",
      "strict", "writeOnly",
    ].map { row($0, .annotation, "ignored") }

  private static let refused: [Row] = [
    row("contains", .refused, "the grammar can't relate an element to the others"),
    row("minContains", .refused, "the grammar can't relate an element to the others"),
    row("maxContains", .refused, "the grammar can't relate an element to the others"),
    row("$dynamicRef", .refused, "use `$ref`"),
    row("$dynamicAnchor", .refused, "use `$defs`"),
    row("$recursiveRef", .refused, "use `$ref`"),
    row("$recursiveAnchor", .refused, "use `$defs`"),
    row("extends", .refused, "use `allOf`"),
    row("disallow", .refused, "use `not`"),
    row("divisibleBy", .refused, "use `multipleOf`"),
  ]

  private static func row(_ keyword: String, _ treatment: Treatment, _ note: String) -> Row {
    row(keyword, treatment, [], note)
  }
}
