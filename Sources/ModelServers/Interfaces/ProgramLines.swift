import EvalRecords
public import StructuredText

/// The interface of the user's own program: one line of JSON for each request, and one for each
/// reply.
///
/// The transport adds the request's `id`, and checks the reply's.
public struct ProgramLines: ServerMapping {
  /// Creates a mapping.
  public init() {}

  /// The members of a reply, in the order of the documentation.
  static let members = [
    "id", "answer", "text", "failure", "usage", "model", "version", "decisions", "logprobs",
  ]

  /// Returns the request for a question.
  public func call(for question: ServerQuestion) -> ServerCall {
    let (place, settings) = (question.place, question.settings)
    var body = RequestBody(leavingOut: question.leftOut)
    body.set("suite", .string(place.suite))
    body.set("variant", .string(place.variant))
    body.set("case", .string(place.testCase))
    if let instructions = question.instructions, !instructions.isEmpty {
      body.set("instructions", .string(instructions))
    }
    body.set("prompt", .string(question.prompt))
    body.set("messages", .array(question.messages(system: "system", model: "assistant")))
    body.set("schema", question.schema)
    if let seed = question.seed { body.set("seed", .number(JSONNumber(seed))) }
    body.set(
      "options",
      [
        "temperature": settings.askedTemperature,
        "sampling": settings.isGreedy ? "greedy" : "random",
        "topK": .number(JSONNumber(settings.topK)), "topP": .number(JSONNumber(settings.topP)),
        "minP": .number(JSONNumber(settings.minP)),
        "maximumTokens": .number(JSONNumber(settings.maximumTokens)),
        "outline": .string(settings.outline.rawValue),
      ])
    body.set("variables", .object(place.variables))
    body.add(question.extra)
    return ServerCall(
      path: "/", headers: [], body: .object(body.members), unapplied: body.unapplied)
  }

  /// Reads a reply, and refuses one that contradicts itself or whose members can't be read.
  public func reply(from body: JSONValue) throws(ServerError) -> ServerReply {
    try reply(fromMessage: body)
  }

  /// Reads a reply.
  public func reply(fromMessage body: JSONValue) throws(ServerError) -> ServerReply {
    guard let members = body.object else { throw Self.broken("it is not a JSON object") }
    try Self.checkNames(members)
    var reply = ServerReply(text: "")
    reply.model = body["model"]?.string
    reply.fingerprint = body["version"]?.string
    let usage = body["usage"]
    reply.promptTokens = usage.count("promptTokens") ?? 0
    reply.outputTokens = usage.count("outputTokens") ?? 0
    reply.reasoningTokens = usage.count("reasoningTokens")
    reply.cachedTokens = usage.count("cachedTokens")
    let given = ["answer", "text", "failure"].filter { members[$0] != nil }
    let isCut = body["failure"]?["kind"]?.string == Failure.truncated.rawValue
    guard given.count == 1 || (isCut && given == ["text", "failure"]) else {
      throw Self.broken(
        (given.isEmpty
          ? "it has none of `answer`, `text` and `failure`"
          : "it has \(given.map { "`\($0)`" }.joined(separator: " and "))")
          + "; a reply has exactly one of `answer` (a JSON value), `text` (the model's text) and "
          + "`failure`")
    }
    if let answer = members["answer"] { reply.text = answer.compactText }
    if let text = members["text"] {
      guard let text = text.string else { throw Self.broken("its `text` is not a string") }
      reply.text = text
      if text.isEmpty, !isCut { reply.ending = .unusable("the answer is empty") }
    }
    if let failure = members["failure"] { reply.ending = try Self.ending(failure) }
    reply.tokens = ListedToken.list(body["logprobs"]?["content"] ?? body["logprobs"])
    if let decisions = members["decisions"] {
      reply.decisions = try Self.decisions(decisions, in: members["answer"])
    }
    return reply
  }

  /// Refuses a member that is probably a misspelled one.
  private static func checkNames(_ object: JSONObject) throws(ServerError) {
    for name in object.keys where !members.contains(name) {
      guard let meant = NearestName.nearest(to: name, among: members), object[meant] == nil else {
        continue
      }
      throw broken("it has `\(name)`; did you mean `\(meant)`?")
    }
  }

  static func broken(_ problem: String) -> ServerError {
    ServerError(.malformedResponse, status: ServerError.programStatus, message: problem)
  }

  // MARK: Failures

  /// The kinds of failure that a program can report.
  enum Failure: String, CaseIterable {
    case refusal
    case truncated
    case contextSizeExceeded
    case malformedOutput
    case promptTooLong
    case unsupportedGenerationGuide
    case rateLimited
    case backend
  }

  private static func ending(_ failure: JSONValue) throws(ServerError) -> ServerReply.Ending {
    guard let name = failure["kind"]?.string, let kind = Failure(rawValue: name) else {
      let said = failure["kind"]?.compactText ?? "missing"
      throw broken(
        "its failure's `kind` is \(said); the kinds are "
          + Failure.allCases.map(\.rawValue).joined(separator: ", "))
    }
    let words = failure["message"]?.string ?? ""
    func error(_ kind: ServerError.Kind) -> ServerError {
      ServerError(kind, status: ServerError.programStatus, message: words)
    }
    switch kind {
    case .refusal: return .refusal(words.isEmpty ? "the program declined to answer" : words)
    case .truncated: return .tokenLimit
    case .contextSizeExceeded: return .contextFull
    case .malformedOutput:
      return .unusable(words.isEmpty ? "the program got no usable answer" : words)
    case .promptTooLong: throw error(.contextTooLong)
    case .unsupportedGenerationGuide: throw error(.schemaRefused)
    case .rateLimited: throw error(.rateLimited)
    case .backend: throw error(.unavailable)
    }
  }
}
