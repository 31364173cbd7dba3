import EvalRecords
public import StructuredText

/// Ollama's own chat interface, which takes the schema as `format`.
public struct OllamaChat: ServerMapping {
  /// Creates a mapping.
  public init() {}

  /// Returns the request for a question.
  public func call(for question: ServerQuestion) -> ServerCall {
    let settings = question.settings
    // Send all options, because Ollama's defaults limit the candidates and penalize repetition.
    var options = RequestBody(leavingOut: question.leftOut)
    options.set("temperature", settings.askedTemperature)
    options.setLimits(settings, for: .ollama, isComplete: true)
    options.set("repeat_penalty", 1)
    options.set("num_predict", .number(JSONNumber(settings.maximumTokens)))
    if let seed = question.seed { options.set("seed", .number(JSONNumber(seed))) }
    var body = RequestBody(leavingOut: question.leftOut)
    body.set("model", .string(question.model))
    body.set("messages", .array(question.messages(system: "system", model: "assistant")))
    body.set("stream", false)
    body.set("format", question.schema)
    body.set("options", .object(options.members))
    // Without this option, Ollama silently drops the beginning of a prompt that is too long.
    body.set("truncate", false)
    body.set("shift", false)
    if let count = question.listedTokens {
      body.set("logprobs", true, option: "log probabilities")
      body.set(
        "top_logprobs", .number(JSONNumber(min(count, 20))), option: "log probabilities")
    }
    body.add(question.extra)
    return ServerCall(
      path: "/api/chat", headers: [], body: .object(body.members), unapplied: body.unapplied)
  }

  /// Reads a response with a message.
  public func reply(fromMessage body: JSONValue) throws(ServerError) -> ServerReply {
    var reply = ServerReply(text: "")
    reply.model = body["model"]?.string
    reply.promptTokens = Optional(body).count("prompt_eval_count") ?? 0
    reply.outputTokens = Optional(body).count("eval_count") ?? 0
    guard let message = body["message"], message.object != nil else {
      throw ServerError(inAnswer: body, lack: "it has no message")
    }
    let reason = body["done_reason"]?.string
    if body["done"] == false {
      throw ServerError(inAnswer: body, lack: "it is a part of a stream, and not the last one")
    }
    guard let text = ChatCompletions.text(message["content"] ?? .null) else {
      throw ServerError(inAnswer: body, lack: "its `content` is not text")
    }
    reply.text = text
    if text.isEmpty, reason == "load" || reason == "unload" {
      throw ServerError(inAnswer: body, lack: "the server only loaded or unloaded the model")
    }
    reply.tokens = ListedToken.list(body["logprobs"])
    if reason == "length" {
      reply.ending = .tokenLimit
    } else if reply.text.isEmpty {
      let tool = message["tool_calls"]?.array?.first?["function"]?["name"]?.string
      reply.ending =
        tool.map { .unusable("the model called the tool \($0), but the request offers no tools") }
        ?? .empty(reason, reasoning: message["thinking"])
    }
    return reply
  }
}
