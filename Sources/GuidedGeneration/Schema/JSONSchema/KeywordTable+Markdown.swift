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

    `allOf`, `$ref` next to other keywords, `anyOf` next to `properties`, `enum` next to \
    `minLength`: all keywords
    at one place apply. Assay intersects the schemas, in at most 20,000 steps per document. If two
    schemas of a `oneOf` overlap, the model may not choose a value that fits both. If no schema \
    describes the
    other values, Assay refuses the document, and the error shows a value that fits both schemas. \
    Up to draft 7
    (as `$schema` says), keywords next to `$ref` are ignored. A keyword that is newer than that \
    draft (`const` in
    draft 4) is an annotation, and `assay lint` reports it.

    If no value fits a part (`{"type": "object", "enum": ["x"]}`) and the part is optional, it is \
    never generated. If
    the part is required, Assay refuses the document and names the part.

    ## What a schema can't guarantee

    A schema without `type` (`{}`, or an array without `items`) allows any value up to 16 levels deep.

    Values are nested at most 512 levels deep, because deeper values can't be read back. If a type \
    contains
    itself, deeper values are not allowed. Assay refuses a type if all its values are deeper.

    """
}
