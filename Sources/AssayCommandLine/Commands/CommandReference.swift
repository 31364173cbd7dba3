/// The reference of all commands in Markdown, which is also in docs/commands.md.
enum CommandReference {
  /// The width of the help in the reference, in columns.
  static let width = 100

  /// The reference, generated from the declarations of the commands.
  static var markdown: String {
    var lines = [
      "# Commands", "",
      "`assay help --markdown` writes this page, on which the first command with an option "
        + "describes it;\n`assay help COMMAND` describes all. A [project "
        + "file](suite-format.md#the-project-file) can change the default of\n`--model`, "
        + "`--backend`, `--reports`, `--jobs` and `--memory`.",
      "", "| command | |", "|---|---|",
    ]
    lines += AssayProgram.commands.map(\.specification).map {
      "| [`assay \($0.name)`](#assay-\($0.name)) | \($0.summary) |"
    }
    lines += ["", "## Exit status", "", "| status | meaning |", "|--:|---|"]
    lines += ExitStatus.allCases.map { "| \($0.rawValue) | \($0.meaning) |" }
    lines += [
      "",
      "If several apply, 2 and 3 take precedence over 1, and 1 over 4. Checks such as `assay lint` "
        + "exit with 1 if they find a",
      "problem. A comparison is *broken* if the backend failed too often. Two runs are *not "
        + "comparable* if, for example,",
      "their models or options differ ([Statistics](statistics.md#what-is-compared)).",
    ]
    var described: [String: String] = [:]
    for command in AssayProgram.commands.map(\.specification) {
      lines += ["", "## assay \(command.name)", "", "```text"]
      lines.append(command.help(width: width, described: described).trimmedLineEnd)
      lines.append("```")
      for option in command.allOptions where described[option.words] == nil {
        described[option.words] = command.name
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension String {
  /// The text without trailing line feeds.
  fileprivate var trimmedLineEnd: String {
    var copy = self
    while copy.last == "\n" { copy.removeLast() }
    return copy
  }
}
