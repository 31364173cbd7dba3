extension CommandSpecification {
  /// The help of the command, made from the declaration.
  var help: String {
    var lines = ["\(summary)", "", "usage: assay \(name) [options] \(positionals)".trimmedEnd]
    if !details.isEmpty { lines += ["", details] }
    let rows = (options + Self.everywhere).map { (left: $0.usage, right: $0.help) }
    let width = min(34, rows.map(\.left.count).max() ?? 0)
    lines += ["", "options:"]
    for row in rows {
      if row.left.count > width {
        lines += ["  \(row.left)", "  \(String(repeating: " ", count: width))  \(row.right)"]
      } else {
        lines.append("  \(row.left.padded(to: width))  \(row.right)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension OptionSpecification {
  /// The option as the help shows it: `-j, --jobs N`.
  fileprivate var usage: String {
    let short = letter.map { "-\($0), " } ?? ""
    let placeholder = value.map { " \($0)" } ?? ""
    return "\(short)--\(name)\(placeholder)"
  }
}

extension String {
  /// The text with spaces after it up to a width in characters.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// The text with spaces before it up to a width in characters.
  func rightAligned(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }

  /// The text without spaces at its end.
  var trimmedEnd: String {
    var copy = self
    while copy.last == " " { copy.removeLast() }
    return copy
  }
}
