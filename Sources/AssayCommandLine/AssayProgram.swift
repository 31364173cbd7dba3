import EvalFindings
public import EvalRecords
import EvalSessions
public import EvalSuites
public import GuidedGeneration
import ResultStore
import SystemBasics

/// The command line of Assay, as a value that an executable runs.
///
/// A package that defines types and suites can build a program that has every command of `assay`:
///
///     import AssayCommandLine
///
///     @main
///     struct Evals {
///       static func main() async {
///         await AssayProgram(types: [CardSet.self], suites: [flashcards]).main()
///       }
///     }
///
/// The program's suite files can say `generates: { type: CardSet }`.
public struct AssayProgram: Sendable {
  /// The version of Assay.
  public static var version: String { ToolVersion.current }

  /// The commands in the order of the help.
  static let commands: [any Command] = [
    RunCommand(), CompareCommand(), LabCommand(), BaselineCommand(),
    AcknowledgeCommand(), ReportCommand(), RecheckCommand(), ShowCommand(),
    HistoryCommand(), ExportCommand(), ImportCommand(), MergeCommand(), RecoverCommand(),
    CaseCommand(), ListCommand(), PowerCommand(), LintCommand(), InitCommand(), SchemaCommand(),
    DoctorCommand(),
    CompletionsCommand(),
  ]

  /// The types, suites and backends that are compiled into the program.
  private let registered: Registered

  /// Creates a program with additional types, suites and backends.
  ///
  /// - Parameters:
  ///   - types: Types that suite files can name after `generates`, without the module's name.
  ///   - suites: Suites that are written in Swift.
  ///   - backends: Backends, such as a `ProviderBackend`. `--backend ID` selects the backend whose
  ///     record has this id.
  public init(
    types: [any Generable.Type] = [], suites: [SwiftSuite] = [], backends: [any EvalBackend] = []
  ) {
    registered = Registered(types: types, suites: suites, backends: backends)
  }

  /// Runs the command line of this process, and exits with an ``ExitStatus``.
  public func main() async {
    // A run must continue even if the reader of its output, such as `head`, stops reading.
    signal(SIGPIPE, SIG_IGN)
    let status = await run(
      Array(CommandLine.arguments.dropFirst()), in: ProgramContext.process())
    ResultStore.settleAll()
    ExternalCommand.endAll()
    exit(status.rawValue)
  }

  /// Runs one command line.
  ///
  /// - Parameters:
  ///   - words: The words after the program's name.
  ///   - context: The program's context.
  /// - Returns: The exit status.
  func run(_ words: [String], in context: ProgramContext) async -> ExitStatus {
    let status = await perform(words, in: context)
    guard let problem = context.console.outputState.problem else { return status }
    context.console.tell(error: problem)
    return .cannotRun
  }

  private func perform(_ words: [String], in context: ProgramContext) async -> ExitStatus {
    var context = context
    context.evaluation.registered = registered
    context.console.program = context.evaluation.programName
    guard let name = words.first else {
      context.console.notes(named(Self.help, in: context))
      return .usage
    }
    switch name {
    case "help", "--help", "-h":
      return showHelp(for: words.dropFirst().first, in: context)
    case "version", "--version":
      context.console.output("assay \(Self.version)\n")
      return .passed
    default: break
    }
    guard let command = Self.commands.first(where: { $0.specification.name == name }) else {
      return unknown(name, in: context)
    }
    // Until the arguments are known, the command line says where the reports are.
    var reports = Self.reports(in: words)
    do {
      var arguments = try command.specification.parse(Array(words.dropFirst()))
      if arguments.has(Options.help) {
        let help = command.specification.help(width: context.console.width)
        context.console.output(named(help, in: context))
        return .passed
      }
      try arguments.resolveShard(from: context.environment)
      try arguments.applyProject(for: command.specification, in: context)
      reports = arguments.reports
      context.console.apply(color: try arguments[Options.color])
      return try await command.run(arguments, in: context)
    } catch {
      if Self.reporting.contains(name) {
        LatestReports(reports: reports).fail(
          name, Console.messages(of: error).map(context.console.naming).joined(separator: "; "))
      }
      return context.console.tell(error)
    }
  }

  /// The commands that make a run and write its reports.
  private static let reporting: Set<String> = [
    "run", "compare", "lab", "import", "merge", "recheck",
  ]

  /// Returns the folder of reports that a command line names, or the default one.
  private static func reports(in words: [String]) -> String {
    let option = "--\(Options.reports.name)"
    for (position, word) in words.enumerated() {
      if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
      if word == option, words.indices.contains(position + 1) { return words[position + 1] }
    }
    return "reports"
  }

  private func showHelp(for name: String?, in context: ProgramContext) -> ExitStatus {
    if name == "--markdown" {
      context.console.output(CommandReference.markdown)
      return .passed
    }
    guard let name else {
      context.console.output(named(Self.help, in: context))
      return .passed
    }
    guard let command = Self.commands.first(where: { $0.specification.name == name }) else {
      return unknown(name, in: context)
    }
    let help = command.specification.help(width: context.console.width)
    context.console.output(named(help, in: context))
    return .passed
  }

  /// Returns a help text whose commands are commands of this program.
  private func named(_ help: String, in context: ProgramContext) -> String {
    help.replacing("assay ", with: context.evaluation.programName + " ")
  }

  private func unknown(_ name: String, in context: ProgramContext) -> ExitStatus {
    if let renamed = RenamedNames.hint(forCommand: name) {
      context.console.tell(error: renamed)
      return .usage
    }
    let names = Self.commands.map(\.specification.name) + ["help", "version"]
    context.console.tell(
      error: "there is no command `\(name)`; "
        + UsageError.hint(for: name, among: names, otherwise: "`assay help` lists the commands"))
    return .usage
  }

  /// The help of the program.
  static var help: String {
    var lines = [
      "Assay evaluates guided generation: typed language-model output.", "",
      "usage: assay COMMAND [options] [arguments]", "", "commands:",
    ]
    let width = commands.map(\.specification.name.count).max() ?? 0
    for command in commands {
      let specification = command.specification
      lines.append("  \(specification.name.padded(to: width))  \(specification.summary)")
    }
    lines += [
      "",
      "`assay help COMMAND` explains a command; `assay help --markdown` writes the whole "
        + "reference.",
      "",
      "exit status:",
    ]
    for status in ExitStatus.allCases { lines.append("  \(status.rawValue)  \(status.meaning)") }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// A command of the program: its declaration and its action.
protocol Command: Sendable {
  /// The declaration.
  var specification: CommandSpecification { get }

  /// Runs the command.
  ///
  /// - Parameters:
  ///   - arguments: The checked arguments.
  ///   - context: The program's context.
  /// - Returns: The exit status.
  /// - Throws: `UsageError` or `SessionFailure`. The program prints the error's message.
  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus
}
