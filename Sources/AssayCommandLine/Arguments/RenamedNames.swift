/// The new names of commands and options that have been renamed.
enum RenamedNames {
  /// The new names of commands, by their old names.
  static let commands = ["plan": "power", "salvage": "recover"]

  /// The new names of options, by the command and their old names.
  static let options: [String: [String: String]] = [
    "import": ["--suite": "--suites PATH"]
  ]

  /// Returns a message with the new name of a renamed command; nil if no command was renamed from
  /// the given name.
  static func hint(forCommand name: String) -> String? {
    commands[name].map { "`assay \(name)` is now called `assay \($0)`" }
  }

  /// Returns a message with the new name of a renamed option; nil if no option of the command was
  /// renamed from the given name.
  static func hint(forOption name: String, of command: String) -> String? {
    options[command]?[name].map {
      "`assay \(command)` has no option \(name); it is now called \($0)"
    }
  }
}
