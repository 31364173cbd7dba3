/// How the next token is chosen, and when to stop.
public struct GenerationOptions: Sendable, Equatable {
  /// How tokens are chosen; nil for the model's own way, which is random.
  public var sampling: SamplingMode?
  /// How far apart the probabilities of the tokens are drawn, from 0 to 1; nil for the model's own.
  public var temperature: Double?
  /// The greatest number of tokens of a response; one that needs more ends in an error.
  public var maximumResponseTokens: Int?
  /// Whether tools may be called.
  public var toolCallingMode: ToolCallingMode?

  /// Creates options.
  ///
  /// - Parameters:
  ///   - samplingMode: How tokens are chosen.
  ///   - temperature: The temperature, from 0 to 1.
  ///   - maximumResponseTokens: The maximum number of tokens in a response.
  public init(
    samplingMode: SamplingMode? = nil, temperature: Double? = nil,
    maximumResponseTokens: Int? = nil
  ) {
    sampling = samplingMode
    self.temperature = temperature
    self.maximumResponseTokens = maximumResponseTokens
  }

  /// Creates options that say whether tools may be called.
  ///
  /// - Parameters:
  ///   - samplingMode: How tokens are chosen.
  ///   - temperature: The temperature, from 0 to 1.
  ///   - maximumResponseTokens: The maximum number of tokens in a response.
  ///   - toolCallingMode: Whether tools may be called.
  public init(
    samplingMode: SamplingMode? = nil, temperature: Double? = nil,
    maximumResponseTokens: Int? = nil, toolCallingMode: ToolCallingMode?
  ) {
    self.init(
      samplingMode: samplingMode, temperature: temperature,
      maximumResponseTokens: maximumResponseTokens)
    self.toolCallingMode = toolCallingMode
  }

  /// Creates options under the names of OS 26.
  ///
  /// - Parameters:
  ///   - sampling: How tokens are chosen.
  ///   - temperature: The temperature, from 0 to 1.
  ///   - maximumResponseTokens: The maximum number of tokens in a response.
  public init(
    sampling: SamplingMode?, temperature: Double? = nil, maximumResponseTokens: Int? = nil
  ) {
    self.init(
      samplingMode: sampling, temperature: temperature,
      maximumResponseTokens: maximumResponseTokens)
  }

  /// How tokens are chosen, under the name of OS 27.
  public var samplingMode: SamplingMode? {
    get { sampling }
    set { sampling = newValue }
  }
}

extension GenerationOptions {
  /// How tokens are chosen.
  public struct SamplingMode: Sendable, Equatable {
    /// What a mode is.
    public enum Kind: Sendable, Equatable {
      case greedy
      case randomTopK(_: Int, seed: UInt64?)
      case randomProbabilityThreshold(_: Double, seed: UInt64?)
    }

    /// What the mode is.
    public let kind: Kind

    /// Always the most probable token.
    public static var greedy: SamplingMode { SamplingMode(kind: .greedy) }

    /// One of the most probable tokens.
    ///
    /// - Parameters:
    ///   - k: How many tokens there are to choose from.
    ///   - seed: A seed that makes the choice repeatable; nil means a random one.
    public static func random(top k: Int, seed: UInt64? = nil) -> SamplingMode {
      SamplingMode(kind: .randomTopK(k, seed: seed))
    }

    /// One of the most probable tokens that together reach a probability.
    ///
    /// - Parameters:
    ///   - probabilityThreshold: The probability, from 0 to 1.
    ///   - seed: A seed that makes the choice repeatable; nil means a random one.
    public static func random(
      probabilityThreshold: Double, seed: UInt64? = nil
    ) -> SamplingMode {
      SamplingMode(kind: .randomProbabilityThreshold(probabilityThreshold, seed: seed))
    }
  }

  /// Whether tools may be called.
  public struct ToolCallingMode: Sendable, Equatable {
    /// What a mode is.
    public enum Kind: Sendable, Hashable {
      case allowed
      case required
      case disallowed
    }

    /// What the mode is.
    public var kind: Kind

    /// The model decides.
    public static let allowed = ToolCallingMode(kind: .allowed)
    /// The model calls at least one tool.
    public static let required = ToolCallingMode(kind: .required)
    /// The model calls none.
    public static let disallowed = ToolCallingMode(kind: .disallowed)
  }
}

/// What the model reads besides the prompt.
public struct ContextOptions: Sendable, Equatable {
  /// How long a model thinks before it answers.
  public enum ReasoningLevel: Sendable, Equatable {
    case light
    case moderate
    case deep
    case custom(String)
  }

  /// Whether the schema is written into the prompt; the grammar enforces it either way.
  public var includeSchemaInPrompt: Bool?
  /// How long the model thinks.
  public var reasoningLevel: ReasoningLevel?

  /// Creates options.
  ///
  /// - Parameters:
  ///   - includeSchemaInPrompt: Whether the schema is written into the prompt.
  ///   - reasoningLevel: How long the model thinks.
  public init(includeSchemaInPrompt: Bool? = nil, reasoningLevel: ReasoningLevel? = nil) {
    self.includeSchemaInPrompt = includeSchemaInPrompt
    self.reasoningLevel = reasoningLevel
  }
}
