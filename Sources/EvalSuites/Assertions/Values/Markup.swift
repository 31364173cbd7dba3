/// Finds Markdown and HTML in a text that should be plain.
package enum Markup {
  /// Returns a description of the first sign of markup, or `nil` if there is none.
  ///
  /// These are signs of markup: lines that begin with a heading (`# `), a list item (`- `, `* `, `+
  /// `, `1. `, `1) `) or a quote (`> `); `**`, `__` or a backtick anywhere; a link (`](`); an HTML
  /// tag or comment.
  package static func first(in text: String) -> String? {
    for line in text.split(whereSeparator: \.isNewline) {
      if let sign = lineSign(line.drop(while: \.isWhitespace)) { return sign }
    }
    for (sign, words) in [
      ("**", "bold `**`"), ("__", "bold `__`"), ("`", "a backtick"), ("](", "a link"),
    ] where text.contains(sign) {
      return words
    }
    return hasTag(text) ? "an HTML tag" : nil
  }

  private static func lineSign(_ line: Substring) -> String? {
    if line.hasPrefix("> ") { return "a quote" }
    if line.hasPrefix("- ") || line.hasPrefix("* ") || line.hasPrefix("+ ") {
      return "a list item"
    }
    let hashes = line.prefix { $0 == "#" }
    if (1...6).contains(hashes.count), line.dropFirst(hashes.count).first == " " {
      return "a heading"
    }
    let digits = line.prefix { $0.isASCII && $0.isNumber }
    let rest = line.dropFirst(digits.count)
    if (1...3).contains(digits.count), rest.hasPrefix(". ") || rest.hasPrefix(") ") {
      return "a list item"
    }
    return nil
  }

  private static func hasTag(_ text: String) -> Bool {
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      rest = rest[rest.index(after: start)...]
      if rest.hasPrefix("!--") { return true }
      let name = rest.first == "/" ? rest.dropFirst() : rest
      guard let letter = name.first, letter.isASCII, letter.isLetter else { continue }
      if name.prefix(200).prefix(while: { $0 != "<" }).contains(">") { return true }
    }
    return false
  }
}

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
