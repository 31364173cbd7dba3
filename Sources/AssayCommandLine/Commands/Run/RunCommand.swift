import EvalFindings
import EvalRecords
import EvalSessions
import EvalStatistics
import EvalSuites
import ResultStore
import SystemBasics

/// `assay run`: runs suites, stores and reports the results, and judges them by gates and
/// baselines.
struct RunCommand: Command {
  let specification = CommandSpecification(
    name: "run", summary: "Runs suites and reports on them.", positionals: "[SUITE …]",
    positionalCount: 0...10_000,
    options: Options.selection + [Options.failed, Options.watch] + Options.running
      + [
        Options.reuse, Options.baseline, Options.inconclusive, Options.allowNotComparable,
        Options.noSecondLook,
      ],
    details: """
      SUITE is a suite file, a folder with suites (default: evals), or the id of a suite in evals.
      """,
    examples: [
      .init("run", "Runs all suites below evals, and writes the reports to reports/latest."),
      .init(
        "run --case 'flashcards/*' -r 10 -m model.gguf",
        "Runs every test case of the suite flashcards ten times on your own model."),
    ])

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    if arguments.has(Options.watch) {
      var runs = try WatchedRuns(self, arguments, in: context)
      return await runs.run()
    }
    let options = try RunOptions(arguments, in: context)
    let loaded = try context.evaluation.suites(at: arguments.positionals)
    return try await run(loaded, arguments, options, in: context)?.status ?? .nothingSelected
  }

  /// The result of a run of suites.
  struct Ending {
    let status: ExitStatus
    /// The run's number.
    let run: Int
    let attempts: [AttemptRecord]
  }

  /// Runs suites once, compares them with their baselines, and writes the reports.
  ///
  /// - Parameters:
  ///   - loaded: All loaded suites.
  ///   - only: The ids of the only suites that may run, or `nil` to run every suite that the
  ///     arguments select.
  ///   - arguments: The checked arguments.
  ///   - options: The options of the run.
  ///   - context: The program's context.
  /// - Returns: The result of the run, or `nil` if the arguments select none of the suites in
  ///   `only`.
  func run(
    _ loaded: [Suite], only: Set<String>? = nil, _ arguments: ParsedArguments,
    _ options: RunOptions, in context: ProgramContext
  ) async throws -> Ending? {
    var options = options
    let choice = try BaselineChoice(arguments[Options.baseline])
    let suites = try arguments.selected(
      from: arguments.has(Options.failed)
        ? try FailedCases.lastRun(in: options.settings.database).selected(from: loaded) : loaded
    ).filter { only?.contains($0.id) ?? true }
    if only != nil, suites.isEmpty { return nil }
    try arguments.checkModels(inGatesOf: suites)
    let search = VanishedSuites(
      from: loaded.map { $0.record() }, at: arguments.positionals,
      in: context.evaluation.workingDirectory)
    options.settings.isOfAllSuites =
      search.isWhole && Set(suites.map(\.id)) == Set(loaded.map(\.id))
    if choice == .accepted(elseBranches: choice.branches) {
      options.settings.vanishedBaselines = search.ids(in: options.settings.reports) {
        Set(((try? context.evaluation.suites(at: [])) ?? []).map(\.id))
      }
    }
    for path in BaselineFile.strays(in: options.settings.reports) {
      context.console.tell(
        warning:
          "\(path): not the name of a baseline (SUITE.jsonl or SUITE@KEY.jsonl), so the file "
          + "is left out")
    }
    let settings = options.settings
    context.console.warn(ofKeywordsIn: suites)
    // The stub ignores the input, so placeholders don't matter to it.
    if settings.backends.ids != ["stub"] { context.console.warn(ofPlaceholdersIn: suites) }
    // Report a damaged baseline before anything runs.
    let plan = try ReferencePlan(
      arguments, choice, suites: suites.map(\.id), folders: [settings.reports], in: context)
    options.settings.comparedSuites =
      choice.branches.isEmpty ? Set(plan.loaded.map(\.suite)) : Set(suites.map(\.id))
    let outcome = try await options.run(suites, references: plan, in: context)
    let store = try openStore(settings.database, access: .reading)
    var judged = try JudgedRun(
      outcome.run, outcome.attempts, against: outcome.references, pooling: store, plan.history)
    try judged.keepComparisons(in: openStore(settings.database, waiting: context.lockWait))
    for (baseline, comparison) in judged.compared
    where baseline.acceptedAt != nil && comparison.hasOtherSettings {
      context.console.tell(
        warning: "\(baseline.suite) can't be compared with its baseline"
          + "\(comparison.protocolWords). "
          + SessionFailure.renewalAdvice(
            forSuite: baseline.suite,
            options: ReportWriter.placeOptions(
              reports: settings.reports, database: settings.database)))
    }
    if outcome.run.status == .complete, !arguments.has(Options.noSecondLook) {
      try await SecondLooks(options: options, context: context).run(
        after: outcome.run, outcome.attempts, judged.compared, suites)
      try judged.addSecondLooks(in: store)
    }
    let status = plan.judging.status(of: judged.conclusion)
    let document = judged.document(plan.judging)
    try ReportWriter(
      reports: settings.reports, database: settings.database, output: options.output,
      context: context
    ).publish(document, status: status, duration: outcome.duration)
    // Partial runs stay out of the history: their rates aren't comparable with those of full runs.
    if !outcome.run.details.isPart {
      try HistoryFile(
        reports: settings.reports, waiting: context.lockWait,
        program: context.evaluation.programName
      ).addAndDraw(document, exitStatus: Int(status.rawValue))
    }
    return Ending(status: status, run: outcome.run.id, attempts: outcome.attempts)
  }
}

extension Judging {
  /// Returns the exit status for a conclusion.
  func status(of conclusion: Conclusion) -> ExitStatus {
    if isSuccess(conclusion) { return .passed }
    return switch conclusion {
    case .interrupted: .interrupted
    case .defect, .nothingRan: .cannotRun
    case .notComparable: .usage
    case .failed, .inconclusive, .passed, .acknowledged, .notJudged: .failed
    }
  }
}

extension Judging {
  /// Creates the rule from the options of a command.
  ///
  /// - Parameters:
  ///   - arguments: The checked arguments.
  ///   - stored: The rule of the command that made the run, which applies to options that this
  ///     command doesn't give.
  init(_ arguments: ParsedArguments, stored: Judging? = nil) throws(UsageError) {
    self = stored ?? Judging()
    if arguments.has(Options.inconclusive) {
      failsInconclusive = try arguments[Options.inconclusive] == .fail
    }
    if arguments.has(Options.allowNotComparable) { allowsNotComparable = true }
  }
}

extension ReferencePlan {
  /// Creates a plan from the options of a command.
  ///
  /// - Parameters:
  ///   - arguments: The checked arguments.
  ///   - choice: What to compare the run with.
  ///   - suites: The ids of the run's suites.
  ///   - kind: The kind of the run's answers.
  ///   - folders: The folders of reports that may have accepted baselines; empty if the run keeps
  ///     its references, so that a baseline file that was damaged since doesn't matter.
  ///   - stored: The rule of the command that made the run, if it is stored.
  ///   - context: The program's context.
  /// - Throws: `SessionFailure` if a baseline or the history can't be read.
  init(
    _ arguments: ParsedArguments, _ choice: BaselineChoice, suites: [String],
    kind: BaselineKind = .model, folders: [String],
    stored: Judging? = nil, in context: ProgramContext
  ) throws {
    self.init(
      rule: try arguments[Options.baseline], choice: choice,
      loaded: try choice.load(suites: suites, folders: folders, database: arguments.database),
      history: try HistoryFile(reports: arguments.reports).read {
        context.console.tell(warning: $0)
      },
      judging: try Judging(arguments, stored: stored),
      acknowledgements: try AcknowledgementFile(in: folders).entries)
    noteBaselines(
      of: suites, kind, missingIn: folders, usuallyIn: arguments.usualReports,
      around: context.evaluation.workingDirectory)
  }
}

extension ComparisonRecord {
  /// A description of the two sides' measurement protocols if they differ, otherwise a reference to
  /// the report.
  fileprivate var protocolWords: String {
    for difference in differences {
      guard
        case .setting(.measurementProtocol, .integer(let before), .integer(let after), _) =
          difference.fact
      else { continue }
      return ", which was measured under protocol \(before); this run is under protocol \(after)"
    }
    return ", as the report explains"
  }

  /// Whether the sides differ in a setting of a whole suite other than the model and the repeats.
  ///
  /// Renewing the baseline removes such differences. If only some test cases have other settings,
  /// the comparison leaves them out.
  fileprivate var hasOtherSettings: Bool {
    differences.contains { difference in
      guard case .setting(let name, _, _, let cases) = difference.fact, cases.isEmpty else {
        return false
      }
      return ![.model, .modelDigest, .servedModel, .repeats].contains(name) && !name.isOfJudging
    }
  }
}
