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
    row("type", .enforced, "the allowed type, or a list of allowed types"),
    row("enum", .enforced, "the allowed values; if their types differ, Assay builds a union"),
    row("const", .enforced, "the only allowed value"),
    row("nullable", .enforced, "`true` allows null in addition to `type`"),
    row(
      "properties", .enforced, ["object"],
      "the declared properties; the model writes them in the order of `x-order`"),
    row(
      "required", .enforced, ["object"],
      "the names of the properties that must be present; `properties` needn't declare them"),
    row(
      "additionalProperties", .enforced, ["object"],
      "a schema: the model may add keys; `false`: it may not; `true`: it may in some objects, such "
        + "as those that declare no keys"),
    row(
      "patternProperties", .enforced, ["object"],
      "the schemas of keys that match a pattern; the model may add such keys"),
    row(
      "propertyNames", .enforced, ["object"],
      "a schema that every key must match; refused if it is a union that Assay can't turn into a "
        + "single string schema"),
    row("minProperties", .enforced, ["object"], "the minimum number of properties"),
    row("maxProperties", .enforced, ["object"], "the maximum number of properties"),
    row(
      "unevaluatedProperties", .enforced, ["object"],
      "the schema of properties that are declared neither here nor in the schemas that apply at "
        + "the same place, such as those of `allOf`"),
    row(
      "dependentRequired", .enforced, ["object"],
      "the properties that are required if a certain property is present; Assay builds a union of "
        + "objects with and without that property"),
    row(
      "dependentSchemas", .enforced, ["object"],
      "the schema that the object must fit if a certain property is present; Assay builds a union "
        + "of objects with and without that property"),
    row(
      "dependencies", .enforced, ["object"],
      "the older form: a list works like `dependentRequired`, a schema like `dependentSchemas`"),
    row(
      "x-order", .enforced, ["object"],
      "the order of the properties; by default, their order in the document"),
    row(
      "items", .enforced, ["array"],
      "the schema of the elements, except those in `prefixItems`; a list of schemas works like "
        + "`prefixItems`"),
    row("prefixItems", .enforced, ["array"], "a list with the schemas of the first elements"),
    row(
      "additionalItems", .enforced, ["array"],
      "if `items` is a list: the schema of the elements after those in the list"),
    row(
      "unevaluatedItems", .enforced, ["array"],
      "the schema of the elements after `prefixItems`; only `true` is allowed together with "
        + "`$ref`, `allOf`, `anyOf`, `oneOf` or `if`"),
    row("minItems", .enforced, ["array"], "the minimum number of elements"),
    row("maxItems", .enforced, ["array"], "the maximum number of elements"),
    row(
      "uniqueItems", .enforced, ["array"],
      "`true` forbids equal elements; refused if `items` allows more than "
        + "\(DistinctValues.limit) values"),
    row("minLength", .enforced, ["string"], "the minimum number of Unicode scalars"),
    row("maxLength", .enforced, ["string"], "the maximum number of Unicode scalars"),
    row(
      "pattern", .enforced, ["string"],
      "in Apple's dialect, the pattern must match the whole string; in plain JSON Schema, it may "
        + "match any part of the string; refused if Assay can't compile it"),
    row("minimum", .enforced, ["integer", "number"], "the smallest allowed number"),
    row("maximum", .enforced, ["integer", "number"], "the largest allowed number"),
    row(
      "exclusiveMinimum", .enforced, ["integer", "number"],
      "the value must be larger than this number; in the form of draft 4, `true` excludes "
        + "`minimum` itself"),
    row(
      "exclusiveMaximum", .enforced, ["integer", "number"],
      "the value must be smaller than this number; in the form of draft 4, `true` excludes "
        + "`maximum` itself"),
    row(
      "multipleOf", .enforced, ["integer", "number"],
      "the value must be a multiple of this number, which is above 0"),
    row("anyOf", .enforced, "the value must fit at least one of the schemas"),
    row(
      "oneOf", .enforced,
      "the value must fit exactly one of the schemas; refused if Assay can't exclude the values "
        + "that fit two"),
    row("allOf", .enforced, "the value must fit all of the schemas; Assay intersects them"),
    row(
      "not", .enforced,
      "the value must not fit this schema; refused if no schema can describe the remaining values"),
    row(
      "if", .enforced,
      "the condition for `then` and `else`; refused if no schema can describe the values that "
        + "don't meet the condition"),
    row("then", .enforced, "the schema of values that fit `if`"),
    row("else", .enforced, "the schema of values that don't fit `if`"),
    row(
      "$ref", .enforced,
      "a reference to the whole document (`#`), to any place in it (a pointer), or to an anchor"),
    row("$defs", .enforced, "named schemas, to which `$ref` can refer"),
    row("definitions", .enforced, "the older name of `$defs`"),
    row("$anchor", .enforced, "a name for this place, to which `$ref` can refer"),
    row("$id", .enforced, "the address of the document, with which a `$ref` can begin"),
    row("id", .enforced, "the older name of `$id`"),
  ]

  private static let annotations: [Row] =
    [
      row("title", .annotation, "the name of an object, a union or a string enum"),
      row("description", .annotation, "shown to the model"),
      row(
        "format", .annotation, ["string"],
        "enforced only on request, with `x-format-assertion` at the root or `assay schema "
          + "--formats`; these formats are possible: "
          + StringFormats.names.joined(separator: ", ")),
      row(
        "$schema", .annotation, "names the draft; a document without it counts as Apple's dialect"),
      row("default", .annotation, "ignored: the model always chooses a value"),
      row("discriminator", .annotation, "ignored: `const` already tells the alternatives apart"),
      row("x-format-assertion", .annotation, "`true` at the root enforces `format`"),
    ]
    + [
      "$comment", "$vocabulary", "contentEncoding", "contentMediaType", "contentSchema",
      "deprecated", "example", "examples", "readOnly", "strict", "writeOnly",
    ].map { row($0, .annotation, "ignored") }

  private static let refused: [Row] = [
    row("contains", .refused, "a grammar can't count the elements that fit a schema"),
    row("minContains", .refused, "a grammar can't count the elements that fit a schema"),
    row("maxContains", .refused, "a grammar can't count the elements that fit a schema"),
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
