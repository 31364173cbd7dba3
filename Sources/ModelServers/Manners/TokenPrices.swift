/// What tokens cost, as the user says.
public struct TokenPrices: Sendable, Hashable {
  /// The price of a million tokens of prompts.
  public var prompt: Double
  /// The price of a million tokens of prompts that the server had kept; nil for the full price.
  public var cached: Double?
  /// The price of a million tokens of answers.
  public var output: Double

  /// Makes prices, in any currency.
  public init(prompt: Double, cached: Double? = nil, output: Double) {
    self.prompt = prompt
    self.cached = cached
    self.output = output
  }

  /// The price of an answer.
  public func cost(of reply: ServerReply) -> Double {
    let cachedTokens = min(reply.cachedTokens ?? 0, reply.promptTokens)
    return
      (Double(reply.promptTokens - cachedTokens) * prompt
      + Double(cachedTokens) * (cached ?? prompt) + Double(reply.outputTokens) * output) / 1e6
  }
}
