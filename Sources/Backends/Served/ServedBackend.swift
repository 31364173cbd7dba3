public import EvalRecords
public import HTTPTransport
public import ModelServers
import StructuredText
import Synchronization

/// Sends requests to a served model: one for each repeat, with retries after failures that may be
/// temporary.
///
/// ```
/// BackendRequest ─► ServerQuestion ─► mapping ─► gate ─► HTTPClient ─► ExchangeOutcome
///                                                  ▲         again ◄──────┤
///                                                  └── its window         ▼
///                          BackendAnswer ◄── schema check ◄── reply ◄── mapping
/// ```
public final class ServedBackend: EvalBackend {
  /// The identity of the backend.
  public let record: BackendRecord

  let name: ServedModelName
  let options: ServedOptions
  let client: any HTTPClient
  private let mapping: any ServerMapping
  private let gate: RequestGate
  private let mostAtOnce: Int
  let book: ServedBook
  let clock: any Clock<Duration>
  let now: @Sendable () -> Double
  /// The test of the server before the first answer, or `nil` until the test begins.
  let probing = Mutex<Task<Void, Never>?>(nil)

  /// Creates a backend for a served model, without sending anything.
  ///
  /// - Parameters:
  ///   - name: The model and its server.
  ///   - id: The id of the backend, which its attempts record. `nil` combines the names of the
  ///     interface and the model.
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
    mostAtOnce = min(options.mostAtOnce, name.interface.mostRequests ?? .max)
    gate = RequestGate(most: mostAtOnce, clock: clock)
    let sendsGrammar = options.sendsGrammar && name.interface.takesGrammar
    book = ServedBook(
      address: name.address.description, profile: name.interface.schemaProfile,
      sendsGrammar: sendsGrammar)
    let members =
      options.members.isEmpty ? "" : ", members \(JSONValue.object(options.members).compactText)"
    record = BackendRecord(
      id: id ?? name.id, model: name.model.isEmpty ? name.interface.rawValue : name.model,
      engine: "served, \(name.interface.rawValue)\(sendsGrammar ? ", own grammar" : "")\(members)",
      isDeterministic: false)
  }

  /// The counts of the requests so far.
  public var served: ServedUse? { book.use(mostAtOnce: gate.mostInWork) }
  /// The reason why the backend has stopped sending requests, or `nil` if it hasn't.
  public var ending: String? { book.ending }
  /// The maximum number of concurrent requests.
  public var caseLimit: Int? { mostAtOnce }
  /// Whether the backend handles timeouts and retries itself; always `true`.
  public var hasOwnManners: Bool { true }
  /// Whether the backend asks for admission before each request; always `true`.
  public var asksForAdmission: Bool { true }

  /// Returns the reason why the server can't apply some settings, or `nil` if it can apply them
  /// all.
  public func obstacle(to request: BackendRequest) -> String? {
    let settings = request.settings
    if settings.mask == .off { return "can't answer with `mask: off`" }
    return settings.outline == .none && name.interface.alwaysShowsSchema
      ? "can't leave out the schema, because \(name.interface.rawValue) always shows it" : nil
  }

  /// Answers a request once per repeat, with concurrent requests to the server.
  public func answers(
    to request: BackendRequest, repeats: [RepeatSeed]
  ) -> AsyncStream<BackendAnswer> {
    answers(to: request, repeats: repeats, admission: .unlimited)
  }

  /// Answers a request once per repeat, with concurrent requests to the server.
  ///
  /// Each request begins when it is admitted.
  public func answers(
    to request: BackendRequest, repeats: [RepeatSeed], admission: RequestAdmission
  ) -> AsyncStream<BackendAnswer> {
    .working { [self] continuation in
      await probeOnce(admission.forTests)
      await withTaskGroup(of: BackendAnswer?.self) { group in
        for repeatSeed in repeats {
          group.addTask { await self.answer(to: request, repeatSeed, admission) }
        }
        for await answer in group {
          if let answer { continuation.yield(answer) }
        }
      }
    }
  }

  /// Returns the address, headers and body of the request to the server, as it is sent first.
  ///
  /// The key is not part of it. A request that can't be sent has no text.
  public func sentText(of request: BackendRequest, repeat repeatSeed: RepeatSeed) -> String {
    guard let schema = try? book.schema(of: request) else { return "" }
    var question = question(request, repeatSeed, texts(request, schema), schema)
    // What the server has rejected depends on the requests before this one.
    question.leftOut = []
    let call = mapping.call(for: question)
    return "\(name.address) \(call.path) \(call.headers) \(call.body.compactText)"
  }

  /// Returns the answer for one repeat of the request.
  ///
  /// The answer is `nil` if the task was cancelled, if the backend has stopped sending requests, or
  /// if a request was not admitted.
  private func answer(
    to request: BackendRequest, _ repeatSeed: RepeatSeed, _ admission: RequestAdmission
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
    while !Task.isCancelled, book.ending == nil {
      let question = question(request, repeatSeed, texts, schema)
      let call = mapping.call(for: question)
      book.note(unapplied: call.unapplied + Self.unapplied(request.settings, schema))
      guard let number = await gate.enter() else { return nil }
      guard book.ending == nil, await admission.admits(.answer), book.ending == nil else {
        gate.leave(number, .neither)
        return nil
      }
      let elapsed = clock.stopwatch()
      let result = await exchange(call)
      let outcome = ExchangeOutcome(result, now: now(), error: mapping.error) {
        body throws(ServerError) in
        try mapping.reply(from: body)
      }
      answer.duration = (try? result.get())?.duration ?? elapsed()
      book.note(result, isRetry: !tries.isEmpty)
      func finish(_ failure: AttemptFailure?) -> BackendAnswer {
        var failure = failure
        // Apple's server counts the answer, too: the model's context was full.
        if name.interface == .apple, failure?.kind == .promptTooLong {
          failure?.kind = .contextSizeExceeded
        }
        answer.failure = failure ?? answer.failure
        // The model's own results end an attempt in the same way, whatever the server's status is.
        switch failure?.kind {
        case .refusal: answer.stopReason = .refusal
        case .contextSizeExceeded, .promptTooLong: answer.stopReason = .contextFull
        default: break
        }
        answer.earlierTries = tries.isEmpty ? nil : tries
        return answer
      }
      switch outcome {
      case .answered(var reply):
        reply.fingerprint = reply.fingerprint ?? options.system
        answer.take(reply, schema, prices: options.prices)
        admission.count(answer)
        gate.leave(number, .succeeded)
        if !reply.decisions.isEmpty {
          answer.decisions = reply.decisions
          answer.served?.probabilities = name.interface.probabilityStage
        } else if !reply.tokens.isEmpty, reply.tokensSpellText {
          answer.served?.probabilities = name.interface.probabilityStage
          answer.served?.listedTokens = reply.tokens.map(\.alternatives.count).max()
          let measured = await decisions(
            reply.tokens, schema, question,
            isCut: [.tokenLimit, .contextFull].contains(answer.stopReason), admission)
          answer.decisions = measured.records
          answer.served?.furtherRequests = measured.furtherRequests
        }
        book.note(answer, isPriced: options.prices != nil)
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
        book.refuse(request, failure)
        return finish(failure)
      case .refusedMember(let member, let failure):
        gate.leave(number, .neither)
        // Retry without the member, even if another request has already left it out.
        guard book.leaveOut(member) || !question.leftOut.contains(member) else {
          return finish(failure)
        }
      case .ended(let failure):
        gate.leave(number, .neither)
        // Only the first attempt with this failure counts as an error. Later attempts are skipped.
        return book.end(failure.message) ? finish(failure) : nil
      case .cancelled:
        gate.leave(number, .neither)
        return nil
      }
    }
    return nil
  }

  /// Stops sending requests if an attempt's last try didn't reach the server, or if the server asks
  /// for a pause that is too long.
  private func endIfUnreachable(
    _ result: Result<HTTPResponse, HTTPFailure>, asked: Duration?, _ failure: AttemptFailure
  ) {
    if let asked, asked > options.retries.longestAsked {
      _ = book.end(
        "the server asks for a pause of \(asked.wordsInSeconds), longer than the "
          + "\(options.retries.longestAsked.wordsInSeconds) allowed: \(failure.message)")
    }
    switch result {
    case .failure(.refused), .failure(.hostNotFound), .failure(.tls), .failure(.neverAnswered):
      _ = book.end(failure.message)
    default: break
    }
  }

  /// Returns the request's texts for the model.
  ///
  /// If the server presents the schema to the model itself, the texts contain no outline, unless
  /// the suite sets a style other than the default.
  private func texts(_ request: BackendRequest, _ schema: ServedSchema) -> RequestTexts {
    var style = request.includesSchemaInPrompt ? request.settings.outline : .none
    if name.interface.presentsSchema, style == .typescript { style = .none }
    return RequestTexts(request, schema.generated, outline: style, cue: PromptWriter.usualCue)
  }

  /// Returns the settings that the server doesn't support.
  ///
  /// A server's mask allows all segmentations. Even so, the method doesn't report the default of
  /// the setting `tokenization`, `canonical`, because it only affects text that the schema forces.
  private static func unapplied(
    _ settings: GenerationSettings, _ schema: ServedSchema
  ) -> [String] {
    (schema.grammar != nil || settings.whitespace == .any ? [] : ["whitespace"])
      + (settings.tokenization == .canonicalPairs ? ["tokenization"] : [])
  }

  private func question(
    _ request: BackendRequest, _ repeatSeed: RepeatSeed, _ texts: RequestTexts,
    _ schema: ServedSchema
  ) -> ServerQuestion {
    let listed = options.listedTokens ?? name.interface.usualListedTokens
    return ServerQuestion(
      place: ServerQuestion.Place(
        suite: request.suite, variant: request.variant, testCase: request.caseID,
        variables: request.variables),
      model: name.model, instructions: texts.system, history: request.history,
      prompt: texts.user, schema: schema.sent.json, schemaName: schema.sent.name,
      settings: request.settings, seed: Int(repeatSeed.seed & 0x7FFF_FFFF),
      grammar: schema.grammar, listedTokens: listed == 0 ? nil : listed, leftOut: book.leftOut,
      extra: options.members)
  }

  // MARK: Decisions

  /// Measures the decisions of an answer, with further requests if the server can report the
  /// probabilities after tokens that it didn't sample.
  ///
  /// - Returns: The decisions, and the number of further requests, or `nil` if there were none.
  private func decisions(
    _ tokens: [ListedToken], _ schema: ServedSchema, _ question: ServerQuestion, isCut: Bool,
    _ admission: RequestAdmission
  ) async -> (records: [DecisionRecord], furtherRequests: Int?) {
    var listed = ListedDecisions(
      tokens, schema.generated, question.settings, layout: schema.layout, isCut: isCut)
    guard name.interface.continuesPrefixes else { return (listed.decisions, nil) }
    var prompt: [Int]?
    var count = 0
    for _ in 0..<options.furtherRequests {
      guard let wish = listed.wish() else { break }
      if prompt == nil {
        prompt = await promptTokens(of: question, admission)
        count += 2
      }
      count += 1
      let calls = LlamaPrefixes()
      guard let prompt,
        let list = await body(
          of: calls.next(after: prompt + wish.ids, listed: wish.count), admission
        ).flatMap(calls.list)
      else { break }
      listed.take(list, for: wish)
    }
    return (listed.decisions, count > 0 ? count : nil)
  }

  /// Returns the ids of a prompt's tokens, or `nil` if the server doesn't report them.
  private func promptTokens(
    of question: ServerQuestion, _ admission: RequestAdmission
  ) async -> [Int]? {
    let calls = LlamaPrefixes()
    guard
      let prompt = await body(of: calls.template(of: question), admission).flatMap(calls.prompt),
      let tokens = await body(of: calls.tokenization(of: prompt), admission)
    else { return nil }
    return calls.tokens(from: tokens)
  }

  /// Returns the response to a further request, or `nil` if it fails.
  ///
  /// The request isn't retried, because a failure only leaves a decision unresolved.
  private func body(of call: ServerCall, _ admission: RequestAdmission) async -> JSONValue? {
    guard !Task.isCancelled, book.ending == nil, let number = await gate.enter() else { return nil }
    guard await admission.admits(.measurement) else {
      gate.leave(number, .neither)
      return nil
    }
    let result = await exchange(call, atRoot: true)
    book.note(result, isRetry: false)
    guard case .answered(let body) = ExchangeOutcome(result, now: now(), read: \.self) else {
      gate.leave(number, .neither)
      return nil
    }
    gate.leave(number, .succeeded)
    return body
  }

  /// Sends a call.
  ///
  /// - Parameter isAtRoot: Whether the call's path is relative to the server's root, not to `/v1`.
  private func exchange(
    _ call: ServerCall, atRoot isAtRoot: Bool = false
  ) async -> Result<HTTPResponse, HTTPFailure> {
    var address = name.address
    if isAtRoot, address.path.hasSuffix("/v1") { address.path.removeLast(3) }
    let headers =
      [HTTPHeader("Content-Type", "application/json"), HTTPHeader("Accept", "application/json")]
      + call.headers.map { HTTPHeader($0.name, $0.value) }
    do throws(HTTPFailure) {
      return .success(
        try await client.exchange(
          HTTPRequest(
            address: address, path: call.path, headers: headers, secret: options.key,
            body: Array(call.body.compactText.utf8), timeLimit: options.timeLimit)))
    } catch {
      return .failure(error)
    }
  }
}
