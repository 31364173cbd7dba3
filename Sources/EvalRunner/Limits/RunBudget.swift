/// The limits on the resources that a run may use; a property that is `nil` sets no limit.
///
/// When a run reaches a limit, the runner starts no more attempts. It records the remaining
/// attempts as skipped, with the reason.
public struct RunBudget: Sendable, Hashable {
  /// The maximum duration of the run.
  ///
  /// The runner abandons attempts that are unfinished when the time is up.
  public var time: Duration?
  /// The maximum total number of tokens in prompts and outputs.
  ///
  /// Answers that are in progress when the limit is reached may exceed it.
  public var tokens: Int?
  /// The maximum number of requests to backends, including retries and the additional requests for
  /// the probabilities of tokens that a server didn't sample.
  public var calls: Int?

  /// The maximum cost of the answers of served models, at the user's prices.
  ///
  /// Answers that are in progress when the limit is reached may exceed it.
  public var cost: Double?

  /// Creates a budget.
  public init(
    time: Duration? = nil, tokens: Int? = nil, calls: Int? = nil, cost: Double? = nil
  ) {
    self.time = time
    self.tokens = tokens
    self.calls = calls
    self.cost = cost
  }
}
