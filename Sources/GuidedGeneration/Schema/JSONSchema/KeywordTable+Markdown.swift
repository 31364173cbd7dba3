extension KeywordTable {
  /// The table as a page of documentation.
  package static var markdown: String {
    var lines = [
      "# JSON Schema keywords",
      "",
      "Schema files may be in Apple's dialect or in plain JSON Schema, as in OpenAI's "
        + "structured outputs,",
      "Anthropic's tools and Pydantic. The table shows the treatment of each keyword: the grammar "
        + "enforces it,",
      "Assay treats it as an annotation, or Assay refuses the schema and names the keyword's path. "
        + "Unknown keywords",
      "are annotations, as the specification requires; `assay lint` warns if one looks like a "
        + "misspelled keyword,",
      "and `assay schema --strict-keywords` refuses it. A keyword for one type doesn't affect "
        + "other types:",
      "`{\"maxLength\": 2}` allows numbers.",
      "",
      "| Keyword | Treatment | Types | Details |",
      "|---|---|---|---|",
    ]
    for row in rows {
      let types = row.types.isEmpty ? "any" : row.types.joined(separator: ", ")
      let note = row.note.replacing("|", with: "\\|")
      lines.append("| `\(row.keyword)` | \(row.treatment.rawValue) | \(types) | \(note) |")
    }
    return lines.joined(separator: "\n") + "\n" + limits
  }

  private static let limits = """

    ## Which keys the model may choose

    A schema usually accepts more keys than it declares. The model may choose from

    - the declared properties, and those that `required` lists;
    - keys that match `patternProperties`, and any other key if `additionalProperties` is a schema (`{}` is one);
    - any key if the object declares none, or if `minProperties` is larger than the number of \
    declared properties;
    - with `assay schema --extra-keys`, any key that the schema accepts.

    Declared properties come first, in their order. No key is repeated.

    ## Schemas that apply together

    All keywords at one place apply together, for example `allOf`, `$ref` next to other keywords, \
    `anyOf` next to
    `properties`, or `enum` next to `minLength`. Assay intersects their schemas, in at most 20,000 \
    steps per
    document. If two schemas of a `oneOf` overlap, the model may not choose a value that fits \
    both. If no schema can
    describe the remaining values, Assay refuses the document, and the error shows a value that \
    fits both schemas.
    If `$schema` names draft 7 or an earlier draft, Assay ignores keywords next to `$ref`. A \
    keyword that is newer
    than the draft in `$schema` (`const` in draft 4) is an annotation, and `assay lint` reports it.

    If no value fits a part of the schema (`{"type": "object", "enum": ["x"]}`), Assay refuses the \
    document and
    names the part. But if the part is optional, Assay accepts the document, and the model never \
    generates the part.

    ## What a schema can't guarantee

    A schema without `type` (`{}`, or an array without `items`) allows any value up to 16 levels deep.

    Values are nested at most 512 levels deep, because deeper values can't be read back. So a type \
    that contains
    itself allows only values up to this depth, and Assay refuses a type if all its values are \
    deeper.

    """
}
