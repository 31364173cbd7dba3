/// One command of the program.
struct CommandSpecification: Sendable {
  /// A command line that the help shows, and its effect.
  struct Example: Sendable {
    /// The words after `assay`.
    let words: String
    /// The effect, in one sentence.
    let meaning: String

    init(_ words: String, _ meaning: String) {
      self.words = words
      self.meaning = meaning
    }
  }

  /// The command's name.
  let name: String
  /// The command's effect, in one line.
  let summary: String
  /// Its positional arguments as the help shows them: `[SUITE …]`.
  let positionals: String
  /// The least and the most positional arguments.
  let positionalCount: ClosedRange<Int>
  /// The words that the first positional argument may be, if it is one of a few; for completions.
  let verbs: [String]
  /// Its options.
  let options: [OptionSpecification]
  /// A longer explanation below the usage.
  ///
  /// Lines that begin with a space keep their form.
  let details: String
  /// Two command lines that the help ends with.
  let examples: [Example]

  /// Declares a command.
  init(
    name: String, summary: String, positionals: String, positionalCount: ClosedRange<Int>,
    verbs: [String] = [], options: [any DeclaredOption] = [], details: String = "",
    examples: [Example] = []
  ) {
    self.name = name
    self.summary = summary
    self.positionals = positionals
    self.positionalCount = positionalCount
    self.verbs = verbs
    self.options = options.map(\.specification)
    self.details = details
    self.examples = examples
  }

  /// The options of the command and those of every command.
  var allOptions: [OptionSpecification] { options + Self.everywhere.map(\.specification) }

  /// The options of every command.
  static let everywhere: [any DeclaredOption] = [Options.help, Options.color]
}
