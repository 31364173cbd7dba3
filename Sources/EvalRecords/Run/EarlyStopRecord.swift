/// The record of a gate whose result was settled before all its attempts were made.
public struct EarlyStopRecord: Sendable, Hashable, Codable {
  /// The settled result.
  public enum Outcome: String, Sendable, Hashable, Codable {
    /// All attempts together would reach the needed rate.
    case reached
    /// All attempts together would miss the needed rate.
    case missed
    /// A guardrail failed, so the suite misses the gate no matter how the remaining attempts end.
    case guardrail
  }

  /// The suite's id.
  public var suite: String
  /// The backend's id.
  public var backend: String
  /// The settled result.
  public var outcome: Outcome
  /// The maximum chance that all attempts together would have given a different result.
  public var alpha: Double
  /// The number of attempts or test cases on which the result is based.
  public var count: Int
  /// The number of these attempts or test cases that passed.
  public var passed: Int
  /// The number of planned attempts or test cases.
  public var planned: Int
  /// The rule that combines the repeats of a test case if the gate counts test cases, or `nil` if
  /// the gate counts attempts.
  public var reducer: CaseReducer?

  /// Creates a record.
  public init(
    suite: String, backend: String, outcome: Outcome, alpha: Double, count: Int, passed: Int,
    planned: Int, reducer: CaseReducer? = nil
  ) {
    self.suite = suite
    self.backend = backend
    self.outcome = outcome
    self.alpha = alpha
    self.count = count
    self.passed = passed
    self.planned = planned
    self.reducer = reducer
  }
}
