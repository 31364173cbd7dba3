import StructuredText

/// A shell for which Assay writes completions.
enum ShellCompletions: String, CaseIterable {
  case bash
  case zsh
  case fish

  /// The names of all shells.
  static let allNames = allCases.map(\.rawValue)

  /// Returns the script with the completions for this shell.
  ///
  /// - Parameters:
  ///   - commands: The commands of the program.
  ///   - program: The name of the program.
  func script(for commands: [CommandSpecification], program: String) -> String {
    switch self {
    case .bash: BashCompletions(commands: commands, program: program).text
    case .zsh: ZshCompletions(commands: commands, program: program).text
    case .fish: FishCompletions(commands: commands, program: program).text
    }
  }

  /// Returns a text in single quotes, for bash and zsh.
  static func quoted(_ text: String) -> String {
    "'" + text.replacingScalars("'", with: "'\\''") + "'"
  }
}

extension CommandSpecification {
  /// The names of the options as users type them: `--jobs`, `-j`.
  var optionWords: [String] {
    allOptions.flatMap { option in
      ["--\(option.name)"] + (option.letter.map { ["-\($0)"] } ?? [])
    }
  }
}
