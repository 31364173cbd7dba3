import Dispatch
import EvalFindings
import EvalRecords
import EvalReports
import EvalRunner
import EvalSessions
import ResultStore
import Synchronization
import SystemBasics

/// Shows the events of an evaluation on the console: progress, failures and warnings.
final class LiveView: Sendable {
  private let console: Console
  private let failures: ProgressReporter.Failures
  private let isGated: Bool
  private let isJudged: Bool
  private let now: @Sendable () -> Double
  private let progress = Mutex<ProgressReporter?>(nil)
  /// Lets one thread at a time draw.
  ///
  /// The lock of `progress` isn't held meanwhile.
  private let turns = DispatchQueue(label: "assay.console")
  private let forecast = Mutex<RunForecast?>(nil)

  /// Creates a view.
  ///
  /// - Parameters:
  ///   - console: The destination of the text.
  ///   - failures: The failures to show while the run is in progress.
  ///   - isGated: Whether gates judge the run.
  ///   - isJudged: Whether attempts pass or fail.
  ///   - now: Returns the time in seconds.
  init(
    console: Console, failures: ProgressReporter.Failures, isGated: Bool = true,
    isJudged: Bool = true, now: @escaping @Sendable () -> Double
  ) {
    self.console = console
    self.failures = failures
    self.isGated = isGated
    self.isJudged = isJudged
    self.now = now
  }

  /// A thread that redraws the progress until `end` is called.
  final class Redrawing: Sendable {
    private let hasEnded = Atomic(false)

    /// Ends the thread.
    func end() { hasEnded.store(true, ordering: .relaxed) }

    fileprivate func start(_ redraw: @escaping @Sendable () -> Void) {
      DetachedThread.start {
        while !self.hasEnded.load(ordering: .relaxed) {
          redraw()
          usleep(20_000)
        }
      }
    }
  }

  /// Starts to redraw the progress, on a thread because a terminal that has stopped blocks it.
  func redrawing() -> Redrawing {
    let redrawing = Redrawing()
    redrawing.start { [self] in draw { $0?.tick(now: now()) } }
    return redrawing
  }

  /// Changes the progress and draws it, after the drawing of another thread has ended.
  private func draw(_ change: (inout ProgressReporter?) -> Void) {
    turns.sync {
      var reporter = progress.withLock { $0.take() }
      change(&reporter)
      progress.withLock { [reporter] in $0 = reporter }
    }
  }

  /// Shows an event; the function blocks its thread if the terminal has stopped.
  func receive(_ event: EvaluationEvent) {
    switch event {
    case .waiting(let notice):
      draw { $0?.end() }
      console.tell(warning: notice.words)
    case .addedPending(let added):
      console.notes(
        VisibleText.line(
          "\(added.file): \(added.attempts.counted("attempt")) of run \(added.run) "
            + "\(added.attempts == 1 ? "is" : "are") now in the database") + "\n")
    case .cannotStopEarly(let suites):
      let names = suites.map { "\($0.suite) (\($0.reason))" }.joined(separator: ", ")
      console.tell(warning: "--stop-early can't stop these suites early: \(names)")
    case .ignoredDrafts(let suite, let reason):
      console.tell(
        warning:
          "\(suite): the run can't use the answers of the accepted baseline to save time: "
          + reason)
    case .unusedGateBackend(let suite, let id):
      console.tell(
        warning:
          "\(suite): the gate has a pass rate for `\(id)`, but a run's only model is called `local`"
      )
    case .runsDebugBuild: console.tell(warning: SlowBuildWords.warning)
    case .expects(let expected): forecast.withLock { $0 = expected }
    case .began(let run, let plan, let done, let jobs):
      let forecast = self.forecast.withLock(\.self)
      announce(run, attempts: plan.attemptCount, jobs: jobs, forecast)
      draw {
        $0 = ProgressReporter(
          console: console, plan: plan, done: done, failures: failures, isGated: isGated,
          isJudged: isJudged, unjudged: run.unjudgedSuites, forecast: forecast, now: now())
      }
    case .finished(let attempt): draw { $0?.finished(attempt, now: now()) }
    case .cannotCount(let backend, let budgets):
      let names = budgets.map { $0 == .tokens ? "--budget-tokens" : "--budget-cost" }
      console.tell(
        warning: "\(backend) doesn't report how many tokens its answers have, so "
          + "\(names.joined(separator: " and ")) can't limit the run; --budget-calls can")
    case .ended:
      draw { progress in
        progress?.end()
        progress = nil
      }
    case .droppedTraces(let use):
      console.tell(
        warning: "the decoding steps of \(use.dropped.counted("attempt")) were not kept: "
          + "the trace budget of \(use.budget >> 20) MiB is used up; "
          + "raise it with --trace-budget MIB")
    case .stopped(let reason, let skipped):
      console.tell(
        warning: "\(reason): \(skipped.counted("attempt")) \(skipped == 1 ? "was" : "were") skipped"
      )
    case .passedAfterRetries(let count):
      console.tell(
        warning: "\(count.counted("attempt")) passed only after a retry; the records list the "
          + "failed tries")
    case .stoppedEarly(let stop):
      console.notes(
        "\(stop.suite) on \(stop.backend) \(stop.words); this result is based on "
          + "\(stop.count) of \(stop.planned) planned "
          + "\(stop.reducer == nil ? "attempts" : "test cases")\n")
    case .used(let use, let backend): console.notes("\(backend): \(use.words)\n")
    case .profiled(let profile):
      for line in profile.lines { console.notes("\(line)\n") }
    case .asked(let use, let backend):
      for line in use.lines { console.notes("\(VisibleText.line("\(backend): \(line)"))\n") }
    }
  }

  private func announce(
    _ run: RunRecord, attempts: Int, jobs: Int, _ forecast: RunForecast?
  ) {
    let cases = run.suites.reduce(0) { $0 + $1.cases.count }
    let backends = run.backends.map { "\($0.id) (\($0.model))" }.joined(separator: ", ")
    console.notes(
      "assay \(ToolVersion.current)  \(run.id == 0 ? "" : "run \(run.id)  ")\(backends)\n"
        + "\(run.suites.count.counted("suite")), \(attempts.counted("attempt")), "
        + "\(cases.counted("test case")), \(jobs) at a time\n")
    // The stub answers at once.
    if let forecast, !run.backends.allSatisfy(\.isStub) {
      console.notes(ForecastWords.first(forecast.estimate(elapsed: 0)) + "\n")
    }
  }
}
