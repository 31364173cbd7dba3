/// Options for choosing tokens, for ending a response, and for calling tools.
///
/// If an option is `nil`, the session uses the profile's option. If the profile doesn't set the
/// option either, the model decides.
public struct GenerationOptions: Sendable, Equatable {
  /// The rule for choosing tokens, or `nil` for the model's default.
  ///
  /// In Apple's framework, the default is random sampling.
  public var sampling: SamplingMode?
  /// The temperature, from 0 to 1, or `nil` for the model's default.
  ///
  /// Higher values make unlikely tokens more probable. Assay's backends treat 0 as greedy.
  public var temperature: Double?
  /// The maximum number of tokens in a response.
  ///
  /// If the limit cuts off a value, the request throws `GeneratedContent.ParsingError`, as in
  /// Apple's framework. `nil` means the model's default.
  public var maximumResponseTokens: Int?
  /// Whether the model may, must or must not call tools; `nil` means that it may.
  public var toolCallingMode: ToolCallingMode?

  /// Creates options.
  ///
  /// - Parameters:
  ///   - samplingMode: The rule for choosing tokens, or `nil` for the model's default.
  ///   - temperature: The temperature, from 0 to 1, or `nil` for the model's default.
  ///   - maximumResponseTokens: The maximum number of tokens in a response, or `nil` for the
  ///     model's default.
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
  ///   - samplingMode: The rule for choosing tokens, or `nil` for the model's default.
  ///   - temperature: The temperature, from 0 to 1, or `nil` for the model's default.
  ///   - maximumResponseTokens: The maximum number of tokens in a response, or `nil` for the
  ///     model's default.
  ///   - toolCallingMode: Whether the model may, must or must not call tools; `nil` means that it
  ///     may.
  public init(
    samplingMode: SamplingMode? = nil, temperature: Double? = nil,
    maximumResponseTokens: Int? = nil, toolCallingMode: ToolCallingMode?
  ) {
    self.init(
      samplingMode: samplingMode, temperature: temperature,
      maximumResponseTokens: maximumResponseTokens)
    self.toolCallingMode = toolCallingMode
  }

  /// Creates options, using the parameter names of iOS 26 and macOS 26.
  ///
  /// - Parameters:
  ///   - sampling: The rule for choosing tokens, or `nil` for the model's default.
  ///   - temperature: The temperature, from 0 to 1, or `nil` for the model's default.
  ///   - maximumResponseTokens: The maximum number of tokens in a response, or `nil` for the
  ///     model's default.
  public init(
    sampling: SamplingMode?, temperature: Double? = nil, maximumResponseTokens: Int? = nil
  ) {
    self.init(
      samplingMode: sampling, temperature: temperature,
      maximumResponseTokens: maximumResponseTokens)
  }

  /// The rule for choosing tokens; in iOS 26 and macOS 26, this property is called `sampling`.
  public var samplingMode: SamplingMode? {
    get { sampling }
    set { sampling = newValue }
  }
}

extension GenerationOptions {
  /// A rule for choosing tokens.
  public struct SamplingMode: Sendable, Equatable {
    /// The kind of a sampling mode, with its parameters.
    public enum Kind: Sendable, Equatable {
      /// Always chooses the most probable token.
      case greedy
      /// Chooses randomly among the given number of most probable tokens.
      case randomTopK(_: Int, seed: UInt64?)
      /// Chooses randomly among the smallest group of most probable tokens whose total probability
      /// reaches a threshold.
      case randomProbabilityThreshold(_: Double, seed: UInt64?)
    }

    /// The kind of the mode.
    public let kind: Kind

    /// A mode that always chooses the most probable token.
    public static var greedy: SamplingMode { SamplingMode(kind: .greedy) }

    /// Returns a mode that chooses randomly among the most probable tokens.
    ///
    /// With a seed, the answers of `LocalLanguageModel` are reproducible; Apple's framework
    /// promises only a best effort.
    ///
    /// - Parameters:
    ///   - k: The number of tokens to choose from.
    ///   - seed: A seed that makes the choice repeatable; `nil` leaves the seed to the model.
    public static func random(top k: Int, seed: UInt64? = nil) -> SamplingMode {
      SamplingMode(kind: .randomTopK(k, seed: seed))
    }

    /// Returns a mode that chooses randomly among the smallest group of most probable tokens whose
    /// total probability reaches a threshold.
    ///
    /// With a seed, the answers of `LocalLanguageModel` are reproducible; Apple's framework
    /// promises only a best effort.
    ///
    /// - Parameters:
    ///   - probabilityThreshold: The threshold, from 0 to 1.
    ///   - seed: A seed that makes the choice repeatable; `nil` leaves the seed to the model.
    public static func random(
      probabilityThreshold: Double, seed: UInt64? = nil
    ) -> SamplingMode {
      SamplingMode(kind: .randomProbabilityThreshold(probabilityThreshold, seed: seed))
    }
  }

  /// A rule that says whether the model may, must or must not call tools.
  public struct ToolCallingMode: Sendable, Equatable {
    /// The kind of a rule for tool calls.
    public enum Kind: Sendable, Hashable {
      /// The model decides whether to call tools.
      case allowed
      /// The model must call at least one tool.
      case required
      /// The model must not call tools.
      case disallowed
    }

    /// The kind of the rule.
    public var kind: Kind

    /// The rule that lets the model decide whether to call tools.
    public static let allowed = ToolCallingMode(kind: .allowed)
    /// The rule that requires at least one tool call.
    public static let required = ToolCallingMode(kind: .required)
    /// The rule that forbids tool calls.
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
    /// Extensive reasoning.
    case deep
    /// A level that the model's provider defines.
    case custom(String)
  }

  /// Whether the prompt contains the schema; `nil` means that it does.
  ///
  /// The grammar enforces the schema either way.
  public var includeSchemaInPrompt: Bool?
  /// The amount of reasoning before the answer, or `nil` for the model's default.
  ///
  /// The session passes the level to the model's executor. Assay's backends ignore it.
  public var reasoningLevel: ReasoningLevel?

  /// Creates options.
  ///
  /// - Parameters:
  ///   - includeSchemaInPrompt: Whether the prompt contains the schema; `nil` means that it does.
  ///   - reasoningLevel: The amount of reasoning before the answer, or `nil` for the model's
  ///     default.
  public init(includeSchemaInPrompt: Bool? = nil, reasoningLevel: ReasoningLevel? = nil) {
    self.includeSchemaInPrompt = includeSchemaInPrompt
    self.reasoningLevel = reasoningLevel
  }
}
