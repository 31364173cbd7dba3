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
    return lines.joined(separator: "\n") + "\n"
  }
}
