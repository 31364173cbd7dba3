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
    warn about it, and also about a schema with keywords for one type but without `type`, and \
    about a part that no value
    meets. `assay schema --strict-keywords` refuses every unknown keyword, unless its name begins \
    with `x-`.

    A keyword for one type doesn't affect other types: `{"maxLength": 2}` limits strings, but \
    allows any number. But its
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

    Declared properties come first, in their order. No key is repeated. So the model can't write \
    an optional property once it
    has gone past its place. If a schema declares `a` and then `b`, and accepts other keys, the \
    model may go on to `"ab"` after
    `{"b":1,"a`, but not close the key. A model that prefers another order leaves such \
    properties out more often: give it that
    order with `x-order`.

    ## Which answers are valid

    Assay judges an answer from a server, a recording or a stub by the schema itself, so it may \
    have every key that the schema
    accepts. In Apple's dialect, `null` for an optional property means that it is absent. In \
    plain JSON Schema, such a `null` is
    valid only if the property's schema allows it.

    ## Schemas that apply together

    Assay intersects all keywords at one place (`enum` with `minLength`, `$ref` with the \
    keywords next to it) and the schemas in
    `allOf`. If this takes more than 20,000 steps, it refuses the document. From overlapping \
    schemas of a `oneOf`, it excludes the
    values that fit two of them; if no schema can describe the rest, it refuses the document, \
    and shows a value that fits both.

    If `$schema` names draft 7 or an earlier draft, Assay ignores keywords next to `$ref`. A \
    keyword that is newer than the draft
    is an annotation, for example `const` in draft 4, and `assay lint` reports it.

    If no value fits a part of the schema (`{"type": "object", "enum": ["x"]}`), Assay refuses \
    the document and names the part.
    If the part is optional, the model never generates it. If only the engine finds that nothing \
    fits, for example between
    `minimum: 8` and `maximum: 13` with `multipleOf: 7`, it refuses the schema before a run on a \
    local model begins.

    ## How deep values can be

    If a schema leaves a value open (`{}`, or the elements of an array without `items`), it can \
    be at most 16 levels deep. The
    mask forbids values of recursive types beyond 512 levels, because Assay can't read them. If \
    all values of a type are deeper,
    for example because it requires itself, Assay refuses the schema.

    """
}

extension KeywordTable.Row {
  fileprivate func isTreated(like other: Self) -> Bool {
    (treatment, types, note) == (other.treatment, other.types, other.note)
  }
}
