/// The new names of commands and options that have been renamed.
enum RenamedNames {
  /// The new names of commands, by their old names.
  static let commands = ["plan": "power", "salvage": "recover"]

  /// The new names of options, by command and old name.
  static let options: [String: [String: String]] = [
    "import": ["--suite": "--suites PATH"]
  ]

  /// Returns a message with the new name of a command; nil if the given name is not the old name of
  /// a command.
  static func hint(forCommand name: String) -> String? {
    commands[name].map { "`assay \(name)` is now called `assay \($0)`" }
  }

  /// Returns a message with the new name of an option; nil if the given name is not the old name of
  /// an option of the command.
  static func hint(forOption name: String, of command: String) -> String? {
    options[command]?[name].map {
      "`assay \(command)` has no option \(name); it is now called \($0)"
    }
  }
}
