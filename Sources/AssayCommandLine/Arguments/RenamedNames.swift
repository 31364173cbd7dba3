/// The new names of commands and options that have been renamed.
enum RenamedNames {
  /// The new names of commands, keyed by old name.
  static let commands = ["plan": "power", "salvage": "recover"]

  /// The new names of options, keyed by command, then by old name.
  static let options: [String: [String: String]] = [
    "import": ["--suite": "--suites PATH"]
  ]

  /// Returns a message with a command's new name, or `nil` if the command has not been renamed.
  static func hint(forCommand name: String) -> String? {
    commands[name].map { "`assay \(name)` is now called `assay \($0)`" }
  }

  /// Returns a message with the new name of a command's option, or `nil` if the option has not been
  /// renamed.
  static func hint(forOption name: String, of command: String) -> String? {
    options[command]?[name].map {
      "`assay \(command)` has no option \(name); it is now called \($0)"
    }
  }
}
