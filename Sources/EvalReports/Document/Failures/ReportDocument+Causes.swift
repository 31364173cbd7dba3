import EvalRecords

extension ReportDocument {
  /// The largest cluster of a cause, in the place with the most failures.
  private func example(of cause: FailureCause) -> FailureCluster? {
    cause.places.first?.clusters.first.map { summary.clusters[$0] }
  }

  /// The command that shows an attempt of a cause's largest cluster.
  func command(for cause: FailureCause, namesRun: Bool = true) -> String {
    guard let first = example(of: cause)?.attempts.first else { return "" }
    return showCommand(for: summary.attempts[first], namesRun: namesRun)
  }

  /// Returns the name and date of the run since which the place with the most failures has been
  /// worse.
  ///
  /// The result is `nil` if that place didn't get worse, or if the headline already names the run.
  func since(_ cause: FailureCause) -> String? {
    guard let place = cause.places.first, place.slice != worstSlice else { return nil }
    return nights?.worseSince(place.slice)
  }
}
