import EvalRecords
import EvalRunner
import ResultStore

extension Evaluation {
  /// The number of earlier runs of a suite in which to look for durations.
  private static let mostRuns = 10

  /// Returns a forecast of the run's time.
  ///
  /// - Parameters:
  ///   - plan: The plan of the whole run.
  ///   - done: The attempts that need no time.
  ///   - backends: The backends.
  ///   - accepted: The attempts of accepted baselines, whose lengths resemble those of new answers
  ///     even if they were made on another machine.
  ///   - store: The database.
  func forecast(
    of plan: RunPlan, done: Set<AttemptKey>, on backends: [any EvalBackend],
    accepted: [AttemptRecord], in store: ResultStore
  ) throws(SessionFailure) -> RunForecast {
    let timed = try perform { try timedWork(of: plan, on: backends.map(\.record), in: store) }
    let suites = Set(timed.map(\.key.suite))
    let known = fingerprints(of: plan, backends)
    let lengths = accepted.filter { !suites.contains($0.key.suite) && $0.outcome != .skipped }.map {
      var key = $0.key
      key.repeatIndex = 0
      return EarlierWork(
        key: $0.key, outputTokens: $0.outputTokens, seconds: nil,
        isOfSameModel: known[key] == $0.details.fingerprint)
    }
    return RunForecast(
      plan, done: done, earlier: timed + lengths, threads: settings.jobs,
      atOnce: backends.compactMap(\.attemptsInWork).max())
  }

  /// Returns the fingerprints of a plan's requests, keyed by the first repeat.
  private func fingerprints(
    of plan: RunPlan, _ backends: [any EvalBackend]
  ) -> [AttemptKey: String] {
    let fingerprints = RequestFingerprints()
    let byID = Dictionary(backends.map { ($0.record.id, $0) }, uniquingKeysWith: { $1 })
    var known: [AttemptKey: String] = [:]
    for job in plan.jobs {
      guard let backend = byID[job.backend] else { continue }
      known[job.key(0)] = fingerprints.fingerprint(of: job.request, backend.record)
    }
    return known
  }

  /// Returns the work of the newest complete run of each suite on the same model and machine.
  private func timedWork(
    of plan: RunPlan, on backends: [BackendRecord], in store: ResultStore
  ) throws -> [EarlierWork] {
    guard let machine = context.machine else { return [] }
    var runs: [Int: RunRecord] = [:]
    var work: [EarlierWork] = []
    for suite in Set(plan.suites.map(\.id)).sorted() {
      let ids = try store.runIDs(matching: RunFilter(suite: suite, status: .complete))
      for backend in backends where !backend.isStub {
        for id in ids.suffix(Self.mostRuns).reversed() {
          let run = try runs[id] ?? store.run(id)
          runs[id] = run
          guard run.details.machine == machine, run.details.recheckOf == nil,
            let same = run.backends.first(where: {
              $0.model == backend.model && $0.modelDigest == backend.modelDigest
            })
          else { continue }
          work += try store.attemptSizes(run: id, suite: suite, backend: same.id).map {
            var key = $0.key
            key.backend = backend.id
            return EarlierWork(key: key, outputTokens: $0.outputTokens, seconds: $0.duration)
          }
          break
        }
      }
    }
    return work
  }
}
