extension KeywordTable {
  /// The table as a page of documentation.
  package static var markdown: String {
    var lines = ["| Keyword | Treatment | Types | Details |", "|---|---|---|---|"]
    // Neighbors that differ only in their names share a line.
    var names: [String] = []
    for (index, row) in rows.enumerated() {
      names.append("`\(row.keyword)`")
      if index + 1 < rows.count, rows[index + 1].isTreated(like: row) { continue }
      let types = row.types.isEmpty ? "any" : row.types.joined(separator: ", ")
      let note = row.note.replacing("|", with: "\\|")
      lines.append(
        "| \(names.joined(separator: ", ")) | \(row.treatment.rawValue) | \(types) | \(note) |")
      names = []
    }
    return introduction + lines.joined(separator: "\n") + "\n" + limits
  }

  private static let introduction = """
    # JSON Schema keywords

    A schema file may be in Apple's dialect or in plain JSON Schema, as in OpenAI's structured \
    outputs, Anthropic's
    tools and Pydantic. A document with `$schema` and without `x-order` counts as plain JSON \
    Schema. Every other document
    counts as Apple's dialect. The key [`dialect`](suite-format.md#generates) of a suite and \
    the option `--dialect` of
    `assay schema` override this.

    Assay treats each keyword in one of three ways:

    - *enforced*: no answer can violate the keyword.
    - *annotation*: the keyword doesn't restrict the answer.
    - *refused*: Assay doesn't accept the schema. The error names the place of the keyword.

    Unknown keywords are annotations. If one looks like a misspelled keyword, `assay run`, `assay \
    list` and `assay lint`
    warn about it, and also about a schema with keywords for one type but without `type`, and about \
    a part that no value
    meets. `assay schema --strict-keywords` refuses every unknown keyword, unless its name begins \
    with `x-`.

    A keyword for one type doesn't affect other types: `{"maxLength": 2}` limits strings, but allows \
    any number. But its
    value must have the right form everywhere: `{"type": "string", "minItems": -1}` is an error.


    """

  private static let limits = """

    ## Which keys the model may choose

    Of the keys that a schema accepts without declaring them, Assay offers the model only some. It \
    may choose

    - the declared properties, and the names in `required`;
    - keys that match `patternProperties`;
    - keys that match `propertyNames`, unless `additionalProperties` is `false`;
    - any other key, if `additionalProperties` is a schema (`{}` is one, `true` isn't);
    - any key that the schema accepts, if the object declares none, or if `minProperties` is \
    larger than the number of
      declared properties;
    - any key that the schema accepts, with `assay schema --extra-keys`.

    Declared properties come first, in their order. No key is repeated.

    ## Which answers are valid

    Assay judges an answer from a server, a recording or a stub by the schema itself. So the \
    answer may have every key that
    the schema accepts, even one that the model may not choose. For example, if the schema doesn't \
    set
    `additionalProperties`, the answer may have any other key.

    In Apple's dialect, `null` for an optional property means that the property is absent, because \
    Swift's `nil` can be
    written in both ways. In plain JSON Schema, such a `null` is valid only if the property's \
    schema allows it.

    ## Schemas that apply together

    All keywords at one place apply together, for example `enum` with `minLength`, or `$ref` with \
    the keywords next to it.
    So do the schemas in `allOf`. Assay intersects them. If this takes more than 20,000 steps, \
    Assay refuses the document.

    If two schemas of a `oneOf` overlap, Assay excludes the values that fit both. It considers \
    only values that the
    keywords next to `oneOf` allow, and other schemas in the same `allOf`. If no schema can \
    describe the remaining values,
    Assay refuses the document, and the error shows a value that fits both.

    If `$schema` names draft 7 or an earlier draft, Assay ignores keywords next to `$ref`. A \
    keyword that is newer than
    the draft is an annotation, for example `const` in draft 4, and `assay lint` reports it.

    If no value fits a part of the schema (`{"type": "object", "enum": ["x"]}`), Assay refuses the \
    document and names
    the part. But if the part is optional, Assay accepts the document, and the model never \
    generates the part.

    ## How deep values can be

    If a schema leaves a value open, the value can be at most 16 levels deep. This applies to \
    `{}`, and to the elements
    of an array without `items`.

    A value can be at most 512 levels deep, because Assay can't read deeper ones. If a type \
    contains itself, the mask
    forbids deeper values. If all values of a type are deeper, for example because the type \
    requires itself, Assay
    refuses the schema.

    """
}

extension KeywordTable.Row {
  fileprivate func isTreated(like other: Self) -> Bool {
    (treatment, types, note) == (other.treatment, other.types, other.note)
  }
}
