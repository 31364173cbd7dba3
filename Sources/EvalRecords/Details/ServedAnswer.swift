/// The part of an answer that only a server tells, or that only served answers have.
public struct ServedAnswer: Sendable, Hashable, Codable {
  /// The model that answered, as the server names it; nil if it doesn't.
  public var model: String?
  /// The server's name for its build and settings.
  public var fingerprint: String?
  /// The tokens of reasoning among those of the answer.
  public var reasoningTokens: Int?
  /// The tokens of the prompt that the server had kept.
  public var cachedTokens: Int?
  /// The price of the answer, by the user's prices.
  public var cost: Double?
  /// How the answer leaves the schema that the server was to hold it to; nil if it keeps to it.
  public var brokenPromise: String?
  /// Whether enum values had other capital letters than the schema's.
  public var hasOtherCapitals: Bool?
  /// The text as the server gave it, if the output is another form of it: out of its wrapper,
  /// without nulls for absent properties, or with the capital letters of the schema.
  public var originalText: String?

  /// Creates a record of nothing.
  public init() {}
}
