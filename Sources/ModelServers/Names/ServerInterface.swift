public import EvalRecords

/// The supported interfaces of model servers.
///
/// The raw values are the names in commands.
public enum ServerInterface: String, Sendable, Hashable, CaseIterable {
  /// Any server with OpenAI's chat completions.
  case openAICompatible = "openai-api"
  /// The server of llama.cpp.
  case llamaServer = "llama-server"
  /// vLLM.
  case vllm
  /// SGLang.
  case sglang
  /// Ollama's own chat interface.
  case ollama
  /// LM Studio.
  case lmStudio = "lmstudio"
  /// OpenAI.
  case openAI = "openai"
  /// OpenAI's models on Azure.
  case azure
  /// Anthropic's messages interface.
  case anthropic
  /// `fm serve`, the server for Apple's own model on macOS 27.
  case apple
  /// Gemini's `generateContent`.
  case google
  /// The user's own program, which reads requests and writes answers as lines of JSON.
  case program = "exec"

  /// The address for names without an address, or `nil` if a name must contain an address.
  public var defaultAddress: String? {
    switch self {
    case .openAICompatible, .azure, .program: nil
    case .apple: "http://127.0.0.1:1976/v1"
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

  /// The path that is added to addresses without a path.
  var defaultPath: String {
    switch self {
    case .ollama, .anthropic, .program: ""
    case .google: "/v1beta"
    case .azure: "/openai/v1"
    default: "/v1"
    }
  }

  /// The environment variable that contains the key by default.
  public var keyVariable: String {
    switch self {
    case .openAI: "OPENAI_API_KEY"
    case .azure: "AZURE_OPENAI_API_KEY"
    case .anthropic: "ANTHROPIC_API_KEY"
    case .google: "GEMINI_API_KEY"
    default: "ASSAY_SERVER_KEY"
    }
  }

  /// Whether the interface always requires a key.
  public var needsKey: Bool {
    switch self {
    case .openAI, .azure, .anthropic, .google: true
    default: false
    }
  }

  /// Whether each server has exactly one model, so that a `ServedModelName` may leave out the
  /// model's name.
  var hasOneModel: Bool { self == .llamaServer || self == .apple }

  /// The maximum number of requests at a time, or `nil` if the interface sets no limit.
  public var mostRequests: Int? { self == .apple ? 1 : nil }

  /// The default number of alternatives to request for each token, or `nil` if most models of the
  /// interface don't report log probabilities.
  public var usualListedTokens: Int? {
    switch self {
    case .llamaServer: 200
    case .vllm, .sglang, .ollama: 20
    default: nil
    }
  }

  /// Whether the server accepts a grammar in GBNF instead of a schema.
  public var takesGrammar: Bool {
    switch self {
    case .llamaServer, .vllm, .sglang: true
    default: false
    }
  }

  /// Whether the server can report the probabilities of the next token after any sequence of
  /// tokens.
  ///
  /// The backend can then also measure alternatives that the server didn't sample.
  public var continuesPrefixes: Bool { self == .llamaServer }

  /// The stage of sampling at which the server computes the listed probabilities.
  public var probabilityStage: ServedAnswer.ProbabilityStage {
    switch self {
    case .llamaServer, .ollama, .lmStudio: .beforeMask
    default: .afterMask
    }
  }

  /// Whether the server always shows the schema to the model.
  ///
  /// Servers that only turn the schema into a grammar don't show it to the model.
  public var alwaysShowsSchema: Bool {
    switch self {
    case .openAI, .azure, .anthropic, .apple, .google: true
    default: false
    }
  }

  /// Whether the server decides how to present the schema to the model, so that the prompt needn't
  /// contain it.
  public var presentsSchema: Bool { alwaysShowsSchema || self == .program }

  /// The part of JSON Schema that the server can enforce.
  public var schemaProfile: SchemaProfile {
    switch self {
    case .openAI: .openAIStrict
    case .azure: .azureStrict
    case .anthropic: .anthropic
    case .apple: .apple
    case .google: .gemini
    default: .jsonSchema
    }
  }
}
