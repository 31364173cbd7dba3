import EvalRecords

extension ReportDocument {
  /// The largest group of similar failures with this cause, in the suite and variant that have the
  /// most failures with this cause.
  private func example(of cause: FailureCause) -> FailureCluster? {
    cause.places.first?.clusters.first.map { summary.clusters[$0] }
  }

  /// The command that shows an attempt of a cause's largest group of similar failures.
  package func command(for cause: FailureCause) -> String {
    guard let first = example(of: cause)?.attempts.first else { return "" }
    return showCommand(for: summary.attempts[first])
  }

  /// Returns the name and date of the run in which the pass rate fell, for the suite and variant
  /// with the most failures from a cause.
  ///
  /// The result is `nil` if the pass rate didn't fall, if the headline already names the run, or if
  /// tonight's comparison doesn't say that the suite is worse.
  package func since(_ cause: FailureCause) -> String? {
    guard let place = cause.places.first, place.slice != worstSlice else { return nil }
    let verdict = sliceFindings[place.slice]?.verdict
    return verdict == nil || verdict == .regressed ? nights?.worseSince(place.slice) : nil
  }
}
