import EvalRecords
import EvalRunner
import EvalSuites
import ResultStore

/// What a run reuses, and what it learns from the audit of it.
///
/// ```
/// plan ─┬─ to compute, and to audit ─► backends ──┬─ all audited attempts are equal ─► reuse the rest
///       └─ to reuse ──────────────────────────────┴─ one differs ───────────────────► compute the rest
/// ```
extension Evaluation {
  /// The number of earlier runs of a suite in which to look for answers.
  private static let mostRuns = 20

  /// Returns the attempts of a plan that may reuse stored answers.
  ///
  /// An answer is reused only if everything that determines it is the same, including the build of
  /// the program, so only the answers of Assay's own engine are.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - done: The attempts that a continued run already has.
  ///   - run: The run.
  ///   - backends: The backends.
  ///   - store: The database.
  func reusePlan(
    of plan: RunPlan, done: Set<AttemptKey>, for run: RunRecord,
    on backends: [any EvalBackend], in store: ResultStore
  ) throws(SessionFailure) -> ReusePlan {
    guard settings.reusesAnswers else { return ReusePlan() }
    let reusable = try perform {
      try self.reusable(plan.without(done), before: run, on: backends, in: store)
    }
    return ReusePlan(reusable, date: String(run.startedAt.prefix(10)), share: settings.auditShare)
  }

  private func reusable(
    _ plan: RunPlan, before run: RunRecord, on backends: [any EvalBackend], in store: ResultStore
  ) throws -> [AttemptKey: ReusableAttempt] {
    let byID = Dictionary(backends.map { ($0.record.id, $0) }, uniquingKeysWith: { $1 })
    let fingerprints = RequestFingerprints()
    // Suites that keep no texts have no answers to reuse.
    let withheld = Set(plan.suites.filter { $0.details.store == .digests }.map(\.id))
    var wanted: [String: [String: AttemptKey]] = [:]
    for job in plan.jobs where !withheld.contains(job.request.suite) {
      guard let backend = byID[job.backend], let key = job.answerKey(on: backend, fingerprints)
      else { continue }
      for repeatSeed in job.repeats {
        wanted[job.request.suite, default: [:]][key.digest(of: repeatSeed)] =
          job.key(repeatSeed.repeatIndex)
      }
    }
    var found: [AttemptKey: ReusableAttempt] = [:]
    for (suite, keys) in wanted {
      var missing = keys
      let ids = try store.runIDs(matching: RunFilter(suite: suite, before: run.id))
      for id in ids.suffix(Self.mostRuns).reversed() where !missing.isEmpty {
        guard !(try store.answerKeys(run: id, suite: suite)).isDisjoint(with: missing.keys)
        else { continue }
        let earlier = try store.run(id)
        // A recheck has copies of another run's answers.
        guard earlier.status != .running, earlier.details.recheckOf == nil else { continue }
        let origin = RunOrigin(run: id, startedAt: earlier.startedAt)
        for attempt in try store.attempts(run: id, AttemptFilter(suite: suite))
        where attempt.outcome != .skipped && !attempt.isBackendError {
          guard let digest = attempt.details.answerKey,
            let key = missing.removeValue(forKey: digest)
          else { continue }
          found[key] = ReusableAttempt(attempt, from: attempt.details.reusedFrom ?? origin)
        }
      }
    }
    return found
  }

  /// Makes the attempts of a plan: computes what can't be reused and what is audited, then reuses
  /// the rest if the audit finds no difference, or else computes it, too.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - done: The attempts that a continued run already has.
  ///   - reuse: The attempts to reuse and to audit.
  ///   - execution: Carries out plans.
  ///   - backends: The backends.
  ///   - sink: Receives the attempts.
  /// - Returns: How the run ended, and the record of the reuse, or `nil` if there was none.
  func make(
    _ plan: RunPlan, done: [AttemptRecord], reusing reuse: ReusePlan, _ execution: PlanExecution,
    on backends: [any EvalBackend], into sink: AttemptSink
  ) async -> (result: Runner.Result, reuse: ReuseRecord?) {
    guard !reuse.isEmpty else {
      return (await execution.run(plan, done: done, on: backends, into: sink), nil)
    }
    let result = await execution.run(
      plan.without(Set(reuse.reused.keys)), done: done, on: backends, into: sink)
    let audit = reuse.audit(sink.attempts)
    var record = ReuseRecord(audited: audit.count, differences: audit.differences)
    guard result.ending == .complete, !reuse.reused.isEmpty else { return (result, record) }
    let others = Set(plan.jobs.flatMap { job in job.repeats.map { job.key($0.repeatIndex) } })
      .subtracting(reuse.reused.keys)
    let rest = plan.without(others)
    guard audit.isPassed else {
      return (await execution.run(rest, done: [], on: backends, into: sink), record)
    }
    let known = sink.attempts.count
    let ended = await execution.reuse(reuse.reused, for: rest, on: backends, into: sink)
    let reused = sink.attempts[known...].filter { $0.details.reusedFrom != nil }
    record.reused = reused.count
    record.origins = Set(reused.compactMap(\.details.reusedFrom))
      .sorted { ($0.startedAt, $0.run) < ($1.startedAt, $1.run) }
    return (ended, record)
  }
}
