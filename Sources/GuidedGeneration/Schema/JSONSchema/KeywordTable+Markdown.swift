extension KeywordTable {
  /// The table as a page of documentation.
  package static var markdown: String {
    var lines = [
      "# JSON Schema keywords",
      "",
      "Schema files may be in Apple's dialect or in plain JSON Schema, as OpenAI's structured outputs,",
      "Anthropic's tools and Pydantic write it. The grammar enforces a keyword, or it is an annotation, or",
      "the schema is refused with the keyword's path in the document. An unknown keyword is an annotation, as",
      "the specification has it; `assay lint` warns if it looks like a keyword, and",
      "`assay schema --strict-keywords` refuses it. A keyword of one type says nothing about other types:",
      "`{\"maxLength\": 2}` allows numbers.",
      "",
      "| Keyword | What becomes of it | Where | How |",
      "|---|---|---|---|",
    ]
    for row in rows {
      let types = row.types.isEmpty ? "anywhere" : row.types.joined(separator: ", ")
      let note = row.note.replacing("|", with: "\\|")
      lines.append("| `\(row.keyword)` | \(row.treatment.rawValue) | \(types) | \(note) |")
    }
    return lines.joined(separator: "\n") + "\n" + limits
  }

  private static let limits = """

    ## Which keys the model is offered

    A schema usually accepts more keys than it declares. The model is offered

    - the declared properties, and those that `required` names;
    - keys that match `patternProperties`, and any other key if `additionalProperties` is a schema (`{}` is one);
    - any key if the object declares nothing, or if `minProperties` asks for more than the declared properties;
    - with `assay schema --extra-keys`, any key that the schema accepts.

    Declared properties come first, in their order. No key comes twice.

    ## Schemas that hold together

    `allOf`, `$ref` beside other keywords, `anyOf` beside `properties`, `enum` beside `minLength`: all that stands
    at one place holds, so that the schemas are intersected, at most 20,000 steps for a document. Where two
    schemas of a `oneOf` overlap, each loses what the other one allows, if the rest is a schema; otherwise the
    document is refused, and the error shows a value that fits both. Up to draft 7 (as `$schema` says),
    keywords beside `$ref` are ignored.

    A part that no value meets (`{"type": "object", "enum": ["x"]}`) is left out where it may be absent: such a property
    is never generated. Where it must be there, the document is refused at that place.

    ## What a schema cannot promise

    A schema without `type` (`{}`, or an array without `items`) allows any value up to 16 levels deep.

    Values are nested at most 512 levels deep, as deep as they can be read again. Where a type contains
    itself, what would go deeper is not legal; a type all of whose values go deeper is refused.

    """
}
