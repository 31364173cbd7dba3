import EvalRecords
import EvalSuites
import StructuredText

/// The renewal of an accepted baseline after Assay's defaults have changed.
///
/// A renewal runs the baseline's stored requests under the current defaults, and the result becomes
/// the new baseline.
///
/// ```
/// reports/baselines/SUITE.jsonl ─► schema, instructions, prompts, inputs, repeats, seed ┐
/// the suite file ────────────────► assertions, gate, options ───────────────────────────┴► a run
/// ```
/// If somebody has edited a guide since the acceptance, the renewal still runs the old guide. So
/// the next run of the suite shows the effect of the edit and not of the new defaults.
package struct BaselineRenewal: Sendable {
  /// The accepted baseline, before the renewal.
  package let baseline: BaselineFile
  /// The suite to run: the stored requests with the current assertions and defaults.
  package let suite: Suite

  /// The ids of the backends to run.
  package var backends: [String] { baseline.run.backends.map(\.id) }

  /// Creates a renewal.
  ///
  /// - Parameters:
  ///   - baseline: The baseline.
  ///   - suites: The loaded suites, which must include the baseline's suite.
  /// - Throws: `SessionFailure` if the suite or one of the baseline's test cases no longer exists,
  ///   or if a stored request can't be read.
  package init(
    _ baseline: BaselineFile, suites: [Suite]
  ) throws(SessionFailure) {
    guard let record = baseline.run.suites.first else {
      throw SessionFailure(.usage, "the baseline contains no suite")
    }
    guard let current = suites.first(where: { $0.id == record.id }) else {
      throw SessionFailure(
        .nothingSelected,
        "the suite `\(record.id)` of the baseline was not loaded; "
          + "name its file or folder with --suites PATH")
    }
    guard record.details.store != .digests else {
      throw SessionFailure(
        .usage,
        "the baseline of `\(record.id)` keeps only digests of its inputs, so it can't be run "
          + "again; run the suite, and accept the run with `assay baseline accept`")
    }
    guard BaselineKind(of: baseline.run) != .recorded else {
      throw SessionFailure(
        .usage,
        "the baseline of `\(record.id)` has recorded answers, which can't be made again; import "
          + "new answers, and accept the import with `assay baseline accept`")
    }
    var suite = current
    suite.variants = []
    for variant in record.variants {
      guard let stored = current.restoring(variant, of: record) else {
        throw SessionFailure(
          .usage, "the stored request of `\(record.id):\(variant.id)` can't be read")
      }
      suite.variants.append(stored)
    }
    let cases = Dictionary(
      current.cases.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let gone = record.cases.map(\.id).filter { cases[$0] == nil }
    guard gone.isEmpty else {
      throw SessionFailure(
        .usage,
        "the suite `\(record.id)` has lost test cases of the baseline: "
          + "\(gone.joined(separator: ", ")); run the suite, and accept the run with "
          + "`assay baseline accept`")
    }
    suite.cases = record.cases.compactMap { stored in
      var suiteCase = cases[stored.id]
      suiteCase?.variables = stored.variables.object ?? [:]
      return suiteCase
    }
    // A run with `--repeats` ignores the numbers of repeats that individual test cases set. If the
    // baseline comes from such a run, the renewal ignores them too.
    suite.setOwnRepeats { record.details.cases?[$0]?.repeats }
    suite.repeats = record.repeats
    suite.seed = record.seed
    self.baseline = baseline
    self.suite = suite
  }

  /// Returns the acceptance of the suite's run, which replaces the old baseline.
  ///
  /// - Parameters:
  ///   - outcome: The result of the suite's run.
  ///   - reason: The new reason, or `nil` to keep the old reason and add a note to it.
  ///   - allowed: The reason for accepting the run although it has problems, or `nil`.
  ///   - reports: The folder of reports.
  ///   - time: The current time, ISO 8601 in UTC.
  package func acceptance(
    of outcome: Evaluation.Outcome, reason: String?, allowed: String?, in reports: String,
    at time: String
  ) throws(SessionFailure) -> BaselineAcceptance {
    let paths = BaselineFile.paths(
      renewing: baseline, suite: suite.id, by: outcome.run, in: reports)
    return try BaselineAcceptance(
      outcome.run, outcome.attempts, suites: [suite.id], comparisons: [],
      paths: [suite.id: paths], reason: reason ?? Self.note(on: baseline.reason), allowed: allowed,
      at: time)
  }

  /// Adds a note about the renewal to a reason, unless the reason already contains the note.
  private static func note(on reason: String) -> String {
    let note = " (renewed under the current defaults)"
    return reason.hasSuffix(note) ? reason : reason + note
  }
}

extension SessionFailure {
  /// Returns the advice to renew a baseline that is not comparable.
  ///
  /// - Parameters:
  ///   - suite: The suite's id.
  ///   - options: The options with which commands find the results.
  package static func renewalAdvice(forSuite suite: String, options: [String]) -> String {
    let command = (["assay baseline renew", suite] + options).joined(separator: " ")
    return "`\(command)` runs the stored requests of its baseline under the current defaults, and "
      + "accepts the result"
  }
}
