/// A reason why a run is a poor reference for later runs.
public enum BaselineProblem: Sendable, Hashable {
  /// The run skipped attempts of a suite because the suite's gate was already settled.
  case stoppedEarly(suite: String, run: Int)
  /// A suite missed its gate.
  case missedGate(GateResultRecord)
  /// This many attempts ended in a backend error.
  case backendErrors(count: Int)
}

extension BaselineProblem {
  /// Returns the reasons why a run is a poor reference for some of its suites.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - attempts: The run's attempts.
  ///   - suites: The suites for which the run would be the reference.
  ///   - gates: The results of the suites' gates.
  public static func problems(
    of run: RunRecord, _ attempts: [AttemptRecord], suites: [String], gates: [GateResultRecord]
  ) -> [BaselineProblem] {
    let errors = attempts.count { suites.contains($0.key.suite) && $0.isBackendError }
    return suites.filter(run.hasStoppedEarly).map { .stoppedEarly(suite: $0, run: run.id) }
      + (run.comparison == nil ? gates.filter { !$0.isPassed }.map { .missedGate($0) } : [])
      + (errors > 0 ? [.backendErrors(count: errors)] : [])
  }
}
