import EvalFindings
import EvalRecords
import EvalSessions
import EvalStatistics
import EvalSuites
import ResultStore
import SystemBasics

/// The reference of a power analysis: an assumed pass rate, the accepted baseline of a suite, or
/// the newest complete run of the suite.
struct PowerBaseline {
  /// A description of the reference.
  let words: String
  /// The failure rates of the test cases, in the order of their ids.
  let failing: [Double]
  /// Whether the backend gives equal answers for equal seeds, so that attempts are compared in
  /// pairs, or `nil` if the reference doesn't say.
  let repeatsSeeds: Bool?

  /// Creates a reference in which each test case passes at the same rate.
  init(passRate: Double) {
    failing = [1 - passRate]
    repeatsSeeds = nil
    words = "an assumed pass rate of \(PowerReport.percent(passRate)) in each test case"
  }

  /// Creates a reference by finding the baseline or the newest run of a suite on a backend.
  ///
  /// Returns `nil` if there is no reference, or if the reference has no attempts at the suite's
  /// test cases on that backend.
  ///
  /// - Parameters:
  ///   - suite: The suite; only attempts of its test cases count.
  ///   - backend: The backend's id.
  ///   - reports: The folder of reports with the accepted baselines.
  ///   - database: The database, which need not exist.
  init?(
    suite planned: Suite, backend: String, reports: String, database: String
  ) throws(SessionFailure) {
    let suite = planned.id
    let cases = Set(planned.cases.flatMap { [$0.id] + ($0.settings.aliases ?? []) })
    let store =
      FileManager.default.fileExists(atPath: database)
      ? try openStore(database, access: .reading) : nil
    let side: ComparisonSide
    let name: String
    let all = try SuiteBaseline.all(acceptedFor: suite, in: reports).filter {
      $0.run.backends.contains { $0.id == backend }
    }
    if let accepted = all.max(by: { $0.run.startedAt < $1.run.startedAt }) {
      side = ComparisonSide(run: accepted.run, attempts: accepted.attempts)
      name = all.count > 1 ? "the newest accepted baseline" : "the accepted baseline"
    } else if let store,
      let run = try perform({
        try store.latestRun(
          matching: RunFilter(suite: suite, backend: backend, status: .complete))
      })
    {
      let attempts = try perform {
        try store.attempts(
          run: run.id, AttemptFilter(suite: suite, backend: backend, includesTraces: false))
      }
      side = ComparisonSide(run: run, attempts: attempts)
      name = "the newest run (run \(run.id))"
    } else {
      return nil
    }
    let variant = side.run.suites.first { $0.id == suite }?.variants.first?.id
    let counted = side.attempts.filter {
      $0.key.suite == suite && $0.key.backend == backend && $0.key.variant == variant
        && $0.outcome != .skipped && cases.contains($0.key.caseID)
    }
    guard !counted.isEmpty else { return nil }
    failing = Dictionary(grouping: counted, by: \.key.caseID).sorted { $0.key < $1.key }.map {
      Double($0.value.count { $0.outcome != .pass }) / Double($0.value.count)
    }
    repeatsSeeds =
      side.run.sampling(suite: suite, variant: variant ?? "", backend: backend)?.honoursSeeds
    words =
      "\(name), in which \(counted.count { $0.outcome == .pass }) of "
      + "\(counted.count.counted("attempt")) passed"
  }
}
