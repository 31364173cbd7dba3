public import EvalRecords
public import StructuredText

/// A request for one answer, in a form that doesn't depend on the server.
public struct ServerQuestion: Sendable, Hashable {
  /// The test case of a question, for the programs that want to know it.
  public struct Place: Sendable, Hashable {
    /// The suite's id.
    public var suite: String
    /// The variant's id.
    public var variant: String
    /// The test case's id.
    public var testCase: String
    /// The variables of the test case.
    public var variables: JSONObject

    /// Creates a place.
    public init(
      suite: String = "", variant: String = "", testCase: String = "", variables: JSONObject = [:]
    ) {
      self.suite = suite
      self.variant = variant
      self.testCase = testCase
      self.variables = variables
    }
  }

  /// The test case that the question comes from.
  public var place: Place
  /// The model's name, or an empty string if the server has only one model.
  public var model: String
  /// The system message, or `nil` for none.
  public var instructions: String?
  /// The earlier turns of the conversation.
  public var history: [ConversationTurn]
  /// The prompt.
  public var prompt: String
  /// The schema as it is sent, rewritten for the interface's ``SchemaProfile``.
  public var schema: JSONValue
  /// The schema's name, which consists of letters, digits, `_` and `-`.
  public var schemaName: String
  /// The sampling settings.
  public var settings: GenerationSettings
  /// The seed, or `nil` for none.
  ///
  /// The seed is from 0 to 2³¹ − 1, a range that every interface accepts.
  public var seed: Int?
  /// A grammar in GBNF to send instead of the schema, or `nil` to send the schema.
  public var grammar: String?
  /// The number of alternatives to list for each token, or `nil` for no log probabilities.
  public var listedTokens: Int?
  /// The members that the request leaves out, because the server has rejected them.
  public var leftOut: Set<String>
  /// Additional members for the request's body, from the user's options.
  public var extra: JSONObject

  /// Creates a question.
  public init(
    place: Place = Place(), model: String, instructions: String? = nil,
    history: [ConversationTurn] = [], prompt: String,
    schema: JSONValue, schemaName: String = "answer",
    settings: GenerationSettings = GenerationSettings(), seed: Int? = nil,
    grammar: String? = nil, listedTokens: Int? = nil, leftOut: Set<String> = [],
    extra: JSONObject = [:]
  ) {
    self.place = place
    self.model = model
    self.instructions = instructions
    self.history = history
    self.prompt = prompt
    self.schema = schema
    self.schemaName = schemaName
    self.settings = settings
    self.seed = seed
    self.grammar = grammar
    self.listedTokens = listedTokens
    self.leftOut = leftOut
    self.extra = extra
  }

  /// Returns the conversation as messages with a role and a text.
  ///
  /// - Parameters:
  ///   - system: The role of the instructions, or an empty string to leave them out.
  ///   - model: The role of the model's turns.
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

/// A request to a particular server, made from a question.
public struct ServerCall: Sendable, Hashable {
  /// The path below the server's address.
  public var path: String
  /// Additional headers, without the header that contains the key.
  public var headers: [HeaderField]
  /// The body.
  public var body: JSONValue
  /// The names, as written in suites, of the options that the interface doesn't support or that the
  /// server has rejected.
  public var unapplied: [String]

  /// A header's name and value.
  public struct HeaderField: Sendable, Hashable {
    /// The header's name.
    public var name: String
    /// The header's value.
    public var value: String
  }
}

/// A server's answer, in a form that doesn't depend on the server.
public struct ServerReply: Sendable, Hashable {
  /// The reason why the model's text ended.
  public enum Ending: Sendable, Hashable {
    /// The model finished its answer.
    case complete
    /// The answer reached the token limit.
    case tokenLimit
    /// The model's context was full.
    case contextFull
    /// The model or the server declined to answer.
    case refusal(String)
    /// The response contains no usable answer.
    case unusable(String)
  }

  /// The text.
  public var text: String
  /// The reason why the text ended.
  public var ending: Ending
  /// The model that answered, as reported by the server.
  public var model: String?
  /// The server's identifier for its build and settings.
  public var fingerprint: String?
  /// The number of tokens in the prompt.
  public var promptTokens: Int
  /// The number of tokens in the answer, including reasoning.
  public var outputTokens: Int
  /// The number of output tokens that are reasoning, or `nil` if the server doesn't report it.
  public var reasoningTokens: Int?
  /// The number of prompt tokens that came from the server's cache, or `nil` if the server doesn't
  /// report it.
  public var cachedTokens: Int?
  /// The sampled tokens with their alternatives, or an empty array if none were requested or
  /// returned.
  public var tokens: [ListedToken]
  /// The decisions with the probabilities that a program reports, or an empty array if it reports
  /// none.
  public var decisions: [DecisionRecord] = []

  /// Creates a reply.
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

  /// Whether the listed tokens spell the text, or the beginning of the text if the server doesn't
  /// list them all.
  ///
  /// Tokens that spell another text say nothing about the answer's decisions. White space before
  /// the text and tokens after it, such as one that ends the model's turn, don't matter.
  public var tokensSpellText: Bool {
    let spelled = tokens.lazy.flatMap(\.chosen.bytes).drop { $0 <= UInt8(ascii: " ") }
    let text = text.utf8.drop { $0 <= UInt8(ascii: " ") }
    return zip(spelled, text).allSatisfy { $0 == $1 }
  }
}

extension ServerReply {
  /// Whether the server reported how many tokens the prompt and the answer have.
  ///
  /// No prompt is empty, and neither is an answer with text, so a count of 0 was not reported.
  public var reportsTokens: Bool { promptTokens > 0 && (outputTokens > 0 || text.isEmpty) }
}

/// A sampled token with the most likely tokens at its position.
public struct ListedToken: Sendable, Hashable {
  /// A token with its log probability.
  public struct Alternative: Sendable, Hashable {
    /// The token's bytes.
    public var bytes: [UInt8]
    /// The token's number in the server's vocabulary, or `nil` if the server doesn't report it.
    public var id: Int?
    /// The natural logarithm of the token's probability.
    public var logProbability: Double

    /// Creates an alternative.
    public init(bytes: [UInt8], id: Int? = nil, logProbability: Double) {
      self.bytes = bytes
      self.id = id
      self.logProbability = logProbability
    }
  }

  /// The token that was sampled.
  public var chosen: Alternative
  /// The most likely tokens at this position, which don't always include the chosen token.
  public var alternatives: [Alternative]

  /// Creates a token.
  public init(chosen: Alternative, alternatives: [Alternative]) {
    self.chosen = chosen
    self.alternatives = alternatives
  }
}
