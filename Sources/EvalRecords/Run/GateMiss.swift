/// A reason why a suite misses its gate, other than a low rate or a failed guardrail.
public enum GateMiss: Sendable, Hashable, Codable {
  /// A guardrail neither passed nor failed in any attempt: it had nothing to check, or the answers
  /// ended too early.
  case uncheckedGuardrail(assertion: String, vacuous: Int, unknown: Int)
  /// A test case missed its own gate; the reducer is nil if the score is the share of repeats that
  /// passed.
  case caseScore(
    caseID: String, passed: Int, attempts: Int, score: Double, needed: Double,
    reducer: CaseReducer?)
  /// A test case has fewer repeats than its reducer needs.
  case tooFewRepeats(caseID: String, attempts: Int, reducer: CaseReducer)
  /// A metric is out of bounds; `values` is the number of attempts in its mean, or `nil` if the
  /// metric is a formula over means.
  case metricOutOfBounds(
    metric: String, value: Double, values: Int?, isShare: Bool, bound: MetricBound)
  /// A metric has no value in any attempt.
  case metricWithoutData(metric: String, attempts: Int)
  /// The gate requires no pass rate, and more than 1 % of the attempts say nothing about the model:
  /// the backend failed, or the prompt doesn't fit into the context.
  case backendErrors(errors: Int, attempts: Int)
  /// Test cases of an import have no recorded answer, and the import doesn't permit that.
  case missingAnswers(cases: Int)
  /// The formula of a metric has no value; `reason` says why.
  case metricWithoutValue(metric: String, reason: String)
}

/// The bound that a gate sets for a metric.
public enum MetricBound: Sendable, Hashable, Codable {
  /// The minimum allowed value.
  case atLeast(Double)
  /// The maximum allowed value.
  case atMost(Double)
}
