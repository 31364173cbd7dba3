/// How an answer is sampled and laid out.
///
/// Part of a run's identity.
public struct GenerationSettings: Sendable, Hashable, Codable {
  /// The white space that the mask allows.
  public enum Whitespace: String, Sendable, Hashable, Codable, CaseIterable {
    /// None outside strings.
    case compact
    /// One space after `:` and `,`.
    case singleSpace
    /// Two-space indentation, one member a line.
    case pretty
    /// As the model chooses, within a bound for each place.
    case any
  }

  /// Which segmentations of the text into tokens are allowed.
  public enum Tokenization: String, Sendable, Hashable, Codable, CaseIterable {
    /// Every token whose bytes fit.
    case all
    /// Where the schema leaves one text only, the tokens that the model's tokenizer gives it.
    case canonical
    /// Everywhere, only tokens that the model's tokenizer would write behind the one before.
    case canonicalPairs

    /// The value as suites write it.
    public var suiteWord: String {
      switch self {
      case .all: "allSegmentations"
      case .canonical: "canonical"
      case .canonicalPairs: "canonicalPairs"
      }
    }
  }

  /// Always the likeliest token; temperature and truncation are then without effect.
  public var isGreedy: Bool
  /// Divides the logits; 1 leaves the model's distribution.
  public var temperature: Double
  /// Keeps only the k likeliest tokens; 0 keeps all.
  public var topK: Int
  /// Keeps the likeliest tokens that together have this mass; 1 keeps all.
  public var topP: Double
  /// Keeps tokens of at least this share of the likeliest one's probability; 0 keeps all.
  public var minP: Double
  /// The most tokens of an answer.
  public var maximumTokens: Int
  /// The white space that the mask allows.
  public var whitespace: Whitespace
  /// Which segmentations are allowed.
  public var tokenization: Tokenization

  /// Makes settings.
  public init(
    isGreedy: Bool = false, temperature: Double = 0.7, topK: Int = 0, topP: Double = 1,
    minP: Double = 0, maximumTokens: Int = 512, whitespace: Whitespace = .compact,
    tokenization: Tokenization = .all
  ) {
    self.isGreedy = isGreedy
    self.temperature = temperature
    self.topK = topK
    self.topP = topP
    self.minP = minP
    self.maximumTokens = maximumTokens
    self.whitespace = whitespace
    self.tokenization = tokenization
  }
}
