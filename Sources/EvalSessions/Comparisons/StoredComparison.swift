import EvalFindings
import EvalRecords
import EvalStatistics
import ResultStore

/// A comparison of two stored sides, from the database or from files.
package struct StoredComparison {
  /// The candidate's run, reduced to the named part.
  package let run: RunRecord
  /// The candidate's attempts.
  package let attempts: [AttemptRecord]
  /// One comparison for each suite that both sides have.
  package let comparisons: [ReportComparison]
  /// The name of the folder for the comparison's reports.
  ///
  /// The comparison has a separate folder, because the reports of the candidate's run must stay
  /// unchanged.
  package let folder: String
  /// The file that contains the candidate's run.
  package let file: String

  /// Creates a comparison of two sides after finding them by their names.
  ///
  /// - Parameters:
  ///   - base: The name of the baseline side.
  ///   - candidate: The name of the candidate.
  ///   - database: The database.
  ///   - rules: The margin and the chance of a false alarm.
  /// - Throws: `SessionFailure` if a name is unknown or ambiguous, or if the sides share no suite.
  package init(
    _ base: String, _ candidate: String, database: String, rules: ComparisonRules
  ) throws {
    let (before, after) = try SideFinder.sides(base, candidate, database: database)
    let (run, attempts) = after.part
    let suites = try Self.suites(of: before, and: after)
    // Run numbers in another database or file are unrelated to the numbers in this database, so no
    // run in this database counts as earlier.
    let store = after.file == database ? try openStore(database, access: .reading) : nil
    var comparisons: [ReportComparison] = []
    for suite in suites {
      var baseline = SuiteBaseline(suite: suite, run: before.run, attempts: before.attempts)
      baseline.variant = before.variant
      baseline.origin = before.origin
      comparisons.append(
        try baseline.compare(
          with: run, attempts, variant: after.variant, origin: after.origin, rules: rules,
          pooling: store))
    }
    // The reports are about the runs, not about the suites that both have.
    if !comparisons.isEmpty {
      comparisons[0].record.differences += Self.unmatched(before, after, compared: suites)
    }
    self.run = run
    self.attempts = attempts
    self.comparisons = comparisons
    folder = "\(before.slug)-\(after.slug)"
    file = after.file
  }

  /// Returns the suites that only one side has, unless a side names the suite to compare.
  private static func unmatched(
    _ before: ComparedSide, _ after: ComparedSide, compared: [String]
  ) -> [ComparisonDifference] {
    guard before.suite == nil, after.suite == nil else { return [] }
    return [(ComparedRole.baseline, before), (.candidate, after)].flatMap { role, side in
      side.run.suites.map(\.id).filter { !compared.contains($0) }.map {
        ComparisonDifference(fact: .unmatched(side: role, part: .suite, id: $0))
      }
    }
  }

  /// Returns the suites to compare: the suite that a side names or, if neither side names a suite,
  /// all suites that both sides have.
  private static func suites(
    of before: ComparedSide, and after: ComparedSide
  ) throws(SessionFailure) -> [String] {
    if let left = before.suite, let right = after.suite, left != right {
      throw SessionFailure(
        .usage, "`\(before.name)` belongs to the suite `\(left)`, and `\(after.name)` to `\(right)`"
      )
    }
    let named = before.suite ?? after.suite
    for side in [before, after] {
      let ids = side.run.suites.map(\.id)
      if let named, !ids.contains(named) {
        throw SessionFailure(
          .usage,
          "`\(side.name)` has no suite `\(named)`; it has \(ids.joined(separator: ", "))")
      }
    }
    let earlier = Set(before.run.suites.map(\.id))
    let shared = after.run.suites.map(\.id)
      .filter { earlier.contains($0) && (named ?? $0) == $0 }
    guard !shared.isEmpty else {
      throw SessionFailure(
        .usage, "`\(before.name)` and `\(after.name)` have no suite in common")
    }
    return shared
  }
}
