/// The limits on the resources that a run may use; nil means no limit.
///
/// When a limit is reached, the runner starts no more attempts, and records the remaining ones as
/// skipped, with the reason.
public struct RunBudget: Sendable, Hashable {
  /// The maximum time since the run began.
  ///
  /// The runner abandons attempts that are unfinished by then.
  public var time: Duration?
  /// The maximum total number of tokens in prompts and outputs.
  ///
  /// Answers that are in progress when the limit is reached may exceed it.
  public var tokens: Int?
  /// The maximum number of requests to backends, including retries and the further requests that
  /// measure decisions on a server.
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
