public import EvalRecords
public import HTTPTransport
public import ModelServers
import StructuredText
import Synchronization

/// Sends requests to a served model: one for each repeat, and retries if the server is overloaded.
///
/// ```
/// BackendRequest ─► ServerQuestion ─► mapping ─► gate ─► HTTPClient ─► ExchangeOutcome
///                                                  ▲         again ◄──────┤
///                                                  └── its window         ▼
///                          BackendAnswer ◄── whole schema ◄── reply ◄── mapping
/// ```
public final class ServedBackend: EvalBackend {
  public let record: BackendRecord

  private let name: ServedModelName
  private let options: ServedOptions
  private let client: any HTTPClient
  private let mapping: any ServerMapping
  private let gate: RequestGate
  private let book: ServedBook
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Double

  /// Creates a backend for a served model; this doesn't send anything.
  ///
  /// - Parameters:
  ///   - name: The model and its server.
  ///   - id: The id for attempts; nil to combine the interface and the model.
  ///   - options: The options for requests.
  ///   - client: The client that sends the requests.
  ///   - clock: The clock for pauses and for the duration of answers.
  ///   - now: The wall clock, in seconds since 1970, for dates in headers.
  public init(
    _ name: ServedModelName, id: String? = nil, options: ServedOptions, client: any HTTPClient,
    clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Double
  ) {
    self.name = name
    self.options = options
    self.client = client
    self.clock = clock
    self.now = now
    mapping = name.interface.mapping
    gate = RequestGate(most: options.mostAtOnce, clock: clock)
    book = ServedBook(address: name.address.description, profile: name.interface.schemaProfile)
    let members =
      options.members.isEmpty ? "" : ", members \(JSONValue.object(options.members).compactText)"
    record = BackendRecord(
      id: id ?? name.id, model: name.model.isEmpty ? name.interface.rawValue : name.model,
      engine: "served, \(name.interface.rawValue)\(members)", isDeterministic: false)
  }

  public var served: ServedUse? { book.use(mostAtOnce: gate.mostInWork) }
  public var ending: String? { book.ending }
  public var caseLimit: Int? { options.mostAtOnce }
  public var hasOwnManners: Bool { true }

  public func obstacle(to settings: GenerationSettings) -> String? {
    if settings.mask == .off { return "can't answer with `mask: off`" }
    return settings.outline == .none && name.interface.showsSchemaToModel
      ? "can't leave out the schema, because \(name.interface.rawValue) always shows it" : nil
  }

  public func answers(
    to request: BackendRequest, repeats: [RepeatSeed]
  ) -> AsyncStream<BackendAnswer> {
    .working { [self] continuation in
      await withTaskGroup(of: BackendAnswer?.self) { group in
        for repeatSeed in repeats {
          group.addTask { await self.answer(to: request, repeatSeed) }
        }
        for await answer in group {
          if let answer { continuation.yield(answer) }
        }
      }
    }
  }

  /// Returns the answer to one repeat; nil if the task was cancelled, or if the backend has stopped
  /// asking the server.
  private func answer(
    to request: BackendRequest, _ repeatSeed: RepeatSeed
  ) async -> BackendAnswer? {
    var answer = BackendAnswer(
      repeatSeed: repeatSeed, output: "", stopReason: .failed, renderedPrompt: request.prompt)
    let schema: ServedSchema
    do throws(AttemptFailure) {
      schema = try book.schema(of: request)
    } catch {
      answer.failure = error
      return answer
    }
    let texts = texts(request, schema)
    answer.renderedPrompt = [texts.system, texts.user].filter { !$0.isEmpty }
      .joined(separator: "\n\n")
    var tries: [AttemptTry] = []
    var listed = options.listedTokens ?? name.interface.usualListedTokens
    if listed == 0 { listed = nil }
    var shorter: BackendAnswer?
    while !Task.isCancelled, book.ending == nil {
      let question = question(request, repeatSeed, texts, schema, listed: listed)
      let call = mapping.call(for: question)
      book.note(unapplied: call.unapplied + Self.unapplied(request.settings))
      guard let number = await gate.enter() else { return nil }
      if book.ending != nil {
        gate.leave(number, .neither)
        return nil
      }
      let elapsed = clock.stopwatch()
      let result = await exchange(call)
      let outcome = ExchangeOutcome(result, now: now())
      answer.duration = (try? result.get())?.duration ?? elapsed()
      book.note(result, isRetry: !tries.isEmpty)
      func finish(_ failure: AttemptFailure?) -> BackendAnswer {
        answer.failure = failure ?? answer.failure
        answer.earlierTries = tries.isEmpty ? nil : tries
        return answer
      }
      switch outcome {
      case .answered(let body):
        gate.leave(number, .succeeded)
        let reply = mapping.reply(from: body)
        answer.take(reply, schema, prices: options.prices)
        answer.decisions =
          ListedDecisions(reply.tokens, schema.schema, request.settings).decisions
        if !reply.tokens.isEmpty {
          answer.served?.probabilities = name.interface.probabilityStage
        }
        if let longer = longerList(than: listed, for: answer), shorter == nil {
          (shorter, listed) = (answer, longer)
          continue
        }
        // If the text differs, keep the first answer: its probabilities must not decide whether
        // another answer takes its place.
        if let shorter, shorter.served?.originalText ?? shorter.output != reply.text {
          answer = shorter
        }
        book.note(answer)
        return finish(nil)
      case .tryAgain(let failure, let asked, let isCongested):
        gate.leave(number, isCongested ? .congested : .neither)
        tries.append(AttemptTry(failure: failure, duration: answer.duration))
        let jitter = RetryPause.jitter(seed: repeatSeed.seed, tries: tries.count)
        guard let pause = options.retries.pause(after: tries.count, asked: asked, jitter: jitter)
        else {
          tries.removeLast()
          endIfUnreachable(result, asked: asked, failure)
          return finish(failure)
        }
        if asked != nil { gate.close(for: pause) }
        try? await clock.sleep(for: pause)
      case .failed(let failure):
        gate.leave(number, .neither)
        return finish(failure)
      case .refusedSchema(let failure):
        gate.leave(number, .neither)
        book.refuse(request.schema, failure)
        return finish(failure)
      case .refusedMember(let member, let failure):
        gate.leave(number, .neither)
        // Try again without the member, even if another request has already left it out.
        guard book.leaveOut(member) || !question.leftOut.contains(member) else {
          return finish(failure)
        }
      case .ended(let failure):
        gate.leave(number, .neither)
        // Only the first attempt with this failure is an error; the others are skipped.
        return book.end(failure.message) ? finish(failure) : nil
      case .cancelled:
        gate.leave(number, .neither)
        return nil
      }
    }
    return nil
  }

  /// Stops asking the server if the last try of an attempt didn't reach it, or if it asks for too
  /// long a pause.
  private func endIfUnreachable(
    _ result: Result<HTTPResponse, HTTPFailure>, asked: Duration?, _ failure: AttemptFailure
  ) {
    if let asked, asked > options.retries.longestAsked {
      _ = book.end(
        "the server asks for a pause of \(asked.wordsInSeconds), longer than the "
          + "\(options.retries.longestAsked.wordsInSeconds) allowed: \(failure.message)")
    }
    switch result {
    case .failure(.refused), .failure(.hostNotFound), .failure(.tls):
      _ = book.end(failure.message)
    default: break
    }
  }

  /// Returns the texts for the model.
  ///
  /// If the interface shows the schema to the model, there is no outline, unless the suite sets
  /// one other than the default.
  private func texts(_ request: BackendRequest, _ schema: ServedSchema) -> RequestTexts {
    var style = request.includesSchemaInPrompt ? request.settings.outline : .none
    if name.interface.showsSchemaToModel, style == .typescript { style = .none }
    return RequestTexts(request, schema.schema, outline: style, cue: PromptWriter.usualCue)
  }

  /// Returns the settings that only an engine with its own grammar supports.
  private static func unapplied(_ settings: GenerationSettings) -> [String] {
    (settings.whitespace == .any ? [] : ["whitespace"])
      + (settings.tokenization == .all ? [] : ["tokenization"])
  }

  /// The longer list to request next, if the server supports one and a decision is still
  /// unresolved; nil otherwise.
  private func longerList(than listed: Int?, for answer: BackendAnswer) -> Int? {
    guard let listed,
      let longest = name.interface.longestList(tokens: answer.outputTokens), listed < longest,
      answer.decisions.contains(where: { $0.kind != .choice && !$0.isResolved })
    else { return nil }
    return longest
  }

  private func question(
    _ request: BackendRequest, _ repeatSeed: RepeatSeed, _ texts: RequestTexts,
    _ schema: ServedSchema, listed: Int?
  ) -> ServerQuestion {
    ServerQuestion(
      model: name.model, instructions: texts.system, history: request.history,
      prompt: texts.user, schema: schema.sent.json, schemaName: schema.sent.name,
      settings: request.settings, seed: Int(repeatSeed.seed & 0x7FFF_FFFF),
      listedTokens: listed, leftOut: book.leftOut, extra: options.members)
  }

  private func exchange(_ call: ServerCall) async -> Result<HTTPResponse, HTTPFailure> {
    let headers =
      [HTTPHeader("Content-Type", "application/json"), HTTPHeader("Accept", "application/json")]
      + call.headers.map { HTTPHeader($0.name, $0.value) }
    do throws(HTTPFailure) {
      return .success(
        try await client.exchange(
          HTTPRequest(
            address: name.address, path: call.path, headers: headers, secret: options.key,
            body: Array(call.body.compactText.utf8), timeLimit: options.timeLimit)))
    } catch {
      return .failure(error)
    }
  }
}
