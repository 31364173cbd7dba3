import EvalRecords
public import StructuredText

/// Gemini's interface `generateContent`.
public struct GeminiGenerate: ServerMapping {
  /// Creates a mapping.
  public init() {}

  /// Returns the request for a question.
  public func call(for question: ServerQuestion) -> ServerCall {
    let settings = question.settings
    var options = RequestBody(leavingOut: question.leftOut)
    options.set("responseMimeType", "application/json")
    options.set("responseJsonSchema", question.schema)
    options.set("maxOutputTokens", .number(JSONNumber(settings.maximumTokens)))
    options.set("temperature", settings.askedTemperature, option: "temperature")
    options.setLimits(settings, for: .google)
    if let seed = question.seed {
      options.set("seed", .number(JSONNumber(seed)), option: "seed")
    }
    if let count = question.listedTokens {
      options.set("responseLogprobs", true, option: "log probabilities")
      options.set("logprobs", .number(JSONNumber(min(count, 20))), option: "log probabilities")
    }
    var body = RequestBody(leavingOut: [])
    if let instructions = question.instructions, !instructions.isEmpty {
      body.set("systemInstruction", ["parts": [["text": .string(instructions)]]])
    }
    body.set(
      "contents",
      .array(
        question.messages(system: "", model: "model").map { message in
          [
            "role": message["role"] ?? "user", "parts": [["text": message["content"] ?? ""]],
          ]
        }))
    body.set("generationConfig", .object(options.members))
    body.add(question.extra)
    return ServerCall(
      path: "/models/\(question.model):generateContent", headers: [],
      body: .object(body.members), unapplied: options.unapplied)
  }

  /// Reads a response with candidates.
  public func reply(fromMessage body: JSONValue) throws(ServerError) -> ServerReply {
    var reply = ServerReply(text: "")
    reply.model = body["modelVersion"]?.string
    let usage = body["usageMetadata"]
    reply.promptTokens = usage.count("promptTokenCount") ?? 0
    reply.reasoningTokens = usage.count("thoughtsTokenCount")
    reply.outputTokens =
      (usage.count("candidatesTokenCount") ?? 0) + (reply.reasoningTokens ?? 0)
    reply.cachedTokens = usage.count("cachedContentTokenCount")
    guard let candidate = body["candidates"]?.array?.withIndexZero else {
      guard let reason = body["promptFeedback"]?["blockReason"]?.string else {
        throw ServerError(inAnswer: body, lack: "it has no candidate")
      }
      reply.ending = .refusal("the prompt was blocked: \(reason)")
      return reply
    }
    if candidate["content"] == nil, candidate["finishReason"] == nil {
      throw ServerError(inAnswer: body, lack: "its candidate has no content")
    }
    let parts = candidate["content"]?["parts"]?.array ?? []
    reply.text = parts.compactMap { part in
      part["thought"]?.bool == true ? nil : part["text"]?.string
    }.joined()
    reply.tokens = Self.tokens(candidate["logprobsResult"])
    reply.ending = ending(candidate, parts, text: reply.text)
    return reply
  }

  /// The finish reasons with which the service withholds an answer.
  private static let refusals: Set<String> = [
    "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR",
    "IMAGE_SAFETY",
  ]

  private func ending(
    _ candidate: JSONValue, _ parts: [JSONValue], text: String
  ) -> ServerReply.Ending {
    let reason = candidate["finishReason"]?.string ?? "missing"
    if reason == "MAX_TOKENS" { return .tokenLimit }
    if Self.refusals.contains(reason) {
      let words = candidate["finishMessage"]?.string
      return .refusal(words.map { "\(reason): \($0)" } ?? reason)
    }
    if reason.hasPrefix("MALFORMED") { return .unusable("the server says \(reason)") }
    if text.isEmpty {
      if let name = parts.compactMap({ $0["functionCall"]?["name"]?.string }).first {
        return .unusable("the model called the tool \(name), but the request offers no tools")
      }
      let thoughts = parts.compactMap { $0["text"]?.string }.joined()
      return .empty(reason, reasoning: .string(thoughts))
    }
    return .complete
  }

  private static func tokens(_ result: JSONValue?) -> [ListedToken] {
    let chosen = result?["chosenCandidates"]?.array ?? []
    let top = result?["topCandidates"]?.array ?? []
    func alternative(_ entry: JSONValue) -> ListedToken.Alternative? {
      guard let text = entry["token"]?.string, let value = entry["logProbability"]?.double else {
        return nil
      }
      return .init(bytes: Array(text.utf8), id: entry["tokenId"]?.int, logProbability: value)
    }
    return chosen.enumerated().compactMap { index, entry in
      guard let chosen = alternative(entry) else { return nil }
      let list = top.indices.contains(index) ? top[index]["candidates"]?.array ?? [] : []
      return ListedToken(chosen: chosen, alternatives: list.compactMap(alternative))
    }
  }
}
