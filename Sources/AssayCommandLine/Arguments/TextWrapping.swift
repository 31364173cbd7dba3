/// Wraps text to the width of a terminal.
enum TextWrapping {
  /// The lines of a text, broken at spaces.
  ///
  /// - Parameters:
  ///   - text: The text; its white space counts as single spaces.
  ///   - width: The most characters of a line; a longer word stands alone on its line.
  ///   - indent: The spaces before each line, which count.
  static func lines(_ text: String, width: Int, indent: Int = 0) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = margin
    for word in text.split(whereSeparator: \.isWhitespace) {
      if line.count > indent, line.count + 1 + word.count > width {
        lines.append(line)
        line = margin
      }
      line += (line.count > indent ? " " : "") + word
    }
    return line.count > indent ? lines + [line] : lines
  }

  /// The lines of paragraphs: lines that begin with a space keep their form if they fit, all others
  /// are joined and wrapped.
  static func paragraphs(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var paragraph = ""
    func flush() {
      lines += Self.lines(paragraph, width: width)
      paragraph = ""
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix(" ") || line.isEmpty {
        flush()
        lines.append(String(line))
      } else {
        paragraph += (paragraph.isEmpty ? "" : " ") + line
      }
    }
    flush()
    return lines
  }
}

extension String {
  /// The text with spaces after it up to a width in characters.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// The text without spaces at its end.
  var trimmedEnd: String {
    var copy = self
    while copy.last == " " { copy.removeLast() }
    return copy
  }
}
