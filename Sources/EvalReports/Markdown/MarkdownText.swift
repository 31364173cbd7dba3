import EvalFindings

/// Writes untrusted text into Markdown so that no part of it becomes markup.
///
/// GitHub renders HTML inside Markdown. It also turns `@name` into a mention that sends mail, `#12`
/// into a link to an issue, and a bare address into a link. Model output may contain all of these.
enum MarkdownText {
  /// A text for a paragraph or a table cell, on one line.
  static func escaped(_ text: String, limit: Int = 300) -> String {
    let clipped = ClippedText(VisibleText.line(text), limit: limit)
    var result = ""
    var previous: Unicode.Scalar = " "
    // A sign can be part of a larger character, and a reader of Markdown sees it even so.
    for scalar in clipped.text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "@": result += "&#64;"
      case "#": result += "&#35;"
      case ":" where previous.properties.isAlphabetic: result += "&#58;"
      case "." where previous == "w" || previous == "W": result += "&#46;"
      case "-" where previous == "H" || previous == "h": result += "&#45;"
      case "\\", "`", "*", "_", "[", "]", "(", ")", "~", "|", "!", "{", "}", "^", "$":
        result += "\\"
        result.unicodeScalars.append(scalar)
      default: result.unicodeScalars.append(scalar)
      }
      previous = scalar
    }
    return clipped.fullLength == nil ? result : result + "…"
  }

  /// A text as code inside a table cell or a paragraph.
  ///
  /// The result is a `code` element, because escapes don't work between backticks, where a `|`
  /// would end a table cell.
  static func code(_ text: String, limit: Int = 200) -> String {
    "<code>\(escaped(text, limit: limit))</code>"
  }

  /// A block of code with a fence longer than any run of backticks in the code.
  static func fenced(_ text: String, language: String) -> String {
    var longest = 0
    var run = 0
    for scalar in text.unicodeScalars {
      run = scalar == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: max(3, longest + 1))
    return "\(fence)\(language)\n\(VisibleText.visible(text))\n\(fence)"
  }

  /// A table, from cells that are already escaped.
  static func table(header: [String], alignment: String, rows: [[String]]) -> String {
    let rule = alignment.map { $0 == "r" ? "--:" : ":--" }
    return ([header, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
      .joined(separator: "\n")
  }
}
