import EvalRecords
public import HTTPTransport
public import StructuredText

/// The chat completions of `fm serve`, Apple's server for its own model on macOS 27.
///
/// They differ from OpenAI's: the server streams unless the request forbids it, knows only the
/// newer name of the token limit, and reports what the model did with status 500 and a sentence.
public struct AppleChat: ServerMapping {
  /// The name of the only model.
  static let model = "system"

  private let completions = ChatCompletions(dialect: .apple)

  /// Creates a mapping.
  public init() {}

  /// Returns the request for a question.
  public func call(for question: ServerQuestion) -> ServerCall {
    let settings = question.settings
    var body = RequestBody(leavingOut: question.leftOut)
    body.set("model", .string(question.model.isEmpty ? Self.model : question.model))
    body.set("messages", .array(question.messages(system: "system", model: "assistant")))
    body.set(
      "response_format",
      [
        "type": "json_schema",
        "json_schema": ["name": .string(question.schemaName), "schema": question.schema],
      ])
    body.set("stream", false)
    body.set("temperature", settings.askedTemperature, option: "temperature")
    body.setLimits(settings, for: .apple)
    body.set(
      "max_completion_tokens", .number(JSONNumber(settings.maximumTokens)),
      option: "maximumTokens")
    if let seed = question.seed {
      body.set("seed", .number(JSONNumber(seed)), option: "seed")
    }
    if question.listedTokens != nil { body.leaveOut("log probabilities") }
    body.add(question.extra)
    return ServerCall(
      path: "/chat/completions", headers: [], body: .object(body.members),
      unapplied: body.unapplied)
  }

  /// Reads a chat completion.
  public func reply(fromMessage body: JSONValue) throws(ServerError) -> ServerReply {
    try completions.reply(fromMessage: body)
  }

  /// Reads an error by its sentence, because the status doesn't tell the model's own results from
  /// failures of the server.
  public func error(from response: HTTPResponse) -> ServerError {
    let general = ServerError(response)
    guard response.status == 400 || (500..<600).contains(response.status) else { return general }
    // The sentences have typographic apostrophes.
    let text = general.message.lowercased().replacingScalars("\u{2019}", with: "'")
    guard let kind = Self.kinds.first(where: { $0.phrases.contains { text.contains($0) } })?.kind
    else { return general }
    return ServerError(kind, status: response.status, message: general.message)
  }

  /// The kinds of errors, with phrases in their sentences.
  private static let kinds: [(kind: ServerError.Kind, phrases: [String])] = [
    (.rateLimited, ["rate limit", "too many requests", "concurrent requests"]),
    (
      .contextTooLong,
      ["context size", "context window", "contextsize", "exceeded the model's context"]
    ),
    (
      .filtered,
      [
        "guardrail", "safety", "unsafe", "refus", "declined to", "sensitive content",
        "can't assist",
      ]
    ),
    (.notFound, ["unknown model"]),
    (.badRequest, ["language or locale", "unsupported language"]),
    (
      .schemaRefused,
      [
        "schema", "pattern", "generation guide", "unsupported guide", "invalid json",
        "response_format", "the data couldn't be read",
      ]
    ),
  ]
}
