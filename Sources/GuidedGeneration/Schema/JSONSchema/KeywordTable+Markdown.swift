extension KeywordTable {
  /// The table as a page of documentation.
  package static var markdown: String {
    var lines = [
      "# JSON Schema keywords",
      "",
      "Schema files may be in Apple's dialect or in plain JSON Schema, as OpenAI's structured outputs,",
      "Anthropic's tools and Pydantic write it. Every keyword is enforced by the grammar, known to be an",
      "annotation, or refused with its path in the document; an unknown keyword is refused unless it",
      "begins with `x-`.",
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

    ## What a schema cannot promise

    A schema without `type` (`{}`, or an array without `items`) allows any value up to 16 levels deep. The
    grammar does not compare the keys of such an object: an answer with the same key twice is no JSON that
    can be read, and fails as `malformedOutput`.

    Values are nested at most 512 levels deep, as deep as they can be read again. Where a type contains
    itself, what would go deeper is not legal; a type all of whose values go deeper is refused.

    """
}
