public import EvalRecords
public import StructuredText

/// One answer that a server is asked for, before it is written in the server's own form.
public struct ServerQuestion: Sendable, Hashable {
  /// The model's name; empty where the server has only one.
  public var model: String
  /// What the model is told before everything else; nil for nothing.
  public var instructions: String?
  /// What was said before.
  public var history: [ConversationTurn]
  /// The prompt.
  public var prompt: String
  /// The schema as it is sent: see ``SchemaProfile``.
  public var schema: JSONValue
  /// The schema's name, of letters, digits, `_` and `-`.
  public var schemaName: String
  /// How the answer is sampled.
  public var settings: GenerationSettings
  /// The seed, from 0 to 2³¹ − 1, which every interface takes; nil for none.
  public var seed: Int?
  /// How many alternatives of each token are listed; nil for no log probabilities.
  public var listedTokens: Int?
  /// The members of the request that the server refused, and that are left out.
  public var leftOut: Set<String>
  /// More members for the request's body, from the user's options.
  public var extra: JSONObject

  /// Makes a question.
  public init(
    model: String, instructions: String? = nil, history: [ConversationTurn] = [], prompt: String,
    schema: JSONValue, schemaName: String = "answer",
    settings: GenerationSettings = GenerationSettings(), seed: Int? = nil,
    listedTokens: Int? = nil, leftOut: Set<String> = [], extra: JSONObject = [:]
  ) {
    self.model = model
    self.instructions = instructions
    self.history = history
    self.prompt = prompt
    self.schema = schema
    self.schemaName = schemaName
    self.settings = settings
    self.seed = seed
    self.listedTokens = listedTokens
    self.leftOut = leftOut
    self.extra = extra
  }

  /// The conversation as messages of a role and a text.
  func messages(system: String, model: String) -> [JSONValue] {
    var messages: [JSONValue] = []
    func add(_ role: String, _ text: String) {
      messages.append(["role": .string(role), "content": .string(text)])
    }
    if let instructions, !instructions.isEmpty, !system.isEmpty { add(system, instructions) }
    for turn in history { add(turn.speaker == .user ? "user" : model, turn.text) }
    add("user", prompt)
    return messages
  }
}

/// A question in a server's form.
public struct ServerCall: Sendable, Hashable {
  /// The path below the server's address.
  public var path: String
  /// Headers beside the key's.
  public var headers: [HeaderField]
  /// The body.
  public var body: JSONValue
  /// The options that the interface does not take, by the names that suites use.
  public var unapplied: [String]

  /// A header's name and value.
  public struct HeaderField: Sendable, Hashable {
    public var name: String
    public var value: String
  }
}

/// A server's answer, whatever its form was.
public struct ServerReply: Sendable, Hashable {
  /// How the model's text ended.
  public enum Ending: Sendable, Hashable {
    /// The model ended it.
    case complete
    /// The limit on tokens did.
    case tokenLimit
    /// The model's context was full.
    case contextFull
    /// The model declined, in its words or the server's.
    case refusal(String)
    /// The response holds no answer that can be used.
    case unusable(String)
  }

  /// The text.
  public var text: String
  /// How it ended.
  public var ending: Ending
  /// The model that answered, as the server says.
  public var model: String?
  /// The server's name for its build and settings.
  public var fingerprint: String?
  /// The tokens of the prompt.
  public var promptTokens: Int
  /// The tokens of the answer, reasoning included.
  public var outputTokens: Int
  /// The tokens of reasoning among them; nil where the server does not say.
  public var reasoningTokens: Int?
  /// The tokens of the prompt that the server had kept; nil where it does not say.
  public var cachedTokens: Int?
  /// The sampled tokens with their alternatives; empty where none were asked for or given.
  public var tokens: [ListedToken]

  /// Makes a reply.
  public init(
    text: String, ending: Ending = .complete, model: String? = nil, fingerprint: String? = nil,
    promptTokens: Int = 0, outputTokens: Int = 0, reasoningTokens: Int? = nil,
    cachedTokens: Int? = nil, tokens: [ListedToken] = []
  ) {
    self.text = text
    self.ending = ending
    self.model = model
    self.fingerprint = fingerprint
    self.promptTokens = promptTokens
    self.outputTokens = outputTokens
    self.reasoningTokens = reasoningTokens
    self.cachedTokens = cachedTokens
    self.tokens = tokens
  }
}

/// A sampled token with the likeliest tokens of its step.
public struct ListedToken: Sendable, Hashable {
  /// A token and its log probability.
  public struct Alternative: Sendable, Hashable {
    /// The token's bytes.
    public var bytes: [UInt8]
    /// Its number in the vocabulary, where the server says it.
    public var id: Int?
    /// The natural logarithm of its probability.
    public var logProbability: Double

    /// Makes an alternative.
    public init(bytes: [UInt8], id: Int? = nil, logProbability: Double) {
      self.bytes = bytes
      self.id = id
      self.logProbability = logProbability
    }
  }

  /// The token that was sampled.
  public var chosen: Alternative
  /// The likeliest tokens of the step; the chosen one need not be among them.
  public var alternatives: [Alternative]

  /// Makes a token.
  public init(chosen: Alternative, alternatives: [Alternative]) {
    self.chosen = chosen
    self.alternatives = alternatives
  }
}
