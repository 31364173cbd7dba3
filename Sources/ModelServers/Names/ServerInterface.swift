public import EvalRecords

/// The supported interfaces of model servers, by their names in commands.
public enum ServerInterface: String, Sendable, Hashable, CaseIterable {
  /// Any server with OpenAI's chat completions.
  case openAICompatible = "openai-api"
  case llamaServer = "llama-server"
  case vllm
  case sglang
  case ollama
  case lmStudio = "lmstudio"
  case openAI = "openai"
  case azure
  case anthropic
  case google

  /// The address if a name doesn't contain one; nil if a name has to contain one.
  public var defaultAddress: String? {
    switch self {
    case .openAICompatible, .azure: nil
    case .llamaServer: "http://127.0.0.1:8080/v1"
    case .vllm: "http://127.0.0.1:8000/v1"
    case .sglang: "http://127.0.0.1:30000/v1"
    case .ollama: "http://127.0.0.1:11434"
    case .lmStudio: "http://127.0.0.1:1234/v1"
    case .openAI: "https://api.openai.com/v1"
    case .anthropic: "https://api.anthropic.com"
    case .google: "https://generativelanguage.googleapis.com/v1beta"
    }
  }

  /// The path for addresses without a path.
  var defaultPath: String {
    switch self {
    case .ollama, .anthropic: ""
    case .google: "/v1beta"
    case .azure: "/openai/v1"
    default: "/v1"
    }
  }

  /// The environment variable with the key.
  public var keyVariable: String {
    switch self {
    case .openAI: "OPENAI_API_KEY"
    case .azure: "AZURE_OPENAI_API_KEY"
    case .anthropic: "ANTHROPIC_API_KEY"
    case .google: "GEMINI_API_KEY"
    default: "ASSAY_SERVER_KEY"
    }
  }

  /// True if the interface always requires a key.
  public var needsKey: Bool {
    switch self {
    case .openAI, .azure, .anthropic, .google: true
    default: false
    }
  }

  /// True if a name may leave the model out, because the server has exactly one.
  var hasOneModel: Bool { self == .llamaServer }

  /// The default number of alternatives to request for each token; nil if most models of the
  /// interface don't give log probabilities.
  public var usualListedTokens: Int? {
    switch self {
    case .llamaServer: 200
    case .vllm, .sglang, .ollama: 20
    default: nil
    }
  }

  /// Returns the number of alternatives to request if the default leaves decisions unresolved.
  ///
  /// llama-server can list its whole vocabulary at every token. An entry takes about 90 bytes of
  /// JSON, and the lists of an answer must fit into 64 MiB.
  ///
  /// - Parameter tokens: The number of tokens of the answer.
  /// - Returns: The number; nil if the server can't list more than the default.
  public func longestList(tokens: Int) -> Int? {
    guard self == .llamaServer else { return nil }
    return max(2000, min(262_144, (64 << 20) / 90 / max(1, tokens)))
  }

  /// The stage of sampling at which the server computes the listed probabilities.
  public var probabilityStage: ServedAnswer.ProbabilityStage {
    switch self {
    case .llamaServer, .ollama, .lmStudio: .beforeMask
    default: .afterMask
    }
  }

  /// True if the interface shows the model the schema by itself.
  ///
  /// Servers that only constrain the answer with a grammar don't, so the prompt has to.
  public var showsSchemaToModel: Bool {
    switch self {
    case .openAI, .azure, .anthropic, .google: true
    default: false
    }
  }

  /// The transformation of schemas for the server.
  public var schemaProfile: SchemaProfile {
    switch self {
    case .openAI, .azure: .openAIStrict
    case .anthropic: .anthropic
    case .google: .gemini
    default: .jsonSchema
    }
  }
}
