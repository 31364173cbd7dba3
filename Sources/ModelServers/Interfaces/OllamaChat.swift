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
    options.set("top_k", .number(JSONNumber(settings.limitsTopK ? settings.topK : 0)))
    options.set("top_p", .number(JSONNumber(settings.limitsTopP ? settings.topP : 1)))
    options.set("min_p", .number(JSONNumber(settings.limitsMinP ? settings.minP : 0)))
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

  /// Reads a successful response.
  public func reply(from body: JSONValue) -> ServerReply {
    var reply = ServerReply(text: "")
    reply.model = body["model"]?.string
    reply.promptTokens = body["prompt_eval_count"]?.int ?? 0
    reply.outputTokens = body["eval_count"]?.int ?? 0
    guard let message = body["message"] else {
      reply.ending = .unusable("the response has no message")
      return reply
    }
    reply.text = message["content"]?.string ?? ""
    reply.tokens = ListedToken.list(body["logprobs"])
    let reason = body["done_reason"]?.string
    if reason == "length" {
      reply.ending = .tokenLimit
    } else if reply.text.isEmpty {
      let tool = message["tool_calls"]?.array?.first?["function"]?["name"]?.string
      reply.ending = .unusable(
        tool.map { "the model called the tool \($0), but the request offers no tools" }
          ?? "the answer is empty; the server's stop reason is \(reason ?? "missing")")
    }
    return reply
  }
}
