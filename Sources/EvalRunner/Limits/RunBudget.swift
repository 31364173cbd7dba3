/// What a run may use; nil for no limit.
///
/// Where a limit is reached, nothing more is begun and the attempts that were not made are recorded
/// as skipped, with the reason.
public struct RunBudget: Sendable, Hashable {
  /// The time from the run's beginning.
  ///
  /// What is in work by then is given up.
  public var time: Duration?
  /// The tokens of prompts and outputs together.
  ///
  /// Answers in work when the limit is reached may go beyond it.
  public var tokens: Int?
  /// The answers that backends are asked for, new tries included.
  public var calls: Int?

  /// The money for the answers of served models, by the prices that the user states.
  ///
  /// Answers in work when the limit is reached may go beyond it.
  public var cost: Double?

  /// Makes a budget.
  public init(
    time: Duration? = nil, tokens: Int? = nil, calls: Int? = nil, cost: Double? = nil
  ) {
    self.time = time
    self.tokens = tokens
    self.calls = calls
    self.cost = cost
  }
}
