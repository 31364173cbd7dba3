import EvalRecords
import EvalRunner
import EvalSuites
import ResultStore

extension Evaluation {
  /// Creates the folder of reports if necessary, and checks that reports can be written.
  func prepareFolders() throws(SessionFailure) {
    do throws(OutputFolder.Failure) {
      try OutputFolder(path: settings.reports).prepare()
    } catch {
      throw SessionFailure(.cannotRun, error.description)
    }
  }

  /// Begins a run, or continues a run that was interrupted or stopped early.
  ///
  /// - Returns: The run, its existing attempts, and what it is compared with. A continued run keeps
  ///   the references with which it began.
  /// - Throws: `SessionFailure` if the run to continue is complete, if another command started it,
  ///   or if its suites, requests, options, backends or measurement protocol have changed.
  func begin(
    _ plan: RunPlan, of suites: [Suite], _ backends: [BackendRecord],
    _ comparison: VariantComparison?, in store: ResultStore
  ) throws(SessionFailure) -> (run: RunRecord, done: [AttemptRecord], references: References) {
    guard let id = settings.resume else {
      let copy = WorkingCopy(around: context.workingDirectory, environment: context.environment)
      var details = RunDetails()
      details.measurementProtocol = MeasurementProtocol.current
      details.machine = context.machine
      details.branch = copy.branch
      details.sources = SuiteSource.sources(of: suites, in: context.workingDirectory)
      details.shard = settings.shard
      details.selectedModels = settings.backends.selectedModels(of: backends)
      details.secondLookOf = settings.secondLookOf
      details.lab = settings.lab
      details.vanishedBaselines =
        settings.vanishedBaselines.isEmpty ? nil : settings.vanishedBaselines
      details.isOfAllSuites = settings.isOfAllSuites ? true : nil
      details.selection = settings.selection.isEmpty ? nil : settings.selection
      details.variants = settings.variants.isEmpty ? nil : settings.variants
      details.options = settings.options.isEmpty ? nil : settings.options
      let run = RunRecord(
        id: 0, label: settings.label, startedAt: context.timestamp, status: .running,
        toolVersion: ToolVersion.current,
        commit: copy.commit, backends: backends, suites: plan.suites, comparison: comparison,
        details: details)
      let begun = try perform { try store.beginRun(run) }
      guard let references else { return (begun, [], References()) }
      let kept = try References.keep(
        references, for: begun, judge: StoredAnswerJudge(plan, commands: commands), in: store)
      return (kept.run, [], kept.references)
    }
    let interrupted = try perform { try store.run(id) }
    if let obstacle = Self.obstacle(
      to: interrupted, plan, backends, comparison,
      stopsEarly: settings.earlyStoppingAlpha != nil)
    {
      throw SessionFailure(.usage, obstacle)
    }
    let done = try perform { try store.attempts(run: id, AttemptFilter(includesTraces: true)) }
      .filter { $0.outcome != .skipped }
    let changed = plan.changedRequests(since: done, on: backends)
    if let first = changed.first {
      throw SessionFailure(
        .usage,
        "run \(id) can't be continued: the requests of \(changed.count.counted("test case")) have "
          + "changed, the first of them \(first.request.suite)/\(first.request.caseID); "
          + "start a new run")
    }
    let kept = try References(keptBy: interrupted, in: store)
    return (try perform { try store.resumeRun(id) }, done, kept)
  }

  /// Returns the reason why a run can't be continued with this plan, or `nil` if it can.
  private static func obstacle(
    to run: RunRecord, _ plan: RunPlan, _ backends: [BackendRecord],
    _ comparison: VariantComparison?, stopsEarly: Bool
  ) -> String? {
    if let origin = run.details.recheckOf {
      return
        "run \(run.id) judges the answers of run \(origin.run) anew, so it can't be continued; "
        + "start a new run"
    }
    if run.status == .complete, run.details.earlyStops == nil || stopsEarly {
      return "run \(run.id) is complete; there is nothing to continue"
        + (run.details.earlyStops == nil ? "" : " with --stop-early")
    }
    let differences = differences(run.suites, plan.suites)
    if !differences.isEmpty {
      return "run \(run.id) can't be continued: its suites, test cases or options have changed: "
        + differences.joined(separator: "; ")
    }
    if run.measurementProtocol != MeasurementProtocol.current {
      return "run \(run.id) can't be continued: it began under measurement protocol "
        + "\(run.measurementProtocol), and the current one is \(MeasurementProtocol.current)"
    }
    if run.comparison != comparison {
      return "run \(run.id) can't be continued: a different command started it (`run` or `compare`)"
    }
    return run.backends == backends
      ? nil : "run \(run.id) can't be continued: its backends or their models have changed"
  }

  /// Returns descriptions of the differences between the suites of a run and the current suites.
  private static func differences(_ before: [SuiteRecord], _ now: [SuiteRecord]) -> [String] {
    let gone = before.filter { suite in !now.contains { $0.id == suite.id } }
    return gone.map { "the suite \($0.id) is missing" }
      + now.flatMap { suite -> [String] in
        guard let earlier = before.first(where: { $0.id == suite.id }) else {
          return ["the suite \(suite.id) is new"]
        }
        return earlier.differences(to: suite).map { "\(suite.id): \($0)" }
      }
  }

  /// Stores the end of a run.
  ///
  /// - Parameters:
  ///   - run: The run as it was when it began.
  ///   - done: The attempts that existed when the evaluation began.
  ///   - added: The attempts of this evaluation.
  ///   - result: The result of the plan.
  ///   - traces: The numbers of traces that were kept and dropped, or `nil` if there were no
  ///     traces.
  ///   - reuse: The answers that this evaluation reused, or `nil` if it reused none.
  /// - Returns: The run as stored.
  func finish(
    _ run: RunRecord, _ done: [AttemptRecord], _ added: [AttemptRecord], _ result: Runner.Result,
    _ traces: TraceUse?, _ reuse: ReuseRecord? = nil, in store: ResultStore
  ) throws(SessionFailure) -> RunRecord {
    var details = run.details
    if let reuse { details.reuse = details.reuse.map { $0.followed(by: reuse) } ?? reuse }
    details.ending = nil
    details.traces = traces
    if let traces, traces.dropped > 0 { onEvent(.droppedTraces(traces)) }
    if result.ending == .interrupted { details.ending = "a signal or its caller cancelled it" }
    if case .stopped(let reason) = result.ending {
      details.ending = reason
      let skipped = (done + added).count { $0.outcome == .skipped }
      onEvent(.stopped(reason: reason, skipped: skipped))
    }
    let retried = added.count { $0.outcome == .pass && $0.details.earlierTries != nil }
    if retried > 0 { onEvent(.passedAfterRetries(count: retried)) }
    details.earlyStops = result.earlyStops.isEmpty ? nil : result.earlyStops
    for stop in result.earlyStops { onEvent(.stoppedEarly(stop)) }
    return try perform {
      try store.finishRun(
        run.id, status: result.ending == .complete ? .complete : .interrupted,
        // The clock may have been set back in the meantime.
        at: max(context.timestamp, run.startedAt), details: details)
      return try store.run(run.id)
    }
  }
}
