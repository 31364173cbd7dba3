/// One decoding step: a token, its alternatives, and the effect of the mask.
public struct TokenStep: Sendable, Hashable, Codable {
  /// The bytes that the token added, as text (lossy if the token splits a character).
  public var text: String
  /// The path in the value at which the token begins.
  public var path: String
  /// Whether nothing was sampled, because only one continuation was legal.
  public var isForced: Bool
  /// The number of legal tokens.
  public var legalCount: Int
  /// The probability mass that the mask kept (Z), from 0 to 1.
  public var keptMass: Double
  /// The entropy of the model's own distribution in bits, or `nil` if it was not recorded.
  public var rawEntropy: Double?
  /// The entropy after the mask, over the legal tokens, in bits, or `nil` if it was not recorded.
  public var maskedEntropy: Double?
  /// The most likely candidates before the mask, and the chosen token.
  public var candidates: [TokenCandidate]
  /// The word with which the model would have begun a text that the schema forbids, or `nil` if
  /// that isn't known.
  ///
  /// Stored steps don't contain this text.
  public var wanted: String?

  /// Creates a step.
  public init(
    text: String, path: String, isForced: Bool, legalCount: Int, keptMass: Double,
    rawEntropy: Double? = nil, maskedEntropy: Double? = nil, candidates: [TokenCandidate]
  ) {
    self.text = text
    self.path = path
    self.isForced = isForced
    self.legalCount = legalCount
    self.keptMass = keptMass
    self.rawEntropy = rawEntropy
    self.maskedEntropy = maskedEntropy
    self.candidates = candidates
  }
}

/// A token that the model considered at a step, whether or not the mask allowed it.
public struct TokenCandidate: Sendable, Hashable, Codable {
  /// The token's bytes as text.
  public var text: String
  /// The token's probability before the mask.
  public var raw: Double
  /// The probability with which the token was sampled; 0 if the mask forbids the token.
  public var sampled: Double
  /// Whether the mask allows the token.
  public var isAllowed: Bool
  /// Whether the schema allows the token's text, or `nil` if it isn't known.
  ///
  /// The mask may forbid such a token because it splits the text in an unusual way. Stored steps
  /// don't contain this value.
  public var fitsSchema: Bool?

  /// Creates a candidate.
  public init(
    text: String, raw: Double, sampled: Double, isAllowed: Bool, fitsSchema: Bool? = nil
  ) {
    self.text = text
    self.raw = raw
    self.sampled = sampled
    self.isAllowed = isAllowed
    self.fitsSchema = fitsSchema
  }
}
