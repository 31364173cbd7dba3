import EvalRecords

extension ReportDocument {
  /// The largest detail of a cause, in the place with the most failures.
  private func example(of cause: FailureCause) -> FailureCluster? {
    cause.places.first?.clusters.first.map { summary.clusters[$0] }
  }

  /// The next step for a cause of failures.
  func nextStep(for cause: FailureCause) -> NextStep {
    example(of: cause).map { nextStep(for: $0) } ?? .inspect
  }

  /// The command that shows an attempt of a cause's largest detail.
  func command(for cause: FailureCause, namesRun: Bool = true) -> String {
    guard let first = example(of: cause)?.attempts.first else { return "" }
    return showCommand(for: summary.attempts[first], namesRun: namesRun)
  }

  /// The first run of the newest steady stretch of the cause's largest place, if it is worse than
  /// the stretch before.
  func since(_ cause: FailureCause) -> String? {
    cause.places.first.flatMap { place in nights.flatMap { $0.worseSince(place.slice) } }
  }
}
