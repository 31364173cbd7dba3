/// Options for choosing tokens and for ending a response.
public struct GenerationOptions: Sendable, Equatable {
  /// The rule for choosing tokens; nil for the model's default, which is random.
  public var sampling: SamplingMode?
  /// The temperature, from 0 to 1: higher values make unlikely tokens more probable.
  ///
  /// Nil means the model's default.
  public var temperature: Double?
  /// The maximum number of tokens in a response.
  ///
  /// A response that needs more ends in an error.
  public var maximumResponseTokens: Int?
  /// Whether the model may, must or must not call tools.
  public var toolCallingMode: ToolCallingMode?

  /// Creates options.
  ///
  /// - Parameters:
  ///   - samplingMode: The rule for choosing tokens.
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

  /// Creates options with a rule for tool calls.
  ///
  /// - Parameters:
  ///   - samplingMode: The rule for choosing tokens.
  ///   - temperature: The temperature, from 0 to 1.
  ///   - maximumResponseTokens: The maximum number of tokens in a response.
  ///   - toolCallingMode: Whether the model may, must or must not call tools.
  public init(
    samplingMode: SamplingMode? = nil, temperature: Double? = nil,
    maximumResponseTokens: Int? = nil, toolCallingMode: ToolCallingMode?
  ) {
    self.init(
      samplingMode: samplingMode, temperature: temperature,
      maximumResponseTokens: maximumResponseTokens)
    self.toolCallingMode = toolCallingMode
  }

  /// Creates options with the parameter names of OS 26.
  ///
  /// - Parameters:
  ///   - sampling: The rule for choosing tokens.
  ///   - temperature: The temperature, from 0 to 1.
  ///   - maximumResponseTokens: The maximum number of tokens in a response.
  public init(
    sampling: SamplingMode?, temperature: Double? = nil, maximumResponseTokens: Int? = nil
  ) {
    self.init(
      samplingMode: sampling, temperature: temperature,
      maximumResponseTokens: maximumResponseTokens)
  }

  /// The rule for choosing tokens, under its OS 27 name.
  public var samplingMode: SamplingMode? {
    get { sampling }
    set { sampling = newValue }
  }
}

extension GenerationOptions {
  /// A rule for choosing tokens.
  public struct SamplingMode: Sendable, Equatable {
    /// The kind of a mode.
    public enum Kind: Sendable, Equatable {
      /// Always chooses the most probable token.
      case greedy
      /// Chooses randomly among the given number of most probable tokens.
      case randomTopK(_: Int, seed: UInt64?)
      /// Chooses randomly among the most probable tokens whose total probability reaches a
      /// threshold.
      case randomProbabilityThreshold(_: Double, seed: UInt64?)
    }

    /// The kind of the mode.
    public let kind: Kind

    /// Always chooses the most probable token.
    public static var greedy: SamplingMode { SamplingMode(kind: .greedy) }

    /// Chooses randomly among the most probable tokens.
    ///
    /// - Parameters:
    ///   - k: The number of tokens to choose from.
    ///   - seed: A seed that makes the choice repeatable; nil means a random one.
    public static func random(top k: Int, seed: UInt64? = nil) -> SamplingMode {
      SamplingMode(kind: .randomTopK(k, seed: seed))
    }

    /// Chooses randomly among the most probable tokens whose total probability reaches a threshold.
    ///
    /// - Parameters:
    ///   - probabilityThreshold: The threshold, from 0 to 1.
    ///   - seed: A seed that makes the choice repeatable; nil means a random one.
    public static func random(
      probabilityThreshold: Double, seed: UInt64? = nil
    ) -> SamplingMode {
      SamplingMode(kind: .randomProbabilityThreshold(probabilityThreshold, seed: seed))
    }
  }

  /// Whether the model may, must or must not call tools.
  public struct ToolCallingMode: Sendable, Equatable {
    /// The kind of a mode.
    public enum Kind: Sendable, Hashable {
      /// The model decides whether to call tools.
      case allowed
      /// The model must call at least one tool.
      case required
      /// The model must not call tools.
      case disallowed
    }

    /// The kind of the mode.
    public var kind: Kind

    /// The model decides whether to call tools.
    public static let allowed = ToolCallingMode(kind: .allowed)
    /// The model must call at least one tool.
    public static let required = ToolCallingMode(kind: .required)
    /// The model must not call tools.
    public static let disallowed = ToolCallingMode(kind: .disallowed)
  }
}

/// Options for the schema in the prompt and for reasoning.
public struct ContextOptions: Sendable, Equatable {
  /// The amount of reasoning before the answer.
  public enum ReasoningLevel: Sendable, Equatable {
    /// A little reasoning.
    case light
    /// A moderate amount of reasoning.
    case moderate
    /// Much reasoning.
    case deep
    /// A level that the model's provider defines.
    case custom(String)
  }

  /// Whether the prompt contains the schema; the grammar enforces the schema either way.
  public var includeSchemaInPrompt: Bool?
  /// The amount of reasoning before the answer.
  public var reasoningLevel: ReasoningLevel?

  /// Creates options.
  ///
  /// - Parameters:
  ///   - includeSchemaInPrompt: Whether the prompt contains the schema.
  ///   - reasoningLevel: The amount of reasoning before the answer.
  public init(includeSchemaInPrompt: Bool? = nil, reasoningLevel: ReasoningLevel? = nil) {
    self.includeSchemaInPrompt = includeSchemaInPrompt
    self.reasoningLevel = reasoningLevel
  }
}
