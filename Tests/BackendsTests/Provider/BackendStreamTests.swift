import Backends
import EvalRecords
import GuidedGeneration
import LanguageModelSessions
import StructuredText
import Synchronization
import Testing

@Generable
private struct Stew: Equatable {
  @Generable
  struct Part: Equatable {
    var name: String
    var grams: Int
  }

  var title: String
  var parts: [Part]
}

private struct Cellar: Tool {
  let description = "Says what is in the cellar"

  func call(arguments: String) async throws -> String { "only \(arguments)" }
}

/// A backend that reports ever longer prefixes of its first output as progress, and records the
/// requests.
private final class ShowingBackend: EvalBackend {
  let record = BackendRecord(id: "shown", model: "shown", engine: "shown", isDeterministic: true)
  let outputs: [String]
  let isEndless: Bool
  let requests = Mutex<[BackendRequest]>([])
  let isStopped = Mutex(false)

  init(_ outputs: String..., isEndless: Bool = false) {
    self.outputs = outputs
    self.isEndless = isEndless
  }

  func answers(
    to request: BackendRequest, repeats: [RepeatSeed]
  ) -> AsyncStream<BackendAnswer> {
    let count = requests.withLock { requests in
      requests.append(request)
      return requests.count
    }
    return AsyncStream { continuation in
      for repeatSeed in repeats {
        continuation.yield(
          BackendAnswer(
            repeatSeed: repeatSeed, output: outputs[(count - 1) % outputs.count],
            stopReason: .complete))
      }
      continuation.finish()
    }
  }

  func progress(
    on request: BackendRequest, repeat repeatSeed: RepeatSeed
  ) -> AsyncStream<AnswerProgress> {
    AsyncStream { continuation in
      for end in [2, 9, 14] { continuation.yield(.text(String(outputs[0].prefix(end)))) }
      if isEndless {
        continuation.onTermination = { _ in self.isStopped.withLock { $0 = true } }
      } else {
        continuation.finish()
      }
    }
  }
}

/// A backend that reports no progress before its answer, as a library user's backend might.
private struct PlainBackend: EvalBackend {
  let source: ShowingBackend
  var record: BackendRecord { source.record }

  func answers(
    to request: BackendRequest, repeats: [RepeatSeed]
  ) -> AsyncStream<BackendAnswer> {
    source.answers(to: request, repeats: repeats)
  }
}

@Suite("Streams from backends")
struct BackendStreamTests {
  private static let stew: JSONValue = [
    "title": "Winter \"stew\"",
    "parts": [["name": "leek", "grams": 300], ["name": "böhne", "grams": 1250]],
  ]

  private func stub(_ contents: JSONValue...) -> BackendLanguageModel {
    BackendLanguageModel(
      StubBackend(),
      script: StubScript(choice: .sequence, entries: contents.map { .init(content: $0) }))
  }

  /// Checks that each snapshot contains everything from the one before it.
  private func checkGrowth(
    _ snapshots: [LanguageModelSession.ResponseStream<Stew>.Snapshot],
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    for (before, after) in zip(snapshots, snapshots.dropFirst()) {
      let titles = (before.content.title ?? "", after.content.title ?? "")
      #expect(titles.1.hasPrefix(titles.0), sourceLocation: sourceLocation)
      let parts = (before.content.parts ?? [], after.content.parts ?? [])
      #expect(parts.0.count <= parts.1.count, sourceLocation: sourceLocation)
      for (old, new) in zip(parts.0, parts.1) {
        #expect(old.id == new.id, sourceLocation: sourceLocation)
        #expect(
          (new.name ?? "").hasPrefix(old.name ?? ""), sourceLocation: sourceLocation)
      }
      #expect(before.content.id == after.content.id, sourceLocation: sourceLocation)
      #expect(Set(parts.1.map(\.id)).count == parts.1.count, sourceLocation: sourceLocation)
    }
  }

  @Test("snapshots grow piece by piece, keep their ids, and end with the value from `respond`")
  func value() async throws {
    let stream = LanguageModelSession(model: stub(Self.stew))
      .streamResponse(to: "?", generating: Stew.self)
    var snapshots: [LanguageModelSession.ResponseStream<Stew>.Snapshot] = []
    for try await snapshot in stream { snapshots.append(snapshot) }
    #expect(snapshots.count > 12)
    #expect(snapshots.contains { $0.content.parts?.count == 1 })
    checkGrowth(snapshots)
    let response = try await LanguageModelSession(model: stub(Self.stew))
      .respond(to: "?", generating: Stew.self)
    #expect(response.content.title == #"Winter "stew""#)
    #expect(try await stream.collect().content == response.content)
    #expect(snapshots.last?.rawContent == response.rawContent)
  }

  @Test("a streamed text grows, with and without tools, and never contains a tool call")
  func text() async throws {
    func texts(_ model: BackendLanguageModel, tools: [any Tool] = []) async throws -> [String] {
      let session = LanguageModelSession(model: model, tools: tools)
      var texts: [String] = []
      for try await snapshot in session.streamResponse(to: "?") { texts.append(snapshot.content) }
      return texts
    }
    for texts in [
      try await texts(stub("First \"boil\"\nthe water")),
      try await texts(
        stub(
          ["type": "Cellar", "arguments": "leeks"],
          ["type": "answer", "value": "First \"boil\"\nthe water"]), tools: [Cellar()]),
    ] {
      #expect(texts.count > 4)
      #expect(texts.last == "First \"boil\"\nthe water")
      for (before, after) in zip(texts, texts.dropFirst()) { #expect(after.hasPrefix(before)) }
    }
  }

  @Test("a value that follows a tool call is streamed, too")
  func valueAfterCall() async throws {
    let session = LanguageModelSession(
      model: stub(
        ["type": "Cellar", "arguments": "leeks"], ["type": "answer", "value": Self.stew]),
      tools: [Cellar()])
    var snapshots: [LanguageModelSession.ResponseStream<Stew>.Snapshot] = []
    for try await snapshot in session.streamResponse(to: "?", generating: Stew.self) {
      snapshots.append(snapshot)
    }
    #expect(snapshots.count > 8)
    checkGrowth(snapshots)
    #expect(snapshots.last?.content.parts?.last?.grams == 1250)
    #expect(session.transcript.count == 5)
  }

  @Test("if the reader stops early, the backend stops too, and the session accepts new requests")
  func cancellation() async throws {
    let backend = ShowingBackend(#"{"title":"Stew","parts":[]}"#, isEndless: true)
    let session = LanguageModelSession(model: BackendLanguageModel(backend))
    var last: String?
    for try await snapshot in session.streamResponse(to: "?", generating: Stew.self) {
      last = snapshot.content.title
      if last == "Stew" { break }
    }
    #expect(last == "Stew")
    while session.isResponding { try await Task.sleep(for: .milliseconds(1)) }
    #expect(backend.isStopped.withLock { $0 })
    #expect(session.transcript.count == 2, "the prompt and the part of the response stay")
    let task = Task { try await session.respond(to: "?", generating: Stew.self).content }
    while !session.isResponding { try await Task.sleep(for: .milliseconds(1)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!session.isResponding)
  }

  @Test(
    "a stream fails if the backend never reports an answer, but works without reports of progress")
  func otherBackends() async throws {
    let silent = ShowingBackend(#"{"title":"Stew","parts":[]}"#)
    let session = LanguageModelSession(model: BackendLanguageModel(silent))
    await #expect(throws: AttemptFailure.self) {
      for try await _ in session.streamResponse(to: "?", generating: Stew.self) {}
    }
    let plain = BackendLanguageModel(PlainBackend(source: silent))
    let stream = LanguageModelSession(model: plain).streamResponse(to: "?", generating: Stew.self)
    #expect(try await stream.collect().content == Stew(title: "Stew", parts: []))
  }

  @Test("a request's history contains the session's earlier turns")
  func history() async throws {
    let source = ShowingBackend(
      #"{"type":"Cellar","arguments":"leeks"}"#, #"{"type":"answer","value":"Stew."}"#,
      #"{"type":"answer","value":"With salt."}"#)
    let session = LanguageModelSession(
      model: BackendLanguageModel(PlainBackend(source: source)), tools: [Cellar()],
      instructions: "You cook.")
    try await session.respond(to: "What can I cook?")
    try await session.respond(to: "How?")
    let requests = source.requests.withLock { $0 }
    #expect(requests.map(\.prompt) == ["What can I cook?", "Cellar: only leeks", "How?"])
    #expect(requests.allSatisfy { $0.instructions == "You cook." })
    let turns = [
      ConversationTurn(.user, "What can I cook?"),
      ConversationTurn(.model, #"{"type":"Cellar","arguments":"leeks"}"#),
      ConversationTurn(.user, "Cellar: only leeks"), ConversationTurn(.model, "Stew."),
    ]
    #expect(requests.map(\.history) == [[], Array(turns[..<2]), turns])
  }

  @Test("the bundled model streams, token by token, the same answer that `respond` returns")
  func local() async throws {
    let options = GenerationOptions(
      sampling: .random(probabilityThreshold: 1, seed: 4), maximumResponseTokens: 120)
    func session() throws -> LanguageModelSession {
      LanguageModelSession(model: try LocalLanguageModel(path: BackendSessionTests.modelPath))
    }
    let prompt = "The cook made pea soup."
    let whole = try await session()
      .respond(to: prompt, generating: Stew.Part.self, options: options)
    let stream = try session()
      .streamResponse(to: prompt, generating: Stew.Part.self, options: options)
    var names: [String] = []
    for try await snapshot in stream { names.append(snapshot.content.name ?? "") }
    #expect(try await stream.collect().rawContent == whole.rawContent)
    #expect(names.last == whole.content.name)
    #expect(names.count > 3)
    for (before, after) in zip(names, names.dropFirst()) {
      #expect(after.utf8.starts(with: before.utf8))
    }
  }
}
