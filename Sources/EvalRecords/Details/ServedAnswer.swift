/// The details that only an answer from a served model has.
public struct ServedAnswer: Sendable, Hashable, Codable {
  /// The server's name for the model that answered, or `nil` if the server doesn't name it.
  public var model: String?
  /// The server's name for its build and settings.
  public var fingerprint: String?
  /// The number of the answer's tokens that were used for reasoning.
  public var reasoningTokens: Int?
  /// The number of the prompt's tokens that the server had in its cache.
  public var cachedTokens: Int?
  /// The cost of the answer at the user's prices, or `nil` if there are no prices, or if the server
  /// didn't report the tokens.
  public var cost: Double?
  /// A description of the violation if the server promised to enforce the schema but the answer
  /// violates it, or `nil` otherwise.
  public var brokenPromise: String?
  /// The original text from the server, or `nil` if that text has the same value as the output.
  ///
  /// The output differs if Assay removed what only the sent schema asked for: a wrapper, or the
  /// nulls for absent properties.
  public var originalText: String?

  /// The stage of sampling that the listed probabilities come from, or `nil` if none were listed.
  public var probabilities: ProbabilityStage?

  /// The maximum number of alternatives that the server listed for one of the answer's tokens, or
  /// `nil` if it listed none.
  public var listedTokens: Int?
  /// The number of further requests that Assay sent to measure the answer's decisions, or `nil` if
  /// it sent none.
  public var furtherRequests: Int?

  /// The stages of sampling from which listed probabilities come.
  public enum ProbabilityStage: String, Sendable, Hashable, Codable, CaseIterable {
    /// The model's own probabilities, before the server's mask.
    case beforeMask
    /// The probabilities after the server's mask; the removed mass is unknown.
    case afterMask
  }

  /// Creates an empty record.
  public init() {}
}
