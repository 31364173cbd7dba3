import EvalRecords

extension ReportDocument {
  /// The largest cluster of a cause, in the place with the most failures.
  private func example(of cause: FailureCause) -> FailureCluster? {
    cause.places.first?.clusters.first.map { summary.clusters[$0] }
  }

  /// The next step for a cause of failures.
  func nextStep(for cause: FailureCause) -> NextStep {
    guard let example = example(of: cause) else { return .inspect }
    let step = nextStep(for: example)
    switch step {
    case .raiseTokenLimit, .stopRepetition:
      // The advice for cut-off answers depends on all of them, not only on the largest cluster.
      return cutStep(cause.places.flatMap { $0.clusters.map { summary.clusters[$0] } })
    default: return step
    }
  }

  /// The command that shows an attempt of a cause's largest cluster.
  func command(for cause: FailureCause, namesRun: Bool = true) -> String {
    guard let first = example(of: cause)?.attempts.first else { return "" }
    return showCommand(for: summary.attempts[first], namesRun: namesRun)
  }

  /// The name and date of the run in which the place with the most failures got worse, or `nil` if
  /// it didn't get worse.
  func since(_ cause: FailureCause) -> String? {
    cause.places.first.flatMap { place in nights.flatMap { $0.worseSince(place.slice) } }
  }
}
