import EvalFindings
import EvalRecords
import EvalRunner
import SystemBasics

/// The acceptance of a run as the baseline of its suites, for `assay baseline accept` and `renew`.
package struct BaselineAcceptance {
  /// The run.
  package let run: RunRecord
  /// The reasons why the run is a poor reference; empty if there are none.
  package let problems: [BaselineProblem]
  /// The findings that don't make the run a poor reference, but that its user should know.
  package let doubts: [BaselineDoubt]
  /// The files to write, each with its path and the path of the file that it replaces.
  package let files: [(path: String, replaced: String, file: BaselineFile)]

  /// Creates an acceptance.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - attempts: Its attempts.
  ///   - suites: The ids of the suites to accept the run for.
  ///   - comparisons: The comparisons of the run with its own references. In addition, the run is
  ///     compared with the baselines that it replaces.
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
      attempts: attempts.filter { suites.contains($0.key.suite) }, unjudged: run.unjudgedSuites)
    let kind = BaselineKind(of: run)
    // The comparisons with the replaced baselines that aren't the run's own references.
    var others: [ComparisonRecord] = []
    var compared = comparisons
    var replacing: [BaselineProblem] = []
    var files: [(path: String, replaced: String, file: BaselineFile)] = []
    for suite in suites {
      guard let (before, after) = paths[suite] else { continue }
      var old: BaselineFile?
      do throws(SessionFailure) {
        if FileManager.default.fileExists(atPath: before) { old = try BaselineFile(path: before) }
      } catch {
        replacing.append(
          .damagedBaseline(suite: suite, problem: error.messages.joined(separator: "; ")))
      }
      if let old, BaselineKind(of: old.run) != kind {
        replacing.append(.otherKind(suite: suite, replaced: BaselineKind(of: old.run), by: kind))
      } else if let old {
        let comparison = try Self.comparison(of: run, attempts, with: old, suite)
        compared.append(comparison)
        if !Self.isReference(old, of: run, suite, comparisons) { others.append(comparison) }
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
    problems =
      BaselineProblem.problems(
        of: run, attempts, suites: suites, gates: gates, comparisons: compared) + replacing
    doubts = BaselineDoubt.doubts(
      about: run, suites: suites, comparisons: comparisons + others)
    self.files = files
  }

  /// Returns whether a baseline is the one that a suite of a run was compared with.
  ///
  /// Only that comparison says whether the run was comparable, because the run's suite judged the
  /// baseline anew.
  private static func isReference(
    _ baseline: BaselineFile, of run: RunRecord, _ suite: String, _ comparisons: [ComparisonRecord]
  ) -> Bool {
    let reference = run.details.references?.first { $0.suite == suite }
    return reference?.acceptedAt == baseline.acceptedAt
      && comparisons.contains {
        $0.candidate.suite == suite && $0.baseline.run == baseline.run.id
      }
  }

  /// Compares a run with the baseline that it replaces, as if both had been measured under the same
  /// protocol.
  ///
  /// A baseline that can't be compared at all couldn't protect the answers.
  private static func comparison(
    of run: RunRecord, _ attempts: [AttemptRecord], with old: BaselineFile, _ suite: String
  ) throws(SessionFailure) -> ComparisonRecord {
    var baseline = old.run
    baseline.details.measurementProtocol = run.measurementProtocol
    return try SuiteBaseline(suite: suite, run: baseline, attempts: old.attempts)
      .compare(with: run, attempts, pooling: nil).record
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
