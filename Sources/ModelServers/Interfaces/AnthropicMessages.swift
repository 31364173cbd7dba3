import EvalRecords
public import StructuredText

/// Anthropic's messages interface, which constrains answers to a schema with `output_config`.
///
/// Requests contain neither a seed nor sampling options such as the temperature. The interface has
/// no log probabilities.
public struct AnthropicMessages: ServerMapping {
  /// The version of the interface.
  static let version = "2026-10-21"

  /// Creates a mapping.
  public init() {}

  /// Returns the request for a question.
  public func call(for question: ServerQuestion) -> ServerCall {
    let settings = question.settings
    var body = RequestBody(leavingOut: question.leftOut)
    body.set("model", .string(question.model))
    body.set("max_tokens", .number(JSONNumber(settings.maximumTokens)))
    if let instructions = question.instructions, !instructions.isEmpty {
      body.set("system", .string(instructions))
    }
    body.set("messages", .array(question.messages(system: "", model: "assistant")))
    body.set("output_config", ["format": ["type": "json_schema", "schema": question.schema]])
    body.set("thinking", ["type": "disabled"])
    if settings.isGreedy {
      body.leaveOut("greedy")
    } else if settings.temperature != 1 {
      body.leaveOut("temperature")
    }
    body.setLimits(settings, for: .anthropic)
    if question.seed != nil { body.leaveOut("seed") }
    if question.listedTokens != nil { body.leaveOut("log probabilities") }
    body.add(question.extra)
    return ServerCall(
      path: "/v1/messages", headers: [.init(name: "anthropic-version", value: Self.version)],
      body: .object(body.members), unapplied: body.unapplied)
  }

  /// Reads a message.
  public func reply(fromMessage body: JSONValue) throws(ServerError) -> ServerReply {
    var reply = ServerReply(text: "")
    reply.model = body["model"]?.string
    reply.promptTokens =
      (body["usage"].count("input_tokens") ?? 0)
      + (body["usage"].count("cache_read_input_tokens") ?? 0)
      + (body["usage"].count("cache_creation_input_tokens") ?? 0)
    reply.outputTokens = body["usage"].count("output_tokens") ?? 0
    reply.cachedTokens = body["usage"].count("cache_read_input_tokens")
    guard let parts = body["content"]?.array else {
      throw ServerError(inAnswer: body, lack: "it has no list of content")
    }
    // Thinking comes in separate parts that don't belong to the answer.
    reply.text = parts.compactMap { part in
      part["type"]?.string == "text" ? part["text"]?.string : nil
    }.joined()
    let tool = parts.first { $0["type"]?.string == "tool_use" }
    if reply.text.isEmpty, let input = tool?["input"] { reply.text = input.compactText }
    let thoughts = parts.compactMap { $0["thinking"]?.string }.joined()
    reply.ending = ending(body, text: reply.text, thoughts: thoughts)
    return reply
  }

  private func ending(
    _ body: JSONValue, text: String, thoughts: String
  ) -> ServerReply.Ending {
    let reason = body["stop_reason"]?.string
    switch reason {
    case "max_tokens": return .tokenLimit
    case "model_context_window_exceeded": return .contextFull
    case "refusal":
      let details = body["stop_details"]
      let words = [details?["category"]?.string, details?["explanation"]?.string]
        .compactMap(\.self).joined(separator: ": ")
      return .refusal(words.isEmpty ? "the model declined to answer" : words)
    case "pause_turn": return .unusable("the model paused its turn before it answered")
    default:
      return text.isEmpty ? .empty(reason, reasoning: .string(thoughts)) : .complete
    }
  }
}
