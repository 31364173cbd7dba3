/// The result of a suite's gate for one variant on one backend.
///
/// A suite passes its gate if all of these conditions hold:
///
/// - At least the needed share of attempts passes or, with a reducer, the mean score of the test
///   cases is at least that share.
/// - No guardrail assertion ever fails.
/// - All test cases with separate gates pass those gates.
/// - The means of metrics are within their bounds.
///
/// Errors count as not passed.
public struct GateResultRecord: Sendable, Hashable, Codable {
  /// A guardrail assertion that failed, and how often.
  public struct GuardrailHit: Sendable, Hashable, Codable {
    /// The assertion's name.
    public var assertion: String
    /// The number of attempts in which the assertion failed, at least one.
    public var count: Int

    /// Creates a hit.
    public init(assertion: String, count: Int) {
      self.assertion = assertion
      self.count = count
    }
  }

  /// The suite's id.
  public var suite: String
  /// The variant's id.
  public var variant: String
  /// The backend's id.
  public var backend: String
  /// The number of attempts that were made, including failures and errors, but not skipped
  /// attempts.
  public var attempts: Int
  /// The number of attempts that passed.
  public var passed: Int
  /// The number of attempts that ended in an error.
  public var errors: Int
  /// The share of attempts that must pass or, with a reducer, the mean score that is needed, from 0
  /// to 1.
  public var neededRate: Double
  /// The guardrail assertions that failed, in the gate's order; empty if none failed.
  public var guardrailHits: [GuardrailHit]
  /// The share of attempts that passed or, if the gate has a reducer, the mean score of the test
  /// cases.
  ///
  /// The score is nil if no attempt counts towards it.
  public var score: Double?
  /// The other misses: guardrails that no attempt could check, test cases that missed their
  /// separate gates or have too few repeats, metrics that are out of bounds or have no value, and
  /// too many backend errors.
  public var misses: [GateMiss]
  /// The values of the metrics that are formulas over the means of other metrics, keyed by metric
  /// name.
  public var derivedMetrics: [String: Double]
  /// Whether the suite passes the gate: the score is high enough, no guardrail failed, there are no
  /// other misses, and there was at least one attempt.
  public var isPassed: Bool

  /// Creates a result.
  public init(
    suite: String, variant: String, backend: String, attempts: Int, passed: Int, errors: Int,
    neededRate: Double, guardrailHits: [GuardrailHit] = [], score: Double? = nil,
    misses: [GateMiss] = [], derivedMetrics: [String: Double] = [:], isPassed: Bool
  ) {
    self.suite = suite
    self.variant = variant
    self.backend = backend
    self.attempts = attempts
    self.passed = passed
    self.errors = errors
    self.neededRate = neededRate
    self.guardrailHits = guardrailHits
    self.score = score
    self.misses = misses
    self.derivedMetrics = derivedMetrics
    self.isPassed = isPassed
  }
}
