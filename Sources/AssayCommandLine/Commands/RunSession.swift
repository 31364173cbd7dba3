import EvalRecords
import EvalRunner
import EvalSessions
import EvalSuites
import Foundation
import ResultStore
import Synchronization

/// A run from loaded suites to stored attempts: what `run` and `compare` have in common.
struct RunSession {
  let options: RunOptions
  let context: ProgramContext
  /// Whether failures are told one by one as the run goes on.
  var tellsFailures = true
  /// What the run will be compared with, as its command said it.
  var baselineRule: String?

  /// What a run left.
  struct Outcome {
    /// The run as it ended.
    let run: RunRecord
    /// Its attempts, in order of finishing.
    let attempts: [AttemptRecord]
    /// What the gates say.
    let gates: [GateResultRecord]
    /// How long it took, in seconds.
    let duration: Double
  }

  /// Loads suites: files, folders, and those that the program brings.
  ///
  /// - Parameters:
  ///   - names: Suite files, folders of some, or ids of the program's own suites; none for the
  ///     folder `evals`, where there is one, and all of the program's own.
  ///   - context: The surroundings, with the program's types and suites.
  /// - Throws: `SessionFailure` with every problem of every file.
  static func load(
    _ names: [String], in context: ProgramContext
  ) throws(SessionFailure) -> [Suite] {
    let loaded = context.evaluation.registered.load(names, environment: context.environment)
    guard loaded.problems.isEmpty else {
      throw SessionFailure(.usage, loaded.problems.map(\.description))
    }
    return loaded.suites
  }

  /// Runs suites and stores every attempt as it ends.
  ///
  /// - Parameters:
  ///   - suites: The suites with the selected variants and cases.
  ///   - comparison: The two variants that the run is made to compare.
  /// - Throws: `SessionFailure` where nothing could run or be stored.
  func run(
    _ suites: [Suite], comparing comparison: VariantComparison? = nil
  ) async throws -> Outcome {
    let plan = RunPlan(
      suites: suites, backends: options.choice.ids, repeats: options.repeats, seed: options.seed,
      fresh: try options.fresh(at: options.beginning(at: context.timestamp)))
    guard plan.attemptCount > 0 else {
      throw SessionFailure(.nothingSelected, "no case is selected, so nothing ran")
    }
    if !options.allowsCommands, let suite = suites.first(where: \.usesCommands) {
      throw SessionFailure(
        .usage,
        "\(suite.path): the suite runs external programs; --allow-commands lets it")
    }
    // What a suite keeps only the digests of must not lie in the cache either.
    let withheld = Set(suites.filter { $0.details.store == .digests }.map(\.id))
    let backends = try BackendFactory.backends(options.choice, in: context.evaluation).map {
      backend in
      options.isCached
        ? CachingBackend(
          backend, cache: AnswerFolder(path: "\(options.reports)/cache").cache,
          uncachedSuites: withheld)
        : backend
    }
    try checkStopping(plan)
    try prepareFolders()
    let store = try openStore(options.database)
    let (begun, done) = try begin(plan, backends.map(\.record), comparison, store)
    announce(plan, begun)
    let start = context.evaluation.now()
    let order = options.earlyStoppingAlpha == nil ? plan : plan.shuffled(seed: UInt64(begun.id))
    let keeper = SharedKeeper(
      AttemptKeeper(suites: plan.suites, budget: options.traceBudget, done: done))
    let (added, result) = try await carryOut(
      order, done, backends, store, begun.id, keeper)
    let attempts = done + added
    let status: RunRecord.Status = result.ending == .complete ? .complete : .interrupted
    var details = begun.details
    details.ending = nil
    details.traces = keeper.use(warningOn: context.console)
    if case .stopped(let reason) = result.ending {
      details.ending = reason
      let skipped = attempts.count { $0.outcome == .skipped }
      context.console.tell(
        warning: "\(reason): \(skipped.counted("attempt")) \(skipped == 1 ? "was" : "were") skipped"
      )
    }
    let retried = added.count { $0.outcome == .pass && $0.details.earlierTries != nil }
    if retried > 0 {
      context.console.tell(
        warning: "\(retried.counted("attempt")) passed after failed tries, which the records have")
    }
    details.earlyStops = result.earlyStops.isEmpty ? nil : result.earlyStops
    for stop in result.earlyStops {
      context.console.notes(
        "\(stop.suite) on \(stop.backend) \(stop.words): "
          + "\(stop.count) of \(stop.planned) \(stop.reducer == nil ? "attempts" : "cases") decided\n"
      )
    }
    let finished = try perform {
      try store.finishRun(
        begun.id, status: status, at: context.timestamp, details: details)
      return try store.run(begun.id)
    }
    return Outcome(
      run: try withEvaluations(finished, backends, store), attempts: attempts,
      gates: GateResultRecord.results(
        suites: plan.suites, backends: options.choice.ids, attempts: attempts),
      duration: context.evaluation.now() - start)
  }

  /// Begins a run, or goes on with an interrupted one.
  ///
  /// - Returns: The run, and the attempts that it has already.
  /// - Throws: `SessionFailure` where the interrupted run is not of the same plan and backends.
  private func begin(
    _ plan: RunPlan, _ backends: [BackendRecord], _ comparison: VariantComparison?,
    _ store: ResultStore
  ) throws(SessionFailure) -> (run: RunRecord, done: [AttemptRecord]) {
    guard let id = options.resume else {
      let copy = WorkingCopy(
        around: context.evaluation.workingDirectory, environment: context.environment)
      var details = RunDetails()
      details.branch = copy.branch
      details.baselineRule = baselineRule
      details.shard = options.shard
      details.selection = options.selection.isEmpty ? nil : options.selection
      let run = RunRecord(
        id: 0, label: options.label, startedAt: context.timestamp, status: .running,
        toolVersion: ToolVersion.current,
        commit: copy.commit, backends: backends, suites: plan.suites, comparison: comparison,
        details: details)
      return (try perform { try store.beginRun(run) }, [])
    }
    let interrupted = try perform { try store.run(id) }
    guard interrupted.status != .complete else {
      throw SessionFailure(.usage, "run \(id) is complete; there is nothing to go on with")
    }
    let differences = Self.differences(interrupted.suites, plan.suites)
    guard differences.isEmpty else {
      throw SessionFailure(
        .usage,
        "run \(id) can't go on: its suites, cases or options are not those of now: "
          + differences.joined(separator: "; "))
    }
    guard interrupted.comparison == comparison else {
      throw SessionFailure(
        .usage, "run \(id) can't go on: it was made by another command, `run` or `compare`")
    }
    guard interrupted.backends == backends else {
      throw SessionFailure(
        .usage, "run \(id) can't go on: its backends or their models are not those of now")
    }
    return try perform {
      let run = try store.resumeRun(id)
      let attempts = try store.attempts(run: id, AttemptFilter(includesTraces: true))
      return (run, attempts.filter { $0.outcome != .skipped })
    }
  }

  /// What the suites of now have that those of a run have not, in words.
  private static func differences(_ before: [SuiteRecord], _ now: [SuiteRecord]) -> [String] {
    let gone = before.filter { suite in !now.contains { $0.id == suite.id } }
    return gone.map { "no suite \($0.id) any more" }
      + now.flatMap { suite -> [String] in
        guard let earlier = before.first(where: { $0.id == suite.id }) else {
          return ["a new suite \(suite.id)"]
        }
        return earlier.differences(to: suite).map { "\(suite.id): \($0)" }
      }
  }

  /// Says which gates `--stop-early` can't settle early.
  ///
  /// - Throws: `SessionFailure` where that is all of them.
  private func checkStopping(_ plan: RunPlan) throws(SessionFailure) {
    guard options.earlyStoppingAlpha != nil else { return }
    let reasons = plan.suites.compactMap { suite in
      suite.reasonToRunAll.map { "\(suite.id) (\($0))" }
    }
    guard reasons.count < plan.suites.count else {
      throw SessionFailure(
        .usage,
        "--stop-early can settle no gate early: \(reasons.joined(separator: ", ")); "
          + "gates of attempts, and of cases that pass or don't, are allowed")
    }
    if !reasons.isEmpty {
      context.console.tell(
        warning: "run to their end by --stop-early: \(reasons.joined(separator: ", "))")
    }
  }

  private func prepareFolders() throws(SessionFailure) {
    do throws(OutputFolder.Failure) {
      try OutputFolder(path: options.reports).prepare()
    } catch {
      throw SessionFailure(.cannotRun, error.description)
    }
  }

  private func announce(_ plan: RunPlan, _ run: RunRecord) {
    let cases = plan.suites.reduce(0) { $0 + $1.cases.count }
    let backends = run.backends.map { "\($0.id) (\($0.model))" }.joined(separator: ", ")
    context.console.notes(
      "assay \(ToolVersion.current)  run \(run.id)  \(backends)\n"
        + "\(plan.suites.count.counted("suite")), \(cases.counted("case")), "
        + "\(plan.attemptCount.counted("attempt")), "
        + "\(options.jobs) at a time\n")
  }

  private func carryOut(
    _ plan: RunPlan, _ done: [AttemptRecord], _ backends: [any EvalBackend],
    _ store: ResultStore, _ id: Int, _ keeper: SharedKeeper
  ) async throws -> ([AttemptRecord], Runner.Result) {
    let log = RunLog(
      store: store, run: id, keeper: keeper,
      progress: ProgressReporter(
        console: context.console, plan: plan, done: done,
        failures: tellsFailures ? options.failures : .none, now: context.evaluation.now()),
      now: context.evaluation.now)
    var runner = Runner(
      jobs: options.jobs, timeLimit: options.timeLimit, traces: options.traces,
      retries: options.retries, callsPerMinute: options.callsPerMinute, budget: options.budget,
      earlyStoppingAlpha: options.earlyStoppingAlpha)
    if options.allowsCommands {
      runner.commands = ExternalCommand(environment: context.environment).access
    }
    let console = context.console
    let chosen = runner
    let result = await withTaskGroup(of: Runner.Result?.self) { group in
      group.addTask {
        await chosen.run(
          plan: plan, done: done, backends: backends, clock: ContinuousClock()
        ) { event in
          if case .finished(let attempt) = event { log.add(attempt) }
        }
      }
      group.addTask {
        let interrupt = Interrupt {
          console.notes("\nstopping; what finished is kept (again to stop at once)\n")
        }
        while !Task.isCancelled, !interrupt.isRequested, !log.isBroken {
          log.tick()
          try? await Task.sleep(for: .milliseconds(20))
        }
        return nil
      }
      // The first to end is the run, or the wish to stop it; then the other one is told to end.
      var ended: Runner.Result?
      for await result in group {
        group.cancelAll()
        if let result { ended = result }
      }
      return ended ?? Runner.Result(ending: .interrupted)
    }
    return (try log.end(), result)
  }
}

/// What is kept of attempts that end in several tasks.
private final class SharedKeeper: Sendable {
  private let keeper: Mutex<AttemptKeeper>

  init(_ keeper: AttemptKeeper) { self.keeper = Mutex(keeper) }

  func kept(_ attempt: AttemptRecord) -> AttemptRecord { keeper.withLock { $0.kept(attempt) } }

  /// What became of the traces, nil where there were none; what was dropped is said.
  func use(warningOn console: Console) -> TraceUse? {
    let use = keeper.withLock(\.use)
    if use.dropped > 0 {
      console.tell(
        warning: "the steps of \(use.dropped.counted("attempt")) were not kept: "
          + "\(use.budget >> 20) MiB are used up; --trace-budget MIB allows more")
    }
    return use.kept + use.dropped == 0 ? nil : use
  }
}

/// What a run gives as it goes: attempts into the database, and progress to the console.
private final class RunLog: Sendable {
  private struct State {
    var attempts: [AttemptRecord] = []
    var progress: ProgressReporter
    var failure: String?
  }

  private let store: ResultStore
  private let run: Int
  private let keeper: SharedKeeper
  private let now: @Sendable () -> Double
  private let state: Mutex<State>

  init(
    store: ResultStore, run: Int, keeper: SharedKeeper, progress: ProgressReporter,
    now: @escaping @Sendable () -> Double
  ) {
    self.store = store
    self.run = run
    self.keeper = keeper
    self.now = now
    state = Mutex(State(progress: progress))
  }

  /// Whether the database took no more; then nothing is added any longer.
  var isBroken: Bool { state.withLock { $0.failure != nil } }

  /// Stores an attempt, and tells of it.
  func add(_ attempt: AttemptRecord) {
    state.withLock { state in
      guard state.failure == nil else { return }
      let attempt = keeper.kept(attempt)
      do {
        try store.append(attempt, run: run)
      } catch {
        state.failure = String(describing: error)
        return
      }
      state.attempts.append(attempt)
      state.progress.finished(attempt, now: now())
    }
  }

  /// Draws the progress again.
  func tick() { state.withLock { $0.progress.tick(now: now()) } }

  /// The stored attempts.
  ///
  /// - Throws: `SessionFailure` where the database took no more.
  func end() throws(SessionFailure) -> [AttemptRecord] {
    let (attempts, failure) = state.withLock { state in
      state.progress.end()
      return (state.attempts, state.failure)
    }
    if let failure { throw SessionFailure(.cannotRun, failure) }
    return attempts
  }
}

extension RunOptions {
  /// When the run begins, or began where it is gone on with: the one time by which its baselines are
  /// chosen, now and whenever its reports are made again.
  func beginning(at now: String) throws(SessionFailure) -> String {
    guard let resume else { return now }
    let store = try openStore(database, access: .reading)
    return try perform { try store.run(resume).startedAt }
  }
}

extension RunOptions {
  /// The fresh block of a run.
  ///
  /// - Parameter time: When the run begins, or began where it is gone on with: the date is the seed,
  ///   so that every night has another, and one that anybody can repeat.
  func fresh(at time: String) -> (repeats: Int, seed: UInt64)? {
    guard let freshRepeats else { return nil }
    let day = UInt64(time.prefix(10).filter(\.isNumber)) ?? 0
    return (freshRepeats, freshSeed ?? day)
  }
}
