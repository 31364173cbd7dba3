/// That the rest of a gate's attempts was not made, because its result was settled.
public struct EarlyStopRecord: Sendable, Hashable, Codable {
  /// What was settled.
  public enum Outcome: String, Sendable, Hashable, Codable {
    /// All attempts together would reach the needed rate.
    case reached
    /// They would not.
    case missed
    /// A guardrail was hit, so that the gate is missed whatever follows.
    case guardrail
  }

  /// The suite's id.
  public var suite: String
  /// The backend's id.
  public var backend: String
  /// What was settled.
  public var outcome: Outcome
  /// The chance that all attempts together would have said otherwise, at most.
  public var alpha: Double
  /// The attempts, or cases, that the decision is made of.
  public var count: Int
  /// Those of them that passed.
  public var passed: Int
  /// The attempts, or cases, that were planned.
  public var planned: Int
  /// How the repeats of a case make its score where the gate asks of cases; nil if it asks of
  /// attempts.
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

  /// The decision in words.
  public var words: String {
    let rule = "beta-binomial confidence sequence, α = \(alpha)"
    let sample = "\(passed) of \(count)" + (reducer.map { " cases passed by `\($0)`" } ?? " passed")
    switch outcome {
    case .reached: return "stopped early: the gate is reached (\(sample), \(rule))"
    case .missed: return "stopped early: the gate is missed (\(sample), \(rule))"
    case .guardrail: return "stopped early: a guardrail was hit"
    }
  }
}
