import EvalRecords
import EvalRunner

/// The acceptance of a run as the baseline of its suites, for `assay baseline accept` and `renew`.
package struct BaselineAcceptance {
  /// The run.
  package let run: RunRecord
  /// The reasons why the run is a poor reference; empty if there are none.
  package let problems: [BaselineProblem]
  /// The files to write, each with its path and the path of the file that it replaces.
  package let files: [(path: String, replaced: String, file: BaselineFile)]

  /// Creates an acceptance.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - attempts: Its attempts.
  ///   - suites: The ids of the suites to accept the run for.
  ///   - comparisons: The comparisons of the run with its references.
  ///   - paths: The path of each suite's baseline file before and after the acceptance, keyed by
  ///     suite id.
  ///   - reason: The reason for accepting the run, or `nil` if the user gave none.
  ///   - allowed: The reason for accepting the run although it has problems, or `nil`.
  ///   - time: The current time, ISO 8601 in UTC.
  /// - Throws: `SessionFailure` if a baseline file that would be replaced can't be read.
  package init(
    _ run: RunRecord, _ attempts: [AttemptRecord], suites: [String],
    comparisons: [ComparisonRecord], paths: [String: (before: String, after: String)],
    reason: String?, allowed: String?, at time: String
  ) throws(SessionFailure) {
    self.run = run
    let gates = GateResultRecord.results(
      suites: run.suites.filter { suites.contains($0.id) }, backends: run.backends.map(\.id),
      attempts: attempts.filter { suites.contains($0.key.suite) })
    var problems = BaselineProblem.problems(
      of: run, attempts, suites: suites, gates: gates, comparisons: comparisons)
    let kind = BaselineKind(of: run)
    var files: [(path: String, replaced: String, file: BaselineFile)] = []
    for suite in suites {
      guard let (before, after) = paths[suite] else { continue }
      // A damaged file can be replaced; what it contained can't be shown.
      let old = try? BaselineFile(path: before)
      if let old, BaselineKind(of: old.run) != kind {
        problems.append(.otherKind(suite: suite, replaced: BaselineKind(of: old.run), by: kind))
      }
      files.append(
        (
          after, before,
          BaselineFile(
            suite: suite, run: run, attempts: attempts,
            reason: reason ?? allowed ?? "accepted without a reason", acceptedAt: time,
            allowed: allowed, replaced: old?.summary)
        ))
    }
    self.problems = problems
    self.files = files
  }

  /// The error for a run with problems, or `nil` if the run may be accepted.
  ///
  /// - Parameter isAllowed: Whether the user accepts the run in spite of its problems.
  package func refusal(isAllowed: Bool, words: (BaselineProblem) -> String) -> SessionFailure? {
    let open = isAllowed ? problems.filter(\.isFinal) : problems
    guard !open.isEmpty else { return nil }
    return SessionFailure(
      .usage,
      "run \(run.id) is not a good reference: \(open.map(words).joined(separator: "; "))"
        + (open.contains(where: \.isFinal)
          ? ""
          : ". Later runs would be compared with it; --allow \"REASON\" accepts it anyway"))
  }
}
