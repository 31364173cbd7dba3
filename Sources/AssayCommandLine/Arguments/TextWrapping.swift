/// Wraps text to the width of a terminal.
enum TextWrapping {
  /// Returns the lines of a text, broken at spaces.
  ///
  /// - Parameters:
  ///   - text: The text; each run of white space counts as one space.
  ///   - width: The maximum number of characters in a line; a longer word gets a separate line.
  ///   - indent: The number of spaces before each line, which count towards the width.
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

  /// Returns the lines of a text whose paragraphs are wrapped; lines that begin with a space are
  /// kept as they are.
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
  /// Returns the text, padded with spaces to a width in characters.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// The text without trailing spaces.
  var trimmedEnd: String {
    var copy = self
    while copy.last == " " { copy.removeLast() }
    return copy
  }
}
