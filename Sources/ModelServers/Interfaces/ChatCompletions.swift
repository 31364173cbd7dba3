import EvalRecords
public import StructuredText

/// OpenAI's chat completions.
///
/// Most servers support this interface, each with different options.
public struct ChatCompletions: ServerMapping {
  /// The server's dialect of chat completions.
  let dialect: ServerInterface

  /// Returns the request for a question.
  public func call(for question: ServerQuestion) -> ServerCall {
    let settings = question.settings
    var body = RequestBody(leavingOut: question.leftOut)
    if !question.model.isEmpty { body.set("model", .string(question.model)) }
    body.set("messages", .array(question.messages(system: systemRole, model: "assistant")))
    constrain(question, &body)
    body.set("temperature", settings.askedTemperature, option: "temperature")
    // llama-server has defaults that limit the candidates.
    body.setLimits(settings, for: dialect, isComplete: dialect == .llamaServer)
    body.set(
      lengthMember, .number(JSONNumber(settings.maximumTokens)), option: "maximumTokens")
    if let seed = question.seed {
      body.set("seed", .number(JSONNumber(seed)), option: "seed")
    }
    if let count = question.listedTokens {
      body.set("logprobs", true, option: "log probabilities")
      body.set("top_logprobs", .number(JSONNumber(count)), option: "log probabilities")
    }
    if dialect == .openAI { body.set("store", false) }
    if dialect == .llamaServer { body.set("cache_prompt", true) }
    body.add(question.extra)
    return ServerCall(
      path: "/chat/completions", headers: [], body: .object(body.members),
      unapplied: body.unapplied)
  }

  private var systemRole: String { "system" }

  /// The member with the maximum number of tokens.
  ///
  /// OpenAI's reasoning models reject the old name, and other servers don't know the new one.
  private var lengthMember: String {
    dialect == .openAI || dialect == .azure ? "max_completion_tokens" : "max_tokens"
  }

  /// Sets the schema, or the grammar in the member that this server uses for grammars.
  private func constrain(_ question: ServerQuestion, _ body: inout RequestBody) {
    guard let grammar = question.grammar.map({ JSONValue.string($0) }) else {
      return body.set("response_format", responseFormat(question))
    }
    switch dialect {
    case .vllm: body.set("structured_outputs", ["grammar": grammar])
    case .sglang: body.set("ebnf", grammar)
    default: body.set("grammar", grammar)
    }
  }

  private func responseFormat(_ question: ServerQuestion) -> JSONValue {
    [
      "type": "json_schema",
      "json_schema": [
        "name": .string(question.schemaName), "strict": true, "schema": question.schema,
      ],
    ]
  }

  /// Reads a chat completion.
  public func reply(fromMessage body: JSONValue) throws(ServerError) -> ServerReply {
    var reply = ServerReply(text: "")
    reply.model = body["model"]?.string
    reply.fingerprint = body["system_fingerprint"]?.string
    let usage = body["usage"]
    reply.promptTokens = usage.count("prompt_tokens") ?? 0
    reply.outputTokens = usage.count("completion_tokens") ?? 0
    reply.reasoningTokens = usage?["completion_tokens_details"].count("reasoning_tokens")
    reply.cachedTokens = usage?["prompt_tokens_details"].count("cached_tokens")
    guard let choice = body["choices"]?.array?.withIndexZero, let message = choice["message"],
      message.object != nil
    else { throw ServerError(inAnswer: body, lack: "it has no choice with a message") }
    let reason = Self.finishReason(of: choice)
    if ServerError.report(in: choice) != nil || reason == "error" || reason == "abort" {
      throw ServerError(inAnswer: choice, lack: "the server stopped the answer")
    }
    guard let text = Self.text(message["content"] ?? .null) else {
      throw ServerError(inAnswer: choice, lack: "its `content` is neither text nor parts")
    }
    reply.text = text
    reply.tokens = ListedToken.list(choice["logprobs"]?["content"])
    reply.ending = ending(choice, message, text: reply.text)
    return reply
  }

  /// Returns the text of a `content` member, which is a string, a list of parts, or null; `nil` if
  /// it is something else.
  static func text(_ content: JSONValue) -> String? {
    if content == .null { return "" }
    if let text = content.string { return text }
    return content.array.map { parts in
      parts.compactMap { part in
        part["type"]?.string == "refusal" ? nil : part["text"]?.string
      }.joined()
    }
  }

  private static func finishReason(of choice: JSONValue) -> String? {
    choice["finish_reason"]?.string ?? choice["finish_reason"]?["type"]?.string
  }

  private func ending(
    _ choice: JSONValue, _ message: JSONValue, text: String
  ) -> ServerReply.Ending {
    if let refusal = message["refusal"]?.string, !refusal.isEmpty { return .refusal(refusal) }
    let parts = message["content"]?.array ?? []
    if let refusal = parts.compactMap({ $0["refusal"]?.string }).first { return .refusal(refusal) }
    let reason = Self.finishReason(of: choice)
    switch reason {
    case "length", "max_tokens": return .tokenLimit
    case "content_filter": return .refusal("the content filter stopped the answer")
    default: break
    }
    if text.isEmpty {
      let call = message["tool_calls"]?.array?.first?["function"] ?? message["function_call"]
      if let name = call?["name"]?.string {
        return .unusable("the model called the tool \(name), but the request offers no tools")
      }
      return .empty(reason, reasoning: message["reasoning_content"] ?? message["reasoning"])
    }
    return .complete
  }
}

extension ServerReply.Ending {
  /// Returns the ending of a message without text.
  ///
  /// - Parameters:
  ///   - reason: The server's stop reason, or `nil` if it is missing.
  ///   - reasoning: The text that the model thought, or `nil` for none.
  static func empty(_ reason: String?, reasoning: JSONValue? = nil) -> Self {
    let count = reasoning?.string?.count ?? 0
    return .unusable(
      (count == 0
        ? "the answer is empty" : "the model wrote \(count) characters of reasoning and no answer")
        + "; the server's stop reason is \(reason ?? "missing")")
  }
}

extension ListedToken {
  /// Reads the tokens of a chat completion.
  static func list(_ content: JSONValue?) -> [ListedToken] {
    (content?.array ?? []).compactMap { entry in
      guard let chosen = Alternative(entry) else { return nil }
      return ListedToken(
        chosen: chosen,
        alternatives: (entry["top_logprobs"]?.array ?? []).compactMap(Alternative.init))
    }
  }
}

extension ListedToken.Alternative {
  /// Creates a token from an entry of a list, or returns `nil` if the entry lacks the text or the
  /// log probability.
  ///
  /// If the server doesn't report the token's bytes, they are the bytes of its text.
  init?(_ entry: JSONValue) {
    guard let text = entry["token"]?.string, let logProbability = entry["logprob"]?.double else {
      return nil
    }
    let bytes = entry["bytes"]?.array.map { list in
      list.compactMap { $0.int.flatMap { UInt8(exactly: $0) } }
    }
    self.init(
      bytes: bytes ?? Array(text.utf8), id: entry["id"]?.int, logProbability: logProbability)
  }
}
