/// The prices of tokens, given by the user.
public struct TokenPrices: Sendable, Hashable {
  /// The price of a million prompt tokens.
  public var prompt: Double
  /// The price of a million prompt tokens that the server had cached, or `nil` if they cost the
  /// full price.
  public var cached: Double?
  /// The price of a million output tokens.
  public var output: Double

  /// Creates prices in any currency.
  public init(prompt: Double, cached: Double? = nil, output: Double) {
    self.prompt = prompt
    self.cached = cached
    self.output = output
  }

  /// Returns the price of an answer, or `nil` if the server didn't report its tokens.
  public func cost(of reply: ServerReply) -> Double? {
    guard reply.reportsTokens else { return nil }
    let cachedTokens = min(reply.cachedTokens ?? 0, reply.promptTokens)
    return
      (Double(reply.promptTokens - cachedTokens) * prompt
      + Double(cachedTokens) * (cached ?? prompt) + Double(reply.outputTokens) * output) / 1e6
  }
}
