import EvalFindings
import EvalRecords
import EvalRunner
import EvalSessions
import ResultStore
import SystemBasics

/// `assay recheck`: judges the stored answers of a run by the suites as they are now.
struct RecheckCommand: Command {
  let specification = CommandSpecification(
    name: "recheck",
    summary: "Judges the stored answers of a run by the suites as they are now.",
    positionals: "RUN [SUITE …]", positionalCount: 1...10_000,
    options: [
      Options.baselineOfReport, Options.inconclusive, Options.allowNotComparable,
      Options.allowCommands, Options.reports, Options.database,
    ] + Options.output,
    details: """
      RUN is the number of a run, and SUITE is a suite file, a folder with suites (default: evals),
      or the id of a suite in evals. No model is asked. The command stores a new run with the same
      answers, seeds and measurements but new verdicts, says which verdicts changed, and writes
      reports. The new run is compared with the baseline, whose answers are judged anew too. It has
      the same draws as RUN, so it never counts as further evidence, and stays out of the history.
      A test case that no longer exists, or whose schema, prompt, input or options have changed
      since the run, is left out, and the command then exits with 2. A renamed test case needs its
      old id in `aliases`. The command also names new test cases, to which the run has
      no answers.
      """,
    examples: [
      .init("recheck 12", "Shows what an edit of the assertions changes in run 12."),
      .init("recheck 12 evals/flashcards", "Judges only one suite of run 12 anew."),
    ])

  /// The maximum number of changed verdicts to print.
  private static let maximumChanges = 20

  func run(_ arguments: ParsedArguments, in context: ProgramContext) async throws -> ExitStatus {
    var names = arguments.positionals
    let number = names.removeFirst()
    // Report a wrong option before anything is judged and printed.
    _ = try OutputOptions(arguments)
    _ = try Judging(arguments)
    let given: BaselineChoice? =
      arguments.has(Options.baselineOfReport)
      ? try BaselineChoice(arguments[Options.baselineOfReport]) : nil
    let store = try openStore(arguments.database)
    let stored = try StoredRun.find(number, in: store)
    let suites = try context.evaluation.suites(at: names)
    let attempts = try perform { try store.attempts(run: stored.id, .init(includesTraces: true)) }
    let recheck = try Recheck(
      of: stored, attempts, by: suites, at: names,
      commands: arguments.has(Options.allowCommands)
        ? ExternalCommand(
          environment: context.environment, clock: context.evaluation.clock
        ).access : nil,
      in: context.evaluation)
    for part in recheck.leftOut { context.console.tell(warning: part.words) }
    do throws(OutputFolder.Failure) {
      try OutputFolder(path: arguments.reports).prepare()
    } catch {
      throw SessionFailure(.cannotRun, error.description)
    }
    let rule =
      given == nil ? stored.details.baselineRule : try arguments[Options.baselineOfReport]
    var plan = try ReferencePlan(
      arguments, try given ?? stored.choice, suites: recheck.run.suites.map(\.id),
      kind: BaselineKind(of: recheck.run), folders: [arguments.reports],
      stored: stored.details.judging, in: context)
    plan.rule = rule
    let added = try perform { try store.add(recheck.run, recheck.attempts) }
    let text = Self.text(recheck, run: added.id, of: stored.id)
    try arguments[Options.format] == .json
      ? context.console.notes(text) : context.console.output(text)
    var run = try perform { try store.run(added.id) }
    if !added.wasThere {
      run = try References.keep(plan, for: run, judge: recheck.judge, in: store).run
    }
    return try ReportCommand.publish(run, of: store, arguments, in: context)
  }

  /// Returns the list of changed verdicts.
  private static func text(_ recheck: Recheck, run: Int, of stored: Int) -> String {
    var lines = [
      "run \(run): \(recheck.attempts.count.counted("attempt")) of run \(stored), judged anew: "
        + "\(recheck.changes.count.counted("verdict")) changed, and the outcome of "
        + recheck.changedOutcomes.counted("attempt")
    ]
    lines += recheck.changes.prefix(maximumChanges).map { "  \(VisibleText.line($0.words))" }
    if recheck.changes.count > maximumChanges {
      lines.append("  and \(recheck.changes.count - maximumChanges) more")
    }
    return lines.map { $0 + "\n" }.joined()
  }
}
