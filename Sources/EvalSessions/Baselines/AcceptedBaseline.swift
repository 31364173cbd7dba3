import EvalFindings
import EvalRecords
import EvalRunner

/// Compares runs with accepted baselines, for callers other than commands.
package enum AcceptedBaseline {
  /// The error for a baseline that can't be used; the description says why.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Compares a run with the accepted baseline of a suite.
  ///
  /// - Parameters:
  ///   - suite: The suite's id.
  ///   - reports: The folder of reports with the accepted baselines.
  ///   - run: The run.
  ///   - attempts: The run's attempts.
  ///   - plan: The plan of the run, whose suites judge the baseline's answers anew where their
  ///     assertions differ.
  /// - Throws: `Failure` if the suite has no baseline for the run's model, or if a baseline can't
  ///   be read.
  package static func compare(
    suite: String, reports: String, run: RunRecord, _ attempts: [AttemptRecord], plan: RunPlan
  ) throws(Failure) -> ComparisonRecord {
    do throws(SessionFailure) {
      let accepted = try SuiteBaseline.all(acceptedFor: suite, in: reports).matching(run)
      guard let baseline = accepted.first else {
        throw SessionFailure(
          .usage,
          "there is no \(BaselineFile.path(ofSuite: suite, in: reports)); "
            + "`assay baseline accept` writes one")
      }
      let judged = baseline.judgedAnew(for: run, by: StoredAnswerJudge(plan, commands: nil))
      return try SuiteBaseline.night([judged], with: run, attempts, pooling: nil)[0].record
    } catch {
      throw Failure(description: error.messages.joined(separator: "; "))
    }
  }
}
