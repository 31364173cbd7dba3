import EvalFindings
import EvalRecords
import EvalRunner
import EvalSessions
import EvalStatistics
import ResultStore
import SystemBasics

/// `assay report`: rewrites the reports of a stored run.
struct ReportCommand: Command {
  let specification = CommandSpecification(
    name: "report", summary: "Writes the reports of a stored run.", positionals: "[RUN]",
    positionalCount: 0...1,
    options: [
      Options.baselineOfReport, Options.inconclusive, Options.allowNotComparable, Self.dashboard,
      Options.reports, Options.database,
    ] + Options.output,
    details: """
      RUN is the number of a run (default: the last one). The reports show the comparison with the
      reference that the run kept, even if another baseline was accepted since. The command exits
      with the status of the run. Without RUN, it exits with 4 if a later command failed before it
      had results.
      """,
    examples: [
      .init("report 12", "Writes the reports of run 12 again."),
      .init("report --dashboard", "Draws the dashboard of all runs."),
    ])

  private static let dashboard = OptionKey<Bool>.flag(
    "dashboard", .command,
    "draw the dashboard of all runs instead of writing reports; first, add the runs that are only "
      + "in the database to REPORTS/history.jsonl")

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    let store = try openStore(arguments.database, access: .reading)
    if arguments.has(Self.dashboard) {
      let file = HistoryFile(
        reports: arguments.reports, waiting: context.lockWait,
        program: context.evaluation.programName)
      let history = try file.read { context.console.tell(warning: $0) }
      guard arguments.positionals.isEmpty else {
        throw UsageError("--dashboard draws all runs; leave out RUN")
      }
      return try dashboard(file, history, store, arguments, in: context)
    }
    let run = try StoredRun.find(arguments.positionals.first, in: store)
    if arguments.positionals.isEmpty,
      LatestReports(reports: arguments.reports).isOfFailedCommand
    {
      let command =
        ["\(context.evaluation.programName) report \(run.id)"]
        + ReportWriter.placeOptions(reports: arguments.reports, database: arguments.database)
      throw SessionFailure(
        .usage,
        "a command failed after run \(run.id), before it had results "
          + "(\(arguments.reports)/latest/junit.xml says why); to report on run \(run.id), name "
          + "it: \(command.joined(separator: " "))")
    }
    return try Self.publish(run, of: store, arguments, in: context)
  }

  /// Writes the reports of a stored run.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - store: The database that contains the run.
  ///   - arguments: The checked arguments. If the command lacks an option, the option's default
  ///     applies.
  ///   - addsToHistory: Whether to add the run to the history and to draw the dashboard. Runs that
  ///     lack test cases or compare variants are never added.
  ///   - context: The program's context.
  /// - Returns: The exit status of the run.
  static func publish(
    _ run: RunRecord, of store: ResultStore, _ arguments: ParsedArguments,
    addsToHistory: Bool = false, in context: ProgramContext
  ) throws -> ExitStatus {
    let (reports, database) = (arguments.reports, arguments.database)
    let writer = ReportWriter(
      reports: reports, database: database, output: try OutputOptions(arguments),
      context: context)
    if run.comparison != nil {
      let attempts = try perform { try store.attempts(run: run.id) }
      try arguments.refuse(
        [Options.baselineOfReport],
        "only applies to runs that gates judge; run \(run.id) compares variants")
      let comparisons = try VariantComparisons.comparisons(of: run, attempts, pooling: store)
      if let record = run.details.lab, let comparison = run.comparison {
        let result = LabResult(record, comparison, comparisons.map(\.record))
        let status = LabCommand.status(
          of: run, attempts, comparisons, result, failsSurvivors: record.failsSurvivors)
        try writer.publish(
          ReportDocument(
            run: run, attempts: attempts, comparisons: comparisons, lab: result,
            failsSurvivors: record.failsSurvivors),
          lab: result, status: status, duration: nil)
        return status
      }
      let judging = try Judging(arguments, stored: run.details.judging)
      let status = CompareCommand.status(of: run, attempts, comparisons, judging: judging)
      let document = ReportDocument(
        run: run, attempts: attempts, comparisons: comparisons, judging: judging)
      try writer.publish(document, status: status, duration: nil)
      return status
    }
    let (judged, judging) = try night(run, in: store, arguments, in: context)
    // The command has just stored the run.
    if store.access == .writing { try judged.keepComparisons(in: store) }
    let document = judged.document(judging)
    let status = judging.status(of: judged.conclusion)
    try writer.publish(document, status: status, duration: nil)
    if addsToHistory, !run.details.isPart {
      try HistoryFile(
        reports: reports, waiting: context.lockWait, program: context.evaluation.programName
      ).addAndDraw(document, exitStatus: Int(status.rawValue))
    }
    return status
  }

  /// Judges a stored run by its gates and its references, and returns it with the rules for its
  /// exit status.
  private static func night(
    _ run: RunRecord, in store: ResultStore, _ arguments: ParsedArguments,
    in context: ProgramContext
  ) throws -> (JudgedRun, Judging) {
    let own = try run.choice
    let choice =
      arguments.has(Options.baselineOfReport)
      ? try BaselineChoice(arguments[Options.baselineOfReport]) : own
    let isKept = run.details.references != nil && choice == own
    let plan = try ReferencePlan(
      arguments, choice, suites: run.suites.map(\.id), kind: BaselineKind(of: run),
      folders: isKept ? [] : [arguments.reports],
      stored: run.details.judging, in: context)
    // Assay 0.1 kept no references, so only its runs lack the references that they asked for.
    return (try JudgedRun(stored: run, plan, isOld: true, in: store), plan.judging)
  }

  /// Draws the dashboard.
  ///
  /// The exit status doesn't depend on the results of the runs.
  private func dashboard(
    _ file: HistoryFile, _ history: RunHistory, _ store: ResultStore,
    _ arguments: ParsedArguments, in context: ProgramContext
  ) throws -> ExitStatus {
    var history = history
    // Runs that compare variants, runs with only some test cases, new judgements of stored answers,
    // and runs that have not ended don't belong to the history.
    for run in try perform({ try store.runs() })
    where run.comparison == nil && !run.details.isPart && run.details.recheckOf == nil
      && run.status != .running
      && !history.contains(run)
    {
      let (judged, judging) = try Self.night(run, in: store, arguments, in: context)
      let status = judging.status(of: judged.conclusion)
      history = try file.add(
        judged.document(judging), exitStatus: Int(status.rawValue), to: history)
    }
    let path = try file.draw(history)
    let count = history.entries.count
    context.console.output("  dashboard  \(path), \(count.counted("run"))\n")
    return .passed
  }
}
