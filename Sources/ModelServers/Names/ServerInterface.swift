public import EvalRecords

/// The interfaces of model servers that can be asked, by the names that commands use.
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

  /// Where the server is unless a name says otherwise; nil where a name must say it.
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

  /// The path that an address without one gets.
  var defaultPath: String {
    switch self {
    case .ollama, .anthropic: ""
    case .google: "/v1beta"
    case .azure: "/openai/v1"
    default: "/v1"
    }
  }

  /// The environment variable that holds the key.
  public var keyVariable: String {
    switch self {
    case .openAI: "OPENAI_API_KEY"
    case .azure: "AZURE_OPENAI_API_KEY"
    case .anthropic: "ANTHROPIC_API_KEY"
    case .google: "GEMINI_API_KEY"
    default: "ASSAY_SERVER_KEY"
    }
  }

  /// Whether the interface answers nobody without a key.
  public var needsKey: Bool {
    switch self {
    case .openAI, .azure, .anthropic, .google: true
    default: false
    }
  }

  /// Whether a name may leave the model out, because the server has exactly one.
  var hasOneModel: Bool { self == .llamaServer }

  /// How many alternatives of each token are asked for, unless the user says otherwise; nil where
  /// most models of the interface refuse or lack log probabilities.
  public var usualListedTokens: Int? {
    switch self {
    case .llamaServer: 200
    case .vllm, .sglang, .ollama: 20
    default: nil
    }
  }

  /// The longest list that is worth asking for when a shorter one leaves decisions open; nil if the
  /// server has no longer one.
  public var longestList: Int? { self == .llamaServer ? 2000 : nil }

  /// Where listed probabilities come from.
  public var probabilityStage: ServedAnswer.ProbabilityStage {
    switch self {
    case .llamaServer, .ollama, .lmStudio: .beforeMask
    default: .afterMask
    }
  }

  /// Whether the interface shows the model the schema by itself.
  ///
  /// Servers that only hold the answer to a grammar don't, so the prompt has to.
  public var showsSchemaToModel: Bool {
    switch self {
    case .openAI, .azure, .anthropic, .google: true
    default: false
    }
  }

  /// What becomes of a schema on its way to the server.
  public var schemaProfile: SchemaProfile {
    switch self {
    case .openAI, .azure: .openAIStrict
    case .anthropic: .anthropic
    case .google: .gemini
    default: .jsonSchema
    }
  }
}
