extension CommandSpecification {
  /// Returns the command's help, generated from the command's declaration.
  ///
  /// - Parameters:
  ///   - width: The width of the terminal in columns.
  ///   - described: The options that the help only names, by `OptionSpecification.words`, each
  ///     with the name of the command whose help describes it.
  func help(width: Int, described: [String: String] = [:]) -> String {
    let width = max(40, min(width, 100))
    var lines = TextWrapping.lines(summary, width: width)
    lines += ["", "usage: assay \(name) [options] \(positionals)".trimmedEnd]
    if !details.isEmpty { lines += [""] + TextWrapping.paragraphs(details, width: width) }
    for group in OptionGroup.allCases {
      let rows = allOptions.filter { $0.group == group && described[$0.words] == nil }
      guard !rows.isEmpty else { continue }
      lines += ["", "\(group.rawValue):"]
      for row in rows { lines += row.lines(width: width) }
    }
    let known = allOptions.filter { $0.group != .everywhere && described[$0.words] != nil }
    for command in Set(known.compactMap { described[$0.words] }).sorted() {
      let names = known.filter { described[$0.words] == command }.map { "--\($0.name)" }
      lines += ["", "As for assay \(command):"]
      lines += TextWrapping.lines(names.joined(separator: ", "), width: width, indent: 2)
    }
    if !examples.isEmpty {
      lines += ["", "examples:"]
      for example in examples {
        lines.append("  assay \(example.words)")
        lines += TextWrapping.lines(example.meaning, width: width, indent: 6)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension OptionSpecification {
  /// The column in which descriptions of options begin.
  private static let column = 26

  /// The option's names and placeholder in the help: `-j, --jobs N`.
  var usage: String {
    let short = letter.map { "-\($0), " } ?? ""
    let placeholder = value.map { " \($0)" } ?? ""
    return "\(short)--\(name)\(placeholder)"
  }

  /// The option's description, followed by the allowed values and the default.
  var explanation: String {
    var notes: [String] = []
    if let allowed {
      notes.append(
        allowed.map { $0 == defaultValue ? "\($0) (default)" : $0 }.joined(separator: ", "))
    }
    if let defaultValue, allowed?.contains(defaultValue) != true {
      notes.append("default: \(defaultValue)")
    }
    if isRepeatable { notes.append("may be repeated") }
    return notes.isEmpty ? help : "\(help) [\(notes.joined(separator: "; "))]"
  }

  /// All that the help says about the option.
  var words: String { "\(usage) \(explanation)" }

  fileprivate func lines(width: Int) -> [String] {
    let column = min(Self.column, width / 3)
    let text = TextWrapping.lines(explanation, width: width, indent: column)
    let left = "  \(usage)"
    guard left.count + 2 <= column, let first = text.first else { return [left] + text }
    return [left.padded(to: column) + first.dropFirst(column)] + text.dropFirst()
  }
}
