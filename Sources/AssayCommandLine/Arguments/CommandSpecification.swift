/// The declaration of a command, from which Assay derives parsing, help and completions.
struct CommandSpecification: Sendable {
  /// An example command line in the help, with its effect.
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
  /// The positional arguments as the help shows them: `[SUITE …]`.
  let positionals: String
  /// The minimum and maximum number of positional arguments.
  let positionalCount: ClosedRange<Int>
  /// The allowed words for the first positional argument, or an empty array if it can be any text.
  ///
  /// Completions offer these words.
  let verbs: [String]
  /// The options that this command declares.
  let options: [OptionSpecification]
  /// A longer explanation below the usage.
  ///
  /// The help leaves lines that begin with a space as they are, and wraps all others.
  let details: String
  /// The example command lines at the end of the help.
  let examples: [Example]

  /// Creates a declaration of a command.
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

  /// All options of the command, including those that every command has.
  var allOptions: [OptionSpecification] { options + Self.everywhere.map(\.specification) }

  /// The options that every command has.
  static let everywhere: [any DeclaredOption] = [Options.help, Options.color]
}
