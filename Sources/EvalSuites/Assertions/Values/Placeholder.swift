/// Recognizes placeholders, which models write in place of a missing value.
package enum Placeholder {
  /// The placeholders, in lowercase and without surrounding punctuation.
  package static let words: Set<String> = [
    "unknown", "n/a", "na", "none", "null", "nil", "tbd", "tba", "todo", "placeholder",
    "undefined", "unspecified", "string", "text", "example", "xxx", "not specified",
    "not available", "not provided", "not applicable", "not mentioned", "no information",
    "to be determined", "to be announced", "your text here", "insert text here",
  ]

  /// Returns whether a text is a placeholder.
  ///
  /// These are placeholders: the built-in words and the words in `also`, texts that consist of
  /// nothing but punctuation and symbols, short texts in brackets such as `[name]`, texts that
  /// begin with `lorem ipsum`, and empty texts.
  package static func isPlaceholder(_ text: String, also: [String]) -> Bool {
    let trimmed = text.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
    let bare = trimmed.drop { $0.isPunctuation || $0.isSymbol }
    let core = String(String(bare.reversed().drop { $0.isPunctuation || $0.isSymbol }.reversed()))
    if core.isEmpty || words.contains(core) || core.hasPrefix("lorem ipsum") { return true }
    if also.contains(where: { $0.lowercased() == core || $0.lowercased() == trimmed }) {
      return true
    }
    for (open, close) in [("[", "]"), ("<", ">"), ("{", "}")] where trimmed.hasPrefix(open) {
      if trimmed.hasSuffix(close), trimmed.count <= 60 { return true }
    }
    return false
  }
}
