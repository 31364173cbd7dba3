import EvalRecords
import Foundation
import HTTPTransport
import ModelServers
import StructuredText
import Synchronization
import TestSupport
import Testing

@testable import Backends

@Suite("A served backend")
struct ServedBackendTests {
  @Test("the backend sends the schema and its outline, and returns the answer with its cost")
  func answers() async throws {
    let client = ScriptedClient { _, _ in
      ServedLab.response(200, ServedLab.completion(ServedLab.answer))
    }
    var options = ServedLab.options
    options.prices = TokenPrices(prompt: 1, output: 10)
    let backend = try ServedLab.backend(client, options: options)
    let answers = await ServedLab.answers(of: backend, repeats: 3)
    #expect(answers.map(\.output) == Array(repeating: ServedLab.answer, count: 3))
    #expect(answers.allSatisfy { $0.failure == nil && $0.stopReason == .complete })
    #expect(answers.first?.promptTokens == 20)
    #expect(answers.first?.served?.model == "m-1")
    // The 20 prompt tokens cost 1 per million, and the 10 output tokens cost 10 per million.
    #expect(answers.first?.served?.cost == 0.00012)
    let body = try JSONValue(
      parsing: String(decoding: client.requests.first?.body ?? [], as: UTF8.self))
    let system = body["messages"]?.array?.first?["content"]?.string ?? ""
    #expect(system.hasPrefix("Be brief.\n\nAnswer with JSON of type Note."))
    #expect(body["response_format"]?["json_schema"]?["name"] == "Note")
    let seeds = client.requests.compactMap { request in
      (try? JSONValue(parsing: String(decoding: request.body ?? [], as: UTF8.self)))?["seed"]?.int
    }
    #expect(Set(seeds).count == 3)
    #expect(backend.served?.requests == 3 && backend.served?.answers == 3)
    #expect(backend.served?.models == ["m-1": 3])
  }

  /// A server's response, and how the backend must treat it.
  struct Case: Sendable {
    var name: String
    var status = 200
    var body: String
    var headers: [HTTPHeader] = []
    var kind: AttemptFailure.Kind?
    var stop: StopReason = .complete
    var requests = 1
    var ends = false
    var words = "status"
  }

  static let cases: [Case] = [
    Case(
      name: "an answer at the token limit", body: ServedLab.completion("{\"tone", finish: "length"),
      kind: .truncated, stop: .tokenLimit, words: "token limit"),
    Case(
      name: "a content filter", body: ServedLab.completion("", finish: "content_filter"),
      kind: .refusal, stop: .refusal, words: "content filter"),
    Case(
      name: "text around the value", body: ServedLab.completion("Sure: {}"),
      kind: .malformedOutput, words: "not JSON"),
    Case(
      name: "a violated schema", body: ServedLab.completion(#"{"tone":"calm","tips":[]}"#),
      kind: .schemaMismatch, words: "doesn't match its schema"),
    Case(
      name: "a value that differs from the enum's only in capitalization",
      body: ServedLab.completion(#"{"tone":"Calm","tips":["x"]}"#), kind: .schemaMismatch,
      words: "doesn't match its schema"),
    Case(
      name: "invalid JSON", body: "{", kind: .backend, stop: .failed, requests: 3,
      words: "is not an answer (status 200): it is not JSON"),
    Case(
      name: "an empty body", body: "", kind: .backend, stop: .failed, requests: 3,
      words: "it is empty"),
    Case(
      name: "a page", body: "<html><title>Maintenance</title></html>", kind: .backend,
      stop: .failed, requests: 3, words: "it is HTML or XML: Maintenance"),
    Case(
      name: "an event stream", body: "data: {\"choices\":[]}\n\ndata: [DONE]\n\n", kind: .backend,
      stop: .failed, requests: 3, words: "an event stream, which the request didn't ask for"),
    Case(
      name: "an error with status 200",
      body: #"{"error":{"message":"Provider returned error","code":502}}"#, kind: .backend,
      stop: .failed, requests: 3, words: "Provider returned error (code 502)"),
    Case(
      name: "a limited rate with status 200", body: #"{"error":{"message":"slow","code":429}}"#,
      kind: .rateLimited, stop: .failed, requests: 3, words: "slow"),
    Case(
      name: "an empty answer", body: ServedLab.completion(""), kind: .malformedOutput,
      stop: .failed, words: "the answer is empty"),
    Case(
      name: "status 400", status: 400, body: #"{"error":{"message":"no"}}"#, kind: .backend,
      stop: .failed, words: "refuses the request (status 400): no"),
    Case(
      name: "a prompt that exceeds the context", status: 400,
      body: #"{"error":{"message":"This model's maximum context length is 10 tokens"}}"#,
      kind: .promptTooLong, stop: .contextFull, words: "context"),
    Case(
      name: "a refused schema", status: 400,
      body: #"{"error":{"message":"Invalid schema for response_format"}}"#,
      kind: .unsupportedGenerationGuide, stop: .failed, words: "can't enforce the schema"),
    Case(
      name: "status 408", status: 408, body: "", kind: .backend, stop: .failed, requests: 3),
    Case(
      name: "status 409", status: 409, body: "", kind: .backend, stop: .failed, requests: 3),
    Case(
      name: "status 429", status: 429, body: "", kind: .rateLimited, stop: .failed, requests: 3),
    Case(
      name: "status 500", status: 500, body: "", kind: .backend, stop: .failed, requests: 3),
    Case(
      name: "status 503, loading", status: 503, body: #"{"error":{"message":"Loading model"}}"#,
      kind: .backend, stop: .failed, requests: 3, words: "Loading model"),
    Case(
      name: "status 529", status: 529, body: "", kind: .backend, stop: .failed, requests: 3),
    Case(
      name: "status 500 that forbids another try", status: 500, body: "",
      headers: [HTTPHeader("x-should-retry", "false")], kind: .backend, stop: .failed),
    Case(
      name: "a request for too long a pause", status: 429, body: "",
      headers: [HTTPHeader("retry-after", "3600")], kind: .rateLimited, stop: .failed, ends: true),
    Case(
      name: "a used-up quota", status: 429,
      body: #"{"error":{"code":"insufficient_quota","message":"You exceeded your quota"}}"#,
      kind: .backend, stop: .failed, ends: true, words: "used up its quota"),
    Case(
      name: "a refused key", status: 401, body: #"{"error":{"message":"Incorrect key"}}"#,
      kind: .backend, stop: .failed, ends: true, words: "refuses the key"),
    Case(
      name: "an unknown model", status: 404, body: #"{"error":{"message":"no model m"}}"#,
      kind: .backend, stop: .failed, ends: true, words: "no such model or path"),
    Case(
      name: "a redirect", status: 302, body: "",
      headers: [HTTPHeader("location", "https://user:pw@evil.test/x?key=1")], kind: .backend,
      stop: .failed, ends: true, words: "to https://evil.test"),
  ]

  @Test(
    "each kind of response leads to the expected failure, stop reason and number of tries",
    arguments: cases.indices)
  func checkResponse(_ index: Int) async throws {
    let item = Self.cases[index]
    let client = ScriptedClient { _, _ in
      ServedLab.response(item.status, item.body, headers: item.headers)
    }
    let backend = try ServedLab.backend(client)
    let answer = try #require(await ServedLab.answers(of: backend).first)
    #expect(answer.failure?.kind == item.kind, "\(item.name): \(answer)")
    #expect(answer.stopReason == item.stop, "\(item.name)")
    #expect(answer.failure?.message.contains(item.words) ?? true, "\(item.name): \(answer)")
    #expect(client.requests.count == item.requests, "\(item.name)")
    #expect((backend.ending != nil) == item.ends, "\(item.name)")
    #expect((answer.earlierTries?.count ?? 0) == item.requests - 1, "\(item.name)")
  }

  @Test("the backend counts schema violations, and changes nothing in an answer")
  func promises() async throws {
    let texts = [#"{"tone":"LOUD","tips":["x"]}"#, #"{"tone":"calm"}"#, ServedLab.answer]
    let client = ScriptedClient { _, number in
      ServedLab.response(200, ServedLab.completion(texts[number % 3]))
    }
    let backend = try ServedLab.backend(client)
    let answers = await ServedLab.answers(of: backend, repeats: 3)
    #expect(Set(answers.map(\.output)) == Set(texts))
    #expect(answers.allSatisfy { $0.served?.originalText == nil })
    #expect(backend.served?.brokenPromises == 2)
  }

  @Test("everything that shapes a request is in the text that the cache keys answers by")
  func sentText() throws {
    let client = ScriptedClient { _, _ in ServedLab.response(500, "") }
    func text(
      _ name: String = "openai-api:m@http://127.0.0.1:1",
      request change: (inout BackendRequest) -> Void = { _ in },
      options set: (inout ServedOptions) -> Void = { _ in }
    ) throws -> String {
      var (request, options) = (ServedLab.request(), ServedLab.options)
      change(&request)
      set(&options)
      return try ServedLab.backend(client, name: name, options: options)
        .sentText(of: request, repeat: RepeatSeed(repeatIndex: 0, seed: 7))
    }
    let plain = try text()
    #expect(try text(request: { $0.caseID = "other" }) == plain)
    #expect(try text(options: { $0.prices = TokenPrices(prompt: 1, output: 1) }) == plain)
    let changed = [
      try text(options: { $0.listedTokens = 5 }), try text(options: { $0.listedTokens = 6 }),
      try text(options: { $0.members = ["store": true] }),
      try text(request: { $0.includesSchemaInPrompt = false }),
      try text(request: { $0.settings.topP = 0.5 }), try text(request: { $0.prompt += "." }),
      try text("openai-api:n@http://127.0.0.1:1"), try text("openai-api:m@http://127.0.0.1:2"),
      try text("vllm:m@http://127.0.0.1:1"),
    ]
    #expect(Set(changed + [plain]).count == changed.count + 1)
  }

  @Test("the backend sends a rejected schema only once")
  func refusedSchema() async throws {
    let client = ScriptedClient { _, _ in
      ServedLab.response(400, #"{"error":{"message":"Invalid schema"}}"#)
    }
    var options = ServedLab.options
    options.mostAtOnce = 1
    let backend = try ServedLab.backend(client, options: options)
    _ = await ServedLab.answers(of: backend)
    let answers = await ServedLab.answers(of: backend, repeats: 4)
    #expect(answers.map(\.failure?.kind) == Array(repeating: .unsupportedGenerationGuide, count: 4))
    #expect(client.requests.count == 1)
  }

  @Test("the backend leaves out request parameters that the server rejects, and reports them")
  func refusedMember() async throws {
    let client = ScriptedClient { request, _ in
      let body = String(decoding: request.body ?? [], as: UTF8.self)
      return body.contains("\"temperature\"")
        ? ServedLab.response(
          400,
          #"{"error":{"message":"no","code":"unsupported_parameter","param":"temperature"}}"#)
        : ServedLab.response(200, ServedLab.completion(ServedLab.answer))
    }
    let backend = try ServedLab.backend(client)
    let answers = await ServedLab.answers(of: backend, repeats: 4)
    #expect(answers.count == 4 && answers.allSatisfy { $0.failure == nil })
    #expect(backend.served?.unapplied == ["temperature"])
  }

  @Test("a backend that gives up returns one error, and doesn't answer the remaining requests")
  func ending() async throws {
    let client = ScriptedClient { _, _ in ServedLab.response(401, "") }
    let backend = try ServedLab.backend(client)
    let answers = await ServedLab.answers(of: backend, repeats: 20)
    #expect(answers.count == 1)
    #expect(await ServedLab.answers(of: backend, repeats: 20).isEmpty)
  }

  @Test("the backend notices a different model under the same name")
  func changedModel() async throws {
    let client = ScriptedClient { _, number in
      ServedLab.response(
        200, ServedLab.completion(ServedLab.answer, model: "m-\(number % 2)", fingerprint: "fp"))
    }
    let backend = try ServedLab.backend(client)
    _ = await ServedLab.answers(of: backend, repeats: 4)
    #expect(backend.served?.models == ["m-0": 2, "m-1": 2])
    #expect(backend.served?.hasChangedModel == true)
  }

  @Test(
    "the backend limits concurrent requests, and retries those that an overloaded server rejected")
  func window() async throws {
    let load = Mutex((now: 0, most: 0))
    let client = ScriptedClient { _, number in
      load.withLock { load in
        load.now += 1
        load.most = max(load.most, load.now)
      }
      try? await Task.sleep(for: .milliseconds(2))
      load.withLock { $0.now -= 1 }
      return number < 4
        ? ServedLab.response(429, "")
        : ServedLab.response(200, ServedLab.completion(ServedLab.answer))
    }
    var options = ServedLab.options
    options.mostAtOnce = 4
    let backend = try ServedLab.backend(client, options: options)
    let answers = await ServedLab.answers(of: backend, repeats: 40)
    #expect(answers.count == 40 && answers.allSatisfy { $0.failure == nil })
    #expect(load.withLock(\.most) <= 4)
    #expect(backend.served?.mostAtOnce == load.withLock(\.most))
    #expect(backend.served?.retries == 4)
  }

  @Test("the stream of answers ends immediately when the task that reads it is cancelled")
  func cancellation() async throws {
    let client = ScriptedClient { _, _ in
      try? await Task.sleep(for: .seconds(3600))
      return .failure(.cancelled)
    }
    let backend = try ServedLab.backend(client)
    let task = Task { await ServedLab.answers(of: backend, repeats: 100) }
    await waitUntil { !client.requests.isEmpty }
    task.cancel()
    #expect(await task.value.isEmpty)
  }

  @Test(
    "each request needs an admission, also a retry, and an answer counts before the next request",
    arguments: [
      (most: 9, events: ["ask", "ask", "count", "ask", "count"], requests: 3, answers: 2),
      (most: 2, events: ["ask", "ask", "count", "ask"], requests: 2, answers: 1),
      (most: 1, events: ["ask", "ask", "ask"], requests: 1, answers: 0),
      (most: 0, events: ["ask", "ask"], requests: 0, answers: 0),
    ])
  func admission(most: Int, events: [String], requests: Int, answers: Int) async throws {
    let client = ScriptedClient { _, number in
      number == 0
        ? ServedLab.response(500, "")
        : ServedLab.response(200, ServedLab.completion(ServedLab.answer))
    }
    var options = ServedLab.options
    options.mostAtOnce = 1
    let backend = try ServedLab.backend(client, options: options)
    #expect(backend.asksForAdmission)
    let seen = Mutex<[String]>([])
    let admission = RequestAdmission { _ in
      seen.withLock { seen in
        seen.append("ask")
        return seen.count { $0 == "ask" } <= most
      }
    } spend: { _ in
      seen.withLock { $0.append("count") }
    }
    let seeds = (0..<2).map { RepeatSeed(repeatIndex: $0, seed: UInt64(7 + $0)) }
    var count = 0
    for await _ in backend.answers(
      to: ServedLab.request(), repeats: seeds, admission: admission)
    {
      count += 1
    }
    #expect(seen.withLock(\.self) == events)
    #expect(client.requests.count == requests && count == answers)
  }

  @Test(
    "an answer whose tokens the server doesn't report has no cost",
    arguments: [
      (#"{"prompt_tokens": 20, "completion_tokens": 10}"#, false), ("null", true), ("{}", true),
      (#"{"prompt_tokens": 20}"#, true), (#"{"completion_tokens": 10}"#, true),
      (#"{"prompt_tokens": "many", "completion_tokens": -1}"#, true),
    ])
  func unreportedTokens(usage: String, isUnknown: Bool) async throws {
    var body = try JSONValue(parsing: ServedLab.completion(ServedLab.answer)).object ?? [:]
    body["usage"] = try JSONValue(parsing: usage)
    let text = JSONValue.object(body).compactText
    var options = ServedLab.options
    for prices in [TokenPrices(prompt: 1, output: 10), nil] {
      options.prices = prices
      let backend = try ServedLab.backend(
        ScriptedClient { _, _ in ServedLab.response(200, text) }, options: options)
      let served = try #require(await ServedLab.answers(of: backend).first?.served)
      #expect(served.cost == (isUnknown || prices == nil ? nil : 0.00012))
      #expect(backend.served?.cost == served.cost)
      #expect(backend.served?.answersOfUnknownCost == (isUnknown && prices != nil ? 1 : nil))
    }
  }
}
