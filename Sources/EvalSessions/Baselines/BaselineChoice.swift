import EvalFindings
import EvalRecords
import EvalStatistics
import EvalSuites
import ResultStore
import SystemBasics

/// The reference that a run is compared with.
package enum BaselineChoice: Equatable, Sendable {
  /// The accepted baseline of each suite.
  ///
  /// If branches are given, a suite without a baseline file is compared with the oldest complete
  /// run of the same models on any of the branches.
  case accepted(elseBranches: [String])
  /// No reference.
  case none
  /// A run in the database.
  case run(Int)

  /// Creates a choice from the value of an option: `auto`, `main`, `branch:NAME`, `none` or the
  /// number of a run.
  ///
  /// - Throws: `SessionFailure` for any other value.
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
          "--baseline \(text): expected auto, main, branch:NAME, none or the number of a run")
      }
      self = .run(number)
    }
  }

  /// The branches whose runs replace missing baselines.
  package var branches: [String] {
    guard case .accepted(let branches) = self else { return [] }
    return branches
  }

  /// Loads the baselines of suites.
  ///
  /// - Parameters:
  ///   - suites: The ids of the suites.
  ///   - folders: The folders of reports that may have accepted baselines. The first folder that
  ///     has a baseline of a suite provides all baselines of that suite.
  ///   - database: The database.
  /// - Returns: All baselines of each suite; `matching(_:)` selects the baselines for a run.
  package func load(
    suites: [String], folders: [String], database: String
  ) throws(SessionFailure) -> [SuiteBaseline] {
    switch self {
    case .none: return []
    case .accepted:
      var baselines: [SuiteBaseline] = []
      for suite in suites {
        for folder in folders {
          let found = try SuiteBaseline.all(acceptedFor: suite, in: folder)
          baselines += found
          if !found.isEmpty { break }
        }
      }
      return baselines
    case .run(let id):
      let store = try openStore(database, access: .reading)
      let (run, attempts) = try perform { (try store.run(id), try store.attempts(run: id)) }
      guard run.status == .complete else {
        throw SessionFailure(.usage, "run \(id) is not complete, so it can't be a baseline")
      }
      let common = suites.filter { suite in run.suites.contains { $0.id == suite } }
      guard !common.isEmpty || suites.isEmpty else {
        throw SessionFailure(
          .usage,
          "run \(id) has none of the suites to compare; it has "
            + run.suites.map(\.id).joined(separator: ", "))
      }
      return common.map {
        SuiteBaseline(suite: $0, run: run, attempts: attempts)
      }
    }
  }
}

/// The baseline of one suite.
package struct SuiteBaseline: Sendable {
  /// The suite's id.
  package let suite: String
  /// The run that is the reference.
  package let run: RunRecord
  /// The attempts of the run.
  package let attempts: [AttemptRecord]
  /// The time of acceptance, ISO 8601 in UTC, or `nil` for a run that doesn't come from a baseline
  /// file.
  package let acceptedAt: String?
  /// The reason for accepting the run, or an empty string if it wasn't accepted.
  package let reason: String
  /// The key of the model and protocol that the baseline is for, or `nil` if the baseline is for
  /// any model.
  package var modelKey: String?
  /// The variant to compare, or `nil` for the first variant.
  package var variant: String?
  /// The file or branch that the run comes from, or `nil` for the current database.
  package var origin: String?

  /// Creates a baseline from a run.
  package init(
    suite: String, run: RunRecord, attempts: [AttemptRecord], acceptedAt: String? = nil,
    reason: String = ""
  ) {
    self.suite = suite
    self.run = run
    self.attempts = attempts
    self.acceptedAt = acceptedAt
    self.reason = reason
  }

  /// The text of a baseline file with this baseline, which a run keeps.
  package var copy: String {
    BaselineFile(
      suite: suite, run: run, attempts: attempts, reason: reason, acceptedAt: acceptedAt ?? ""
    ).text
  }

  /// Creates a baseline from one of a suite's baseline files, or returns `nil` if the file doesn't
  /// exist.
  init?(suite: String, path: String) throws(SessionFailure) {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let file = try BaselineFile(path: path)
    self.init(
      suite: suite, run: file.run, attempts: file.attempts, acceptedAt: file.acceptedAt,
      reason: file.reason)
  }

  /// Joins the baselines of several suites into one run, which a report shows next to another run.
  ///
  /// - Returns: The record of the newest run, but with the suites and attempts of all baselines, or
  ///   `nil` if there are no baselines.
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

  /// Compares the suite's part of a run with this baseline.
  ///
  /// - Parameters:
  ///   - candidate: The run.
  ///   - attempts: The run's attempts.
  ///   - variant: The variant to compare, or `nil` for the first variant.
  ///   - origin: The file or branch that the run comes from, or `nil` for the current database.
  ///   - rules: The margin, the significance level and further rules.
  ///   - store: The database with the earlier runs to pool with the baseline, or `nil` for none.
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

  /// Compares a run with the baselines of its suites.
  ///
  /// The significance level α limits the chance of a false alarm over all suites together.
  ///
  /// - Parameters:
  ///   - baselines: The baselines.
  ///   - candidate: The run.
  ///   - attempts: The run's attempts.
  ///   - store: The database with the earlier runs to pool with the baselines, or `nil` for none.
  /// - Returns: One comparison for each baseline.
  package static func night(
    _ baselines: [SuiteBaseline], with candidate: RunRecord, _ attempts: [AttemptRecord],
    pooling store: ResultStore?
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
    // The baseline of one model says nothing about other backends. Compare only that model's
    // backend, so that the other backends don't count as missing.
    let backend = modelKey != nil && run.backends.count == 1 ? run.backends.first?.id : nil
    var baseline = ComparisonSide(
      run: run.withFixedDecisions, attempts: self.attempts,
      selection: ComparisonSelection(suite: suite, variant: before?.id, backend: backend),
      origin: self.origin ?? (run.id == candidate.id ? homeOfOther(candidate) : nil))
    if variant == nil, self.variant == nil, candidate.details.variants == nil,
      let before, let after, before.id != after.id,
      !asksLike(before.id, candidate, attempts, variant: after.id)
    {
      baseline.knownDifferences = [.otherVariant(before: before.id, after: after.id)]
    }
    if let store {
      baseline = try baseline.pooling(store, before: candidate.origin.run, isFirst: true)
    }
    let other = ComparisonSide(
      run: candidate.withFixedDecisions, attempts: attempts,
      selection: ComparisonSelection(suite: suite, variant: after?.id, backend: backend),
      origin: origin)
    return Sides(baseline: baseline, candidate: other, before: before, after: after)
  }

  /// Returns where this reference comes from if it isn't the candidate itself, although both runs
  /// have the same number: they come from different databases.
  private func homeOfOther(_ candidate: RunRecord) -> String? {
    guard run.startedAt != candidate.startedAt || acceptedAt != nil else { return nil }
    return acceptedAt == nil ? "another database" : "the accepted baseline"
  }

  /// Returns whether a variant of another run makes the same requests as a variant of the baseline,
  /// so that the variant only has another name.
  private func asksLike(
    _ variant: String, _ candidate: RunRecord, _ attempts: [AttemptRecord], variant other: String
  ) -> Bool {
    struct Place: Hashable {
      var backend: String
      var caseID: String
    }
    func fingerprints(_ attempts: [AttemptRecord], _ variant: String) -> [Place: String] {
      var found: [Place: String] = [:]
      for attempt in attempts
      where attempt.key.suite == suite && attempt.key.variant == variant {
        found[Place(backend: attempt.key.backend, caseID: attempt.key.caseID)] =
          attempt.details.fingerprint
      }
      return found
    }
    let before = fingerprints(self.attempts, variant)
    let common = fingerprints(attempts, other).filter { before[$0.key] != nil }
    return !common.isEmpty && common.allSatisfy { before[$0.key] == $0.value }
  }
}
