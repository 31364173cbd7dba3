import Backends
import EvalRecords
import EvalRunner
import EvalSuites
import ResultStore

/// An evaluation, which turns loaded suites into stored attempts.
///
/// ```
/// suites ─► plan ─► backends ─► store: begin or continue ─► attempts ─► store: finish ─► outcome
///                                        └──────────── events ────────────┘
/// ```
/// An evaluation neither prints nor exits, and it takes the clock and the environment from its
/// context. Cancelling the task ends the evaluation in an orderly way: finished attempts are
/// stored, and the run is marked as interrupted.
package struct Evaluation: Sendable {
  /// Receives the events of an evaluation, one at a time.
  package typealias EventHandler = @Sendable (EvaluationEvent) -> Void

  /// The settings.
  package let settings: EvaluationSettings
  /// The context of the evaluation.
  package let context: EvaluationContext
  /// What to compare the run with, or `nil` if no baseline judges the run.
  package let references: ReferencePlan?
  let onEvent: EventHandler

  /// The outcome of an evaluation.
  package struct Outcome: Sendable {
    /// The run as it was when it ended.
    package let run: RunRecord
    /// The run's attempts, in the order in which they finished.
    package let attempts: [AttemptRecord]
    /// What the run is compared with.
    package let references: References
    /// The duration in seconds.
    package let duration: Double
  }

  /// Creates an evaluation.
  ///
  /// - Parameters:
  ///   - settings: The settings.
  ///   - context: The context of the evaluation.
  ///   - references: What to compare the run with, or `nil` if no baseline judges the run.
  ///   - onEvent: Receives the events, one at a time.
  package init(
    _ settings: EvaluationSettings, in context: EvaluationContext,
    references: ReferencePlan? = nil,
    onEvent: @escaping EventHandler
  ) {
    self.settings = settings
    self.context = context
    self.references = references
    self.onEvent = onEvent
  }

  /// Runs suites and stores every attempt as it ends.
  ///
  /// - Parameters:
  ///   - suites: The suites with the selected variants and test cases.
  ///   - comparison: The variants to compare, or `nil` if gates judge the run.
  /// - Returns: The outcome, even if the run was interrupted or used up its budget.
  /// - Throws: `SessionFailure` if the run can't begin, or if its attempts can't be stored.
  ///   Finished attempts that can't be stored are then in a file beside the database.
  package func run(
    _ suites: [Suite], comparing comparison: VariantComparison? = nil
  ) async throws(SessionFailure) -> Outcome {
    let onEvent = onEvent
    let waiting = LockWait { onEvent(.waiting($0)) }
    let result: Result<Outcome, SessionFailure> = await withTaskCancellationHandler {
      do throws(SessionFailure) {
        return .success(try await run(suites, comparing: comparison, waiting))
      } catch {
        // If the task was cancelled while another process had locked the database, the failure is a
        // part of the interruption.
        return .failure(
          waiting.hasEndedEarly ? SessionFailure(.interrupted, error.messages) : error)
      }
    } onCancel: {
      waiting.hurry()
    }
    return try result.get()
  }

  private func run(
    _ suites: [Suite], comparing comparison: VariantComparison?, _ waiting: LockWait
  ) async throws(SessionFailure) -> Outcome {
    // Everything that a lock or a slow terminal may delay happens on this queue.
    let queue = WorkQueue("assay.store")
    var warnings: [EvaluationEvent] = []
    for suite in suites {
      for id in settings.backends.unknownModels(in: suite.gate, context.registered) {
        guard settings.backends.isOnlyModel(id) else {
          throw SessionFailure(
            .usage,
            "\(suite.id): the gate has a pass rate for `\(id)`, but there is no such backend; "
              + "this run's backends are \(settings.backends.ids.joined(separator: ", ")), and "
              + "there is no model file of that name in the project file, or beside its models and "
              + "this run's")
        }
        warnings.append(.unusedGateBackend(suite: suite.id, backend: id))
      }
    }
    let suites = suites.map { suite in
      var suite = suite
      suite.gate.nameModels(settings.backends.localModels)
      return suite
    }
    let plan = try plan(of: suites, isGated: comparison == nil)
    let drafts = AnswerDrafts()
    let backends = try backends(for: suites, drafts: drafts)
    try checkSettings(plan, backends)
    let unstoppable = try unstoppableSuites(plan)
    if !unstoppable.isEmpty { warnings.append(.cannotStopEarly(unstoppable)) }
    try prepareFolders()
    let prepared = try await queue.perform { [warnings] () throws(SessionFailure) in
      for warning in warnings { onEvent(warning) }
      let store = try openStore(settings.database, waiting: waiting)
      for added in store.pendingAdded { onEvent(.addedPending(added)) }
      let earlier = try addEarlierAnswers(to: suites, in: store, into: drafts)
      let (begun, done, references) = try begin(
        plan, of: suites, backends.map(\.record), comparison, in: store)
      let made = Set(done.map(\.key))
      let reuse = try reusePlan(of: plan, done: made, for: begun, on: backends, in: store)
      let forecast = try forecast(
        of: plan, done: made.union(reuse.reused.keys), on: backends, accepted: earlier, in: store)
      onEvent(.expects(forecast))
      onEvent(.began(begun, plan: plan, done: done, jobs: settings.jobs))
      return (store, begun, done, references, reuse)
    }
    let (store, begun, done, references, reuse) = prepared
    let elapsed = context.clock.stopwatch()
    let storing = meter
    let judging = meter
    let sink = AttemptSink(
      store: store, run: begun, time: storing,
      keeper: AttemptKeeper(suites: plan.suites, budget: settings.traceBudget, done: done),
      onEvent: UncountedBudget(settings.budget)?.watching(onEvent) ?? onEvent)
    let (result, reused) = await make(
      settings.earlyStoppingAlpha == nil ? plan : plan.shuffled(seed: UInt64(begun.id)),
      done: done, reusing: reuse, execution(judging, queue, of: begun), on: backends, into: sink)
    return try await queue.perform { () throws(SessionFailure) in
      onEvent(.ended)
      let added = try sink.end()
      let finished = try finish(begun, done, added, result, sink.traceUse, reused, in: store)
      let run = try adding(
        evaluationsOf: backends, Self.profile(judging: judging, storing: storing), to: finished,
        with: done + added, in: store)
      store.settle()
      return Outcome(
        run: run, attempts: done + added, references: references, duration: elapsed())
    }
  }

  /// A new meter of processor time, or `nil` if the run is not profiled.
  private var meter: TimeMeter? {
    settings.isProfiled ? TimeMeter(now: context.processorTime) : nil
  }

  private static func profile(judging: TimeMeter?, storing: TimeMeter?) -> TimeProfile? {
    guard let judging, let storing else { return nil }
    var profile = TimeProfile()
    profile[.judging] = judging.seconds
    profile[.storing] = storing.seconds
    return profile
  }

  /// Returns an execution, which carries out plans with the evaluation's settings.
  ///
  /// - Parameters:
  ///   - judging: The meter of the processor time for judging, or `nil` to measure nothing.
  ///   - queue: The queue that stores the attempts.
  ///   - run: The run.
  func execution(
    _ judging: TimeMeter?, _ queue: WorkQueue, of run: RunRecord
  ) -> PlanExecution {
    var runner = Runner(
      jobs: settings.jobs, timeLimit: settings.timeLimit, traces: settings.traces,
      retries: settings.retries, callsPerMinute: settings.callsPerMinute, budget: settings.budget,
      earlyStoppingAlpha: settings.earlyStoppingAlpha)
    // The gate of another model decides nothing, so it can't be settled early either.
    runner.comparedSuites = settings.comparedSuites.union(run.unjudgedSuites.map(\.suite))
    runner.judgingTime = judging
    runner.events = queue
    runner.commands = commands
    return PlanExecution(runner: runner, clock: context.clock)
  }

  /// The permission to run external programs, or `nil` if the settings don't allow them.
  var commands: CommandAccess? {
    settings.allowsCommands
      ? ExternalCommand(environment: context.environment, clock: context.clock).access : nil
  }
}
