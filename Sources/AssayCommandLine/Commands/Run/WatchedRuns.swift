import EvalFindings
import EvalRecords
import EvalReports
import EvalSessions
import EvalSuites

/// `assay run --watch`: runs the suites, and reruns them when their files are edited.
///
/// After an edit, the command runs only the suites that the edit affects, and shows the difference
/// from their last run. It continues until a signal ends it.
///
/// ```
/// load ─► run what changed ─► difference ─► wait for an edit ─┐
///   ▲                                                        │
///   └────────────────────────────────────────────────────────┘
/// ```
struct WatchedRuns {
  /// The time between two checks of the files.
  private static let pause = Duration.milliseconds(150)

  let command: RunCommand
  let arguments: ParsedArguments
  let options: RunOptions
  let context: ProgramContext

  /// The files of each suite, as they were when the suite last ran.
  private var files: [String: WatchPlan.Files] = [:]
  /// The last attempts of each suite, and the number of their run.
  private var last: [String: (run: Int, attempts: [AttemptRecord])] = [:]

  /// Creates a watch from the arguments of a command, without running anything.
  ///
  /// - Throws: `UsageError` if an option can't be combined with `--watch`.
  init(
    _ command: RunCommand, _ arguments: ParsedArguments, in context: ProgramContext
  ) throws(UsageError) {
    try arguments.refuse(
      [Options.resume, Options.failed],
      "can't be combined with --watch, because --watch chooses what to run")
    try arguments.refuse(
      [Options.reuse], "can't be combined with --watch, which uses the cache")
    var options = try RunOptions(arguments, in: context)
    // The cache answers repeated requests, so only the requests that an edit changed take time.
    options.settings.isCached = !arguments.has(Options.noCache)
    // Mark the runs as partial, so that they stay out of the history.
    options.settings.selection.append("--watch")
    (self.command, self.arguments, self.options, self.context) =
      (command, arguments, options, context)
  }

  /// Runs the suites, and reruns the affected suites after each edit, until a signal arrives.
  ///
  /// - Returns: The status of the last run, or `interrupted` if a signal stopped that run.
  mutating func run() async -> ExitStatus {
    var status = ExitStatus.passed
    while true {
      let observation = FileObservation(of: .disk)
      do {
        let loaded = try context.evaluation.suites(
          at: arguments.positionals, files: observation.reading)
        status = try await runAffected(of: loaded) ?? status
      } catch {
        status = context.console.tell(error)
      }
      if status == .interrupted { return status }
      let paths = observation.states.values.count { $0.bytes != nil }
      context.console.notes("\nwatching \(paths.counted("file")); Ctrl-C stops it\n")
      let interrupt = Interrupt {}
      guard
        await observation.edited(
          clock: context.evaluation.clock, pause: Self.pause,
          isEnded: { interrupt.isRequested })
      else { return status }
    }
  }

  /// Runs the suites whose files changed, and shows the difference from their last run.
  ///
  /// - Returns: The status of the run, or `nil` if no selected suite is affected.
  private mutating func runAffected(of loaded: [Suite]) async throws -> ExitStatus? {
    let plan = WatchPlan(loaded.map { ($0.id, $0.readFiles) }, last: files)
    files = Dictionary(
      loaded.map { ($0.id, $0.readFiles) }, uniquingKeysWith: { first, _ in first })
    let console = context.console
    for suite in plan.removed {
      last[suite] = nil
      console.notes("the suite \(VisibleText.line(suite)) is gone\n")
    }
    guard !plan.affected.isEmpty else { return nil }
    if !plan.edited.isEmpty {
      console.notes("edited: \(VisibleText.line(plan.edited.joined(separator: ", ")))\n")
    }
    let ending = try await command.run(
      loaded, only: Set(plan.affected), arguments, options, in: context)
    guard let ending else { return nil }
    let ofSuite = Dictionary(grouping: ending.attempts, by: \.key.suite)
    let known = ofSuite.filter { last[$0.key] != nil }
    if !known.isEmpty {
      let runs = Set(known.keys.compactMap { last[$0]?.run }).sorted()
      let difference = RunDifference(
        from: known.keys.flatMap { last[$0]?.attempts ?? [] }, to: known.values.flatMap { $0 })
      console.notes(
        "\ndifference from \(runs.count == 1 ? "run" : "runs") "
          + "\(runs.map(String.init).joined(separator: ", ")):\n"
          + DifferenceLines.render(difference, color: console.noteStyle.isOn))
    }
    for (suite, attempts) in ofSuite { last[suite] = (ending.run, attempts) }
    return ending.status
  }
}
