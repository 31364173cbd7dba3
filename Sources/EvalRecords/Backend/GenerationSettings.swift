/// The settings for prompting, formatting and sampling an answer.
///
/// The settings are part of a run's identity.
public struct GenerationSettings: Sendable, Hashable, Codable {
  /// Whether the model always chooses the most likely token, so that temperature and truncation
  /// have no effect.
  public var isGreedy: Bool
  /// The number by which the logits are divided; 1 keeps the model's distribution.
  public var temperature: Double
  /// The number of most likely tokens to keep; 0 keeps all.
  public var topK: Int
  /// The total probability of the most likely tokens to keep; 1 keeps all.
  public var topP: Double
  /// The minimum probability of a token to keep, relative to the most likely token; 0 keeps all.
  public var minP: Double
  /// The maximum number of tokens in an answer.
  public var maximumTokens: Int
  /// The white space that the mask allows.
  public var whitespace: Whitespace
  /// The segmentations (ways to split the output into tokens) that the mask allows.
  public var tokenization: Tokenization
  /// The way in which the prompt shows the schema.
  public var outline: Outline
  /// Whether a mask enforces the schema.
  public var mask: Mask

  /// Creates settings.
  public init(
    isGreedy: Bool = false, temperature: Double = 0.7, topK: Int = 0, topP: Double = 1,
    minP: Double = 0, maximumTokens: Int = 512, whitespace: Whitespace = .any,
    tokenization: Tokenization = .canonical, outline: Outline = .typescript, mask: Mask = .on
  ) {
    self.isGreedy = isGreedy
    self.temperature = temperature
    self.topK = topK
    self.topP = topP
    self.minP = minP
    self.maximumTokens = maximumTokens
    self.whitespace = whitespace
    self.tokenization = tokenization
    self.outline = outline
    self.mask = mask
  }

  /// Creates settings from a decoder, with defaults for `outline` and `mask`, which records of the
  /// first measurement protocol lack.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      isGreedy: try container.decode(Bool.self, forKey: .isGreedy),
      temperature: try container.decode(Double.self, forKey: .temperature),
      topK: try container.decode(Int.self, forKey: .topK),
      topP: try container.decode(Double.self, forKey: .topP),
      minP: try container.decode(Double.self, forKey: .minP),
      maximumTokens: try container.decode(Int.self, forKey: .maximumTokens),
      whitespace: try container.decode(Whitespace.self, forKey: .whitespace),
      tokenization: try container.decode(Tokenization.self, forKey: .tokenization),
      outline: try container.decodeIfPresent(Outline.self, forKey: .outline) ?? .typescript,
      mask: try container.decodeIfPresent(Mask.self, forKey: .mask) ?? .on)
  }
}
