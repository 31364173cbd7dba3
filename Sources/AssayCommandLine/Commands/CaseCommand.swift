import EvalRecords
import EvalSessions
import EvalSuites
import ResultStore
import StructuredText
import SystemBasics

/// `assay case`: turns logged answers and stored attempts into test cases.
struct CaseCommand: Command {
  let specification = CommandSpecification(
    name: "case", summary: "Adds logged answers or stored attempts to a suite as test cases.",
    positionals: "add SUITE", positionalCount: 2...2, verbs: ["add"],
    options: [
      Self.from, Self.line, Self.id, Self.tag, Self.withAnswer, Options.suites, Options.reports,
      Options.database,
    ],
    details: """
      SUITE is a suite file, its folder, or the id of a suite in --suites. --from names a log or a
      stored attempt. Each line of a log is an object with an "output", and with one of these:
        prompt  the whole prompt
        input   an object with all variables of the prompt, or a string: the value of
                the variable `input`, or of the prompt's only variable
      Values of further variables, such as the values that the suite's assertions expect, may stand
      beside "output", under the names of the variables.

      The command adds the test cases at the end of the suite's list, in the suite file or in its
      data file, and changes nothing else there. Each test case gets an id derived from its input.
      If the suite already has one of the inputs, the command writes nothing and exits with 4.
      """,
    examples: [
      .init(
        "case add evals/flashcards --from production.jsonl --line 12 --tag production",
        "Adds the answer on line 12 of a log as a test case."),
      .init(
        "case add flashcards --from run:3/recorded-text/prompt-5e1f2a90#0",
        "Adds the input of a stored attempt as a test case."),
    ])

  private static let from = OptionKey<[String]>.list(
    "from", "SOURCE", .command, "a log, or a stored attempt: run:RUN/SUITE/CASE#N")
  private static let line = OptionKey<Int?>.integer(
    "line", "N", in: 1...Int.max, default: "all", .command,
    "only the answer on this line of the log")
  private static let id = OptionKey<String?>.text(
    "id", "ID", default: "derived from the input", .command,
    "the id of the test case, if only one is added")
  private static let tag = OptionKey<[String]>.list(
    "tag", "TAG", .command, "a tag for the added test cases")
  private static let withAnswer = OptionKey<Bool>.flag(
    "with-answer", .command,
    "also store the answer, so that a run on the stub shows how the assertions judge it")

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    guard arguments.positionals[0] == "add" else {
      throw UsageError("there is no `assay case \(arguments.positionals[0])`; use add")
    }
    let sources = try arguments[Self.from]
    guard !sources.isEmpty else {
      throw UsageError("--from is missing; give a log, or run:RUN/SUITE/CASE#N")
    }
    let suite = try suite(arguments, in: context)
    let addition = CaseAddition(to: suite, in: context.evaluation)
    var drafts: [CaseDraft] = []
    for source in sources {
      drafts += try self.drafts(from: source, addition, arguments)
    }
    let tags = try arguments[Self.tag]
    for index in drafts.indices { drafts[index].tags = tags }
    if let id = try arguments[Self.id] {
      guard drafts.count == 1 else {
        throw UsageError(
          "--id names one test case, but \(drafts.count) would be added; choose one with --line")
      }
      drafts[0].id = id
    }
    let new = try addition.text(adding: drafts)
    do throws(OutputFolder.Failure) {
      try OutputFolder(path: OutputFolder.folder(of: new.file)).replace(
        FileReading.disk.resolved(new.file), with: new.text)
    } catch {
      throw SessionFailure(.cannotRun, error.description)
    }
    for draft in drafts {
      context.console.output("\(suite.id)/\(draft.id)\n")
    }
    context.console.notes(
      "\(new.file): \(drafts.count.counted("test case")) added\n")
    return .passed
  }

  /// Returns the suite that the command line names.
  private func suite(
    _ arguments: ParsedArguments, in context: ProgramContext
  ) throws -> Suite {
    let name = arguments.positionals[1]
    let isPath = FileReading.disk.kind(name) != nil
    let loaded = try context.evaluation.suites(at: isPath ? [name] : arguments[Options.suites])
    let fitting = isPath ? loaded : loaded.filter { $0.id == name }
    guard let suite = fitting.first else {
      throw UsageError(
        "\(name): there is no such file, folder or suite; "
          + UsageError.hint(
            for: name, among: loaded.map(\.id),
            otherwise: "the suites are \(loaded.map(\.id).joined(separator: ", "))"))
    }
    guard fitting.count == 1 else {
      throw UsageError(
        "\(name): there are \(fitting.count) suites in this folder; name one of "
          + fitting.map(\.path).joined(separator: ", "))
    }
    guard FileReading.disk.kind(suite.path) == .file else {
      throw UsageError("\(name): the suite is written in Swift; add the test case there")
    }
    return suite
  }

  /// Returns the test cases to add from one source.
  private func drafts(
    from source: String, _ addition: CaseAddition, _ arguments: ParsedArguments
  ) throws -> [CaseDraft] {
    let keepsAnswer = arguments.has(Self.withAnswer)
    if source.hasPrefix("run:"), FileReading.disk.kind(source) == nil {
      try arguments.refuse([Self.line], "only applies to logs")
      return [try attempt(source, addition, keepsAnswer: keepsAnswer, arguments)]
    }
    let line = try arguments[Self.line]
    let answers = try LoggedAnswer.answers(inFile: source)
      .filter { line == nil || $0.line == line }
    guard !answers.isEmpty else {
      throw SessionFailure(
        .nothingSelected,
        "\(source): there is no answer" + (line.map { " in line \($0)" } ?? ""))
    }
    return try answers.map { try addition.draft(of: $0, keepsAnswer: keepsAnswer) }
  }

  /// Returns the test case to add from a stored attempt: `run:RUN/SUITE/CASE#N`.
  private func attempt(
    _ source: String, _ addition: CaseAddition, keepsAnswer: Bool, _ arguments: ParsedArguments
  ) throws -> CaseDraft {
    let parts = source.dropFirst("run:".count).split(
      separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw UsageError("--from \(source): expected a log, or run:RUN/SUITE/CASE#N")
    }
    let address = try ShowCommand.Address(String(parts[1]))
    let store = try openStore(arguments.database, access: .reading)
    let run = try StoredRun.find(String(parts[0]), in: store)
    let stored = run.suites.first { $0.id == address.suite }
    guard let record = stored?.cases.first(where: { $0.id == address.caseID }) else {
      throw SessionFailure(
        .nothingSelected, "run \(run.id) has no test case \(address.suite)/\(address.caseID)")
    }
    let variables = (record.variables.object ?? [:]).members.filter { !$0.key.hasPrefix("env.") }
    var draft = addition.draft(JSONObject(variables), at: source)
    guard stored?.details.store != .digests else {
      throw SessionFailure(.usage, "\(source): the run keeps only digests of its inputs")
    }
    if keepsAnswer {
      let filter = AttemptFilter(suite: address.suite, caseID: address.caseID)
      let attempts = try perform { try store.attempts(run: run.id, filter) }
        .filter { address.number == nil || $0.key.repeatIndex == address.number }
      guard let attempt = attempts.first(where: { $0.outcome != .pass }) ?? attempts.first else {
        throw SessionFailure(.nothingSelected, "\(source): the run has no such attempt")
      }
      draft.answer = try addition.stubAnswer(attempt.output, at: source)
    }
    return draft
  }
}
