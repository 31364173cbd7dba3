import EvalFindings

/// Replaces Assay's own symbols with ASCII, for terminals and logs without UTF-8.
package enum PlainText {
  private static let signs: [Character: String] = [
    "✓": "ok", "✗": "x", "∅": "0", "▼": "v", "▲": "^", "≈": "~", "…": "...", "–": "-", "−": "-",
    "·": "|", "→": "->", "≥": ">=", "≤": "<=", "×": "x", "±": "+/-", "━": "=", "─": "-", "■": "#",
    "●": "*", "◀": "<", "“": "\"", "”": "\"", "’": "'", "\u{A0}": " ", "⏎": "\\n", "⇥": "\\t",
  ]

  /// Replaces the symbols in a text, and writes any other character outside ASCII as an escape.
  package static func ascii(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    var result = ""
    for character in text {
      if character.isASCII {
        result.append(character)
      } else if let sign = signs[character] {
        result += sign
      } else {
        for scalar in character.unicodeScalars {
          result += scalar.isASCII ? String(scalar) : VisibleText.escape(of: scalar)
        }
      }
    }
    return result
  }
}
