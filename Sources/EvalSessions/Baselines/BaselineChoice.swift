import EvalRecords
import EvalReports
import EvalStatistics
import Foundation
import ResultStore

/// What a run is compared with.
package enum BaselineChoice: Equatable {
  /// The accepted baseline of each suite that has one; if branches are named, the first complete
  /// run
  /// of one of them for each suite that has none.
  case accepted(elseBranches: [String])
  /// Nothing.
  case none
  /// A run of the database.
  case run(Int)

  /// Reads the text of an option: `auto`, `main`, `branch:NAME`, `none` or the number of a run.
  ///
  /// - Throws: `SessionFailure` for any other text.
  package init(_ text: String?) throws(SessionFailure) {
    switch text {
    case nil, "auto": self = .accepted(elseBranches: [])
    case "main": self = .accepted(elseBranches: ["main", "master"])
    case "none": self = .none
    case let text?:
      if text.hasPrefix("branch:"), text.count > 7 {
        self = .accepted(elseBranches: [String(text.dropFirst(7))])
        return
      }
      guard let number = Int(text), number > 0 else {
        throw SessionFailure(
          .usage,
          "--baseline \(text): auto, main, branch:NAME, none or the number of a run is allowed")
      }
      self = .run(number)
    }
  }

  /// The branches whose runs stand in for missing baselines.
  package var branches: [String] {
    guard case .accepted(let branches) = self else { return [] }
    return branches
  }

  /// Loads the baselines of suites that are known before anything runs.
  ///
  /// - Parameters:
  ///   - suites: The ids of the suites.
  ///   - reports: The folder of reports, in which accepted baselines are.
  ///   - database: The database.
  ///   - time: When the run that is compared began: what was accepted later was not there to be
  ///     compared with.
  /// - Returns: Those of each suite; `matching` leaves one of them for a run.
  package func load(
    suites: [String], reports: String, database: String, asOf time: String
  ) throws(SessionFailure) -> [SuiteBaseline] {
    switch self {
    case .none: return []
    case .accepted:
      var baselines: [SuiteBaseline] = []
      for suite in suites {
        for baseline in try SuiteBaseline.all(acceptedFor: suite, in: reports) {
          // Both are ISO 8601 in UTC, whose order is that of the texts.
          if let accepted = baseline.acceptedAt, accepted > time { continue }
          baselines.append(baseline)
        }
      }
      return baselines
    case .run(let id):
      let store = try openStore(database, access: .reading)
      let (run, attempts) = try perform { (try store.run(id), try store.attempts(run: id)) }
      guard run.status == .complete else {
        throw SessionFailure(.usage, "run \(id) did not end, so it can't be a baseline")
      }
      let common = suites.filter { suite in run.suites.contains { $0.id == suite } }
      guard !common.isEmpty || suites.isEmpty else {
        throw SessionFailure(
          .usage,
          "run \(id) has none of these suites, so nothing can be compared with it; it has "
            + run.suites.map(\.id).joined(separator: ", "))
      }
      return common.map {
        SuiteBaseline(suite: $0, run: run, attempts: attempts)
      }
    }
  }
}

/// One suite's baseline.
package struct SuiteBaseline {
  package let suite: String
  package let run: RunRecord
  package let attempts: [AttemptRecord]
  /// When it was accepted, ISO 8601 in UTC; nil for a run that was named.
  package let acceptedAt: String?
  /// The model and protocol that it is kept for; nil for any.
  package var modelKey: String?
  /// The variant that counts; nil for the first.
  package var variant: String?
  /// Where the run is from, in words; nil for the database at hand.
  package var origin: String?

  package init(suite: String, run: RunRecord, attempts: [AttemptRecord], acceptedAt: String? = nil)
  {
    self.suite = suite
    self.run = run
    self.attempts = attempts
    self.acceptedAt = acceptedAt
  }

  /// Reads the accepted baseline of a suite, nil where there is none.
  package init?(acceptedFor suite: String, in reports: String) throws(SessionFailure) {
    try self.init(suite: suite, path: BaselineFile.path(ofSuite: suite, in: reports))
  }

  /// Reads an accepted baseline of a suite from its file, nil where there is none.
  init?(suite: String, path: String) throws(SessionFailure) {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    guard let text = try? String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8) else {
      throw SessionFailure(.cannotRun, "\(path): the baseline can't be read as UTF-8 text")
    }
    do throws(BaselineFile.Failure) {
      let file = try BaselineFile(text: text, path: path)
      self.init(
        suite: suite, run: file.run, attempts: file.attempts, acceptedAt: file.acceptedAt)
    } catch {
      throw SessionFailure(.usage, error.description)
    }
  }

  /// The baselines of several suites as one run, to be shown beside another one.
  ///
  /// - Returns: The newest run among them with each suite as its own baseline has it; nil where
  ///   there is none.
  package static func joined(
    _ baselines: [SuiteBaseline]
  ) -> (run: RunRecord, attempts: [AttemptRecord])? {
    guard var run = baselines.map(\.run).max(by: { $0.startedAt < $1.startedAt }) else {
      return nil
    }
    run.suites = baselines.flatMap { baseline in
      baseline.run.suites.filter { $0.id == baseline.suite }
    }
    return (
      run,
      baselines.flatMap { baseline in
        baseline.attempts.filter { $0.key.suite == baseline.suite }
      }
    )
  }

  /// Compares a run's part of the suite with this.
  ///
  /// - Parameters:
  ///   - candidate: The run.
  ///   - attempts: Its attempts.
  ///   - variant: Its variant that counts; nil for the first.
  ///   - origin: Where it is from, in words; nil for the database at hand.
  ///   - rules: What counts as a regression.
  ///   - store: The database whose earlier runs are pooled with the baseline; nil for none.
  package func compare(
    with candidate: RunRecord, _ attempts: [AttemptRecord], variant: String? = nil,
    origin: String? = nil, rules: ComparisonRules = .init(), pooling store: ResultStore?
  ) throws(SessionFailure) -> ReportComparison {
    let pair = try sides(candidate, attempts, variant, origin, pooling: store)
    let record = Comparison.compare(
      baseline: pair.baseline, candidate: pair.candidate, rules: rules)
    return ReportComparison(
      record, baselineVariant: pair.before, candidateVariant: pair.after)
  }

  /// Compares a run with the baselines of its suites, as one night: the chance of a false alarm is
  /// that
  /// of all suites together.
  ///
  /// - Parameters:
  ///   - baselines: The baselines.
  ///   - candidate: The run.
  ///   - attempts: Its attempts.
  ///   - store: The database whose earlier runs are pooled with the baselines.
  package static func night(
    _ baselines: [SuiteBaseline], with candidate: RunRecord, _ attempts: [AttemptRecord],
    pooling store: ResultStore
  ) throws(SessionFailure) -> [ReportComparison] {
    var pairs: [Sides] = []
    for baseline in baselines {
      pairs.append(try baseline.sides(candidate, attempts, nil, nil, pooling: store))
    }
    let records = Comparison.night(
      pairs.map { (baseline: $0.baseline, candidate: $0.candidate) })
    return zip(pairs, records).map {
      ReportComparison($1, baselineVariant: $0.before, candidateVariant: $0.after)
    }
  }

  /// The two sides of a comparison with their variants.
  private struct Sides {
    var baseline: ComparisonSide
    var candidate: ComparisonSide
    var before: VariantRecord?
    var after: VariantRecord?
  }

  private func sides(
    _ candidate: RunRecord, _ attempts: [AttemptRecord], _ variant: String?, _ origin: String?,
    pooling store: ResultStore?
  ) throws(SessionFailure) -> Sides {
    func record(_ run: RunRecord, _ variant: String?) -> VariantRecord? {
      run.suites.first { $0.id == suite }?.variants.first { variant == nil || $0.id == variant }
    }
    let before = record(run, self.variant)
    let after = record(candidate, variant)
    var baseline = ComparisonSide(
      run: run, attempts: self.attempts,
      selection: ComparisonSelection(suite: suite, variant: before?.id), origin: self.origin)
    if let store { baseline = try baseline.pooling(store, before: candidate.id) }
    let other = ComparisonSide(
      run: candidate, attempts: attempts,
      selection: ComparisonSelection(suite: suite, variant: after?.id), origin: origin)
    return Sides(baseline: baseline, candidate: other, before: before, after: after)
  }
}
