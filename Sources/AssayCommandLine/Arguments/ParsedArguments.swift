import EvalSuites

/// The words of a command line, checked against a command's specification.
struct ParsedArguments: Sendable, Equatable {
  /// The positional arguments in order.
  var positionals: [String] = []
  /// The values of each option in order, keyed by the option's name.
  ///
  /// A flag has an empty array.
  var values: [String: [String]] = [:]
  /// The project file's defaults for options that aren't on the command line.
  var defaults: [String: [String]] = [:]
  /// The project file, or `nil` if there is none.
  var project: ProjectFile?

  /// Returns whether the command line has an option or flag.
  func has(_ option: some DeclaredOption) -> Bool { values[option.specification.name] != nil }

  /// The value of an option: from the command line if it's there, otherwise from the project file,
  /// otherwise the default.
  ///
  /// - Throws: `UsageError` if the value is not allowed.
  subscript<Value>(_ key: OptionKey<Value>) -> Value {
    get throws(UsageError) { try key.read(values[key.name] ?? defaults[key.name]) }
  }

  /// Rejects options that would have no effect on this command line.
  ///
  /// - Parameters:
  ///   - options: The options to reject if they were given.
  ///   - reason: The rest of the error, after the option's name: `only applies to …`.
  func refuse(_ options: [any DeclaredOption], _ reason: String) throws(UsageError) {
    for option in options where values[option.specification.name] != nil {
      throw UsageError("--\(option.specification.name) \(reason)")
    }
  }

  /// The path of the folder of reports.
  var reports: String {
    (values[Options.reports.name] ?? defaults[Options.reports.name])?.last ?? "reports"
  }

  /// The folder of reports of the project, whatever `--reports` says.
  var usualReports: String { defaults[Options.reports.name]?.last ?? "reports" }

  /// The path of the result database.
  var database: String { values[Options.database.name]?.last ?? "\(reports)/results.sqlite" }
}

/// An error in the command line.
struct UsageError: Error, Equatable, CustomStringConvertible {
  /// The problem, and the allowed values.
  let description: String

  init(_ description: String) { self.description = description }
}
