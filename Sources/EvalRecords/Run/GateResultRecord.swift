/// What a suite's gate says of one variant on one backend: reached, or by how much it was missed.
///
/// The gate asks that at least the needed share of attempts passes (or, with a reducer, that the
/// cases' mean score is at least that), that no guardrail assertion ever failed, that cases with a
/// gate of their own reach it, and that the means of metrics lie within their bounds. Errors count
/// as not passed.
public struct GateResultRecord: Sendable, Hashable, Codable {
  /// A guardrail assertion and how often it failed.
  public struct GuardrailHit: Sendable, Hashable, Codable {
    /// The assertion's name.
    public var assertion: String
    /// In how many attempts it failed; at least one.
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
  /// The number of attempts made: passed, failed and error; skipped ones are not among them.
  public var attempts: Int
  /// How many of them passed.
  public var passed: Int
  /// How many of them ended in an error.
  public var errors: Int
  /// The share of attempts that must pass, from 0 to 1.
  public var neededRate: Double
  /// The guardrail assertions that failed, in the gate's order; empty if none did.
  public var guardrailHits: [GuardrailHit]
  /// The mean score of the cases, where the gate asks for one; the share of attempts otherwise.
  public var score: Double?
  /// What else was missed, in words: cases with a gate of their own, bounds of metrics, metrics
  /// without data.
  public var misses: [String]
  /// The values of metrics that are formulas over the means of others, by name.
  public var derivedMetrics: [String: Double]
  /// Whether the gate is reached: the share passed, no guardrail hit, and at least one attempt.
  public var isPassed: Bool

  /// Creates a result.
  public init(
    suite: String, variant: String, backend: String, attempts: Int, passed: Int, errors: Int,
    neededRate: Double, guardrailHits: [GuardrailHit] = [], score: Double? = nil,
    misses: [String] = [], derivedMetrics: [String: Double] = [:], isPassed: Bool
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
