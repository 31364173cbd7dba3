/// One option of a command, declared once: parsing, help and the manual are made from it.
struct OptionSpecification: Sendable {
  /// The long name without dashes.
  let name: String
  /// The single letter, where there is one.
  var letter: Character?
  /// What stands for the value in the help; nil for a flag.
  var value: String?
  /// The values that are allowed; nil where any is.
  var allowed: [String]?
  /// Whether it may be given more than once.
  var isRepeatable = false
  /// What it does, in one line.
  let help: String

  /// A flag, which has no value.
  static func flag(_ name: String, letter: Character? = nil, _ help: String) -> Self {
    Self(name: name, letter: letter, help: help)
  }

  /// An option with a value.
  static func option(
    _ name: String, letter: Character? = nil, _ value: String, allowed: [String]? = nil,
    repeatable: Bool = false, _ help: String
  ) -> Self {
    Self(
      name: name, letter: letter, value: value, allowed: allowed, isRepeatable: repeatable,
      help: help)
  }
}

/// One command of the program.
struct CommandSpecification: Sendable {
  /// The command's name.
  let name: String
  /// What it does, in one line.
  let summary: String
  /// Its positional arguments as the help shows them: `[SUITE …]`.
  let positionals: String
  /// The least and the most positional arguments.
  let positionalCount: ClosedRange<Int>
  /// Its options.
  let options: [OptionSpecification]
  /// A longer explanation below the options.
  var details = ""
}

/// What stands on a command line, checked against a command's specification.
struct ParsedArguments: Sendable, Equatable {
  /// The positional arguments in order.
  var positionals: [String] = []
  /// The values of each option in order; a flag has an empty list.
  var values: [String: [String]] = [:]

  /// Whether an option or flag was given.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// The last value of an option.
  func value(_ name: String) -> String? { values[name]?.last }

  /// Refuses options that have no say here: what is given must have an effect.
  ///
  /// - Parameters:
  ///   - names: The options.
  ///   - reason: Why, and what is allowed: `is of …`.
  func refuse(_ names: [String], _ reason: String) throws(UsageError) {
    for name in names where has(name) { throw UsageError("--\(name) \(reason)") }
  }

  /// All values of a repeatable option.
  func all(_ name: String) -> [String] { values[name] ?? [] }
}

/// A command line that can't be understood.
struct UsageError: Error, Equatable, CustomStringConvertible {
  /// What is wrong, and what is allowed.
  let description: String

  init(_ description: String) { self.description = description }
}
