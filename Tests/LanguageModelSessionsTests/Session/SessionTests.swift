import GuidedGeneration
import LanguageModelSessions
import Synchronization
import Testing

@Generable(description: "A place to sleep")
private struct Hut: Equatable {
  @Guide(description: "As on the map")
  var name: String
  @Guide(.range(1...90))
  var beds: Int
}

private struct Weather: Tool {
  @Generable
  struct Arguments {
    var place: String
  }

  struct Closed: Error {}

  let description = "Tells the weather"

  func call(arguments: Arguments) async throws -> String {
    if arguments.place == "moon" { throw Closed() }
    return "Rain in \(arguments.place)"
  }
}

/// A tool whose first call ends only after its second call has ended.
private final class Relay: Tool {
  struct Alone: Error {}

  let description = "Runs in turns"
  private let order = Mutex<[String]>([])

  var finished: [String] { order.withLock { $0 } }

  func call(arguments: String) async throws -> String {
    for _ in 0..<5000 where arguments == "first" && finished.isEmpty {
      try await Task.sleep(for: .milliseconds(1))
    }
    if arguments == "first", finished.isEmpty { throw Alone() }
    order.withLock { $0.append(arguments) }
    return "\(arguments) done"
  }
}

@Suite("Sessions")
struct SessionTests {
  @Test("a prompt gets a text response, and both are added to the transcript")
  func text() async throws {
    let model = ScriptedModel(ScriptedModel.text("Good ", "day"))
    let session = LanguageModelSession(model: model, instructions: "Be polite.")
    let response = try await session.respond(to: "Hello", options: .init(sampling: .greedy))
    #expect(response.content == "Good day")
    #expect(!session.isResponding)
    #expect(
      session.transcript.map(\.description)
        == ["(Instructions) Be polite.", "(Prompt) Hello", "(Response) Good day"])
    #expect(response.transcriptEntries.map(\.id) == [session.transcript[2].id])
    #expect(model.requests[0].generationOptions.sampling == .greedy)
    #expect(model.requests[0].systemText == "Be polite.")
  }

  @Test("a request for a type sends its schema, and the response becomes a value of the type")
  func generating() async throws {
    let model = ScriptedModel(ScriptedModel.text(#"{"name": "Lom", "#, #""beds": 20}"#))
    let session = LanguageModelSession(model: model) { "Answer." }
    let response = try await session.respond(to: "Where?", generating: Hut.self)
    #expect(response.content == Hut(name: "Lom", beds: 20))
    #expect(response.rawContent.jsonString == #"{"name": "Lom", "beds": 20}"#)
    #expect(model.requests[0].schema == Hut.generationSchema)
    #expect(
      model.requests[0].systemText == """
        Answer.

        Answer with JSON of type Hut.
        Hut { // A place to sleep
          name: string // As on the map
          beds: integer 1...90
        }
        """)
  }

  @Test("an app can leave the schema out of the prompt")
  func schemaInPrompt() async throws {
    let model = ScriptedModel(
      ScriptedModel.text("true"), ScriptedModel.text("true"))
    let session = LanguageModelSession(model: model)
    _ = try await session.respond(
      to: "?", generating: Bool.self, includeSchemaInPrompt: false)
    _ = try await session.respond(
      to: "?", generating: Bool.self,
      contextOptions: ContextOptions(includeSchemaInPrompt: false, reasoningLevel: .light))
    #expect(model.requests.map(\.systemText) == ["", ""])
    #expect(model.requests.map { $0.schema != nil } == [true, true])
    #expect(model.requests[1].contextOptions.reasoningLevel == .light)
  }

  @Test("each snapshot of a stream contains everything that has been generated so far")
  func stream() async throws {
    let model = ScriptedModel(
      ScriptedModel.text(#"{"na"#, #"me": "Lo"#, #"m", "beds": 2"#, "0}"))
    let session = LanguageModelSession(model: model)
    let stream = session.streamResponse(to: "Where?", generating: Hut.self)
    var names: [String?] = []
    var beds: [Int?] = []
    for try await snapshot in stream {
      names.append(snapshot.content.name)
      beds.append(snapshot.content.beds)
    }
    #expect(names == [nil, "Lo", "Lom", "Lom", "Lom"])
    #expect(beds == [nil, nil, 2, 20, 20])
    let response = try await stream.collect()
    #expect(response.content == Hut(name: "Lom", beds: 20))
  }

  @Test(
    "if a response stops early, the request throws, and the session reverts the transcript")
  func truncation() async throws {
    let model = ScriptedModel(ScriptedModel.text(#"{"name": "Lo"#), ScriptedModel.text("ok"))
    let session = LanguageModelSession(model: model)
    await #expect {
      try await session.respond(to: "Where?", generating: Hut.self)
    } throws: { error in
      (error as? GeneratedContent.ParsingError)?.rawContent == #"{"name": "Lo"#
    }
    #expect(session.transcript.isEmpty)
    #expect(try await session.respond(to: "Again").content == "ok")
  }

  @Test("a preserved transcript keeps the prompt of a failed request")
  func policy() async throws {
    let refusal = LanguageModelError.refusal(.init(explanation: "No.", debugDescription: "refused"))
    let session = LanguageModelSession(model: ScriptedModel([.fail(refusal)]))
    session.transcriptErrorHandlingPolicy = .preserveTranscript
    await #expect {
      try await session.respond(to: "Please")
    } throws: { error in
      if case .refusal(let facts) = error as? LanguageModelError {
        facts.debugDescription == "refused"
      } else {
        false
      }
    }
    #expect(session.transcript.map(\.description) == ["(Prompt) Please"])
  }

  @Test("a tool is called with its arguments, and the model reads its output")
  func tools() async throws {
    let model = ScriptedModel(
      ScriptedModel.call("Weather", #"{"pla"#, #"ce": "Lom"}"#), ScriptedModel.text("Wet."))
    let session = LanguageModelSession(model: model, tools: [Weather()])
    #expect(try await session.respond(to: "Weather?").content == "Wet.")
    #expect(
      session.transcript.map(\.description) == [
        "(Instructions) ", "(Prompt) Weather?", #"(ToolCalls) Weather: {"place": "Lom"}"#,
        "(ToolOutput) Weather: Rain in Lom", "(Response) Wet.",
      ])
    #expect(model.requests[1].transcript.count == 4)
    #expect(model.requests[0].enabledToolDefinitions.map(\.name) == ["Weather"])
  }

  @Test("tools called by one response run concurrently; their outputs keep the order of the calls")
  func concurrentTools() async throws {
    let relay = Relay()
    let model = ScriptedModel(
      ScriptedModel.call("Relay", id: "1", #""first""#)
        + ScriptedModel.call("Relay", id: "2", #""second""#), ScriptedModel.text("Done."))
    let session = LanguageModelSession(model: model, tools: [relay])
    #expect(try await session.respond(to: "Go").content == "Done.")
    #expect(relay.finished == ["second", "first"])
    #expect(
      session.transcript.map(\.description).dropFirst(3) == [
        "(ToolOutput) Relay: first done", "(ToolOutput) Relay: second done", "(Response) Done.",
      ])
  }

  @Test("an error from a tool names the tool; if the tool is unknown, the session tells the model")
  func toolErrors() async throws {
    let failing = ScriptedModel(ScriptedModel.call("Weather", #"{"place": "moon"}"#))
    let session = LanguageModelSession(model: failing, tools: [Weather()])
    await #expect {
      try await session.respond(to: "Weather?")
    } throws: { error in
      let error = error as? LanguageModelSession.ToolCallError
      return error?.tool.name == "Weather" && error?.underlyingError is Weather.Closed
    }
    let unknown = ScriptedModel(ScriptedModel.call("Tide", "{}"), ScriptedModel.text("Sorry."))
    let other = LanguageModelSession(model: unknown, tools: [Weather()])
    #expect(try await other.respond(to: "Tide?").content == "Sorry.")
    #expect(other.transcript[3].description == "(ToolOutput) Tide: There is no tool named Tide.")
  }

  @Test("a session answers one request at a time, and cancelling a request ends it")
  func concurrency() async throws {
    let session = LanguageModelSession(model: ScriptedModel([.wait]))
    let task = Task { try await session.respond(to: "First") }
    while !session.isResponding { await Task.yield() }
    await #expect(throws: LanguageModelSession.Error.concurrentRequests) {
      try await session.respond(to: "Second")
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!session.isResponding)
    #expect(session.transcript.isEmpty)
  }

  @Test(
    "if a stream isn't read to its end, the transcript keeps the part that arrived, as Apple's does",
    arguments: [
      (TranscriptErrorHandlingPolicy?.none, false), (.preserveTranscript, false),
      (.revertTranscript, true),
    ])
  func checkAbandoned(policy: TranscriptErrorHandlingPolicy?, isReverted: Bool) async throws {
    let model = ScriptedModel(ScriptedModel.text("one ") + [.wait], ScriptedModel.text("two"))
    let session = LanguageModelSession(model: model)
    session.transcriptErrorHandlingPolicy = policy
    func readOne() async throws -> String? {
      for try await snapshot in session.streamResponse(to: "Count") { return snapshot.content }
      return nil
    }
    #expect(try await readOne() == "one ")
    while session.isResponding { await Task.yield() }
    #expect(
      session.transcript.map(\.description)
        == (isReverted ? [] : ["(Prompt) Count", "(Response) one "]))
    #expect(try await session.respond(to: "Again").content == "two")
    #expect(session.transcript.count == (isReverted ? 2 : 4))
  }

  @Test("a stream that is abandoned before its first text leaves only the prompt")
  func abandonedEarly() async throws {
    let session = LanguageModelSession(
      model: ScriptedModel([.wait], ScriptedModel.text("two")))
    let task = Task {
      for try await _ in session.streamResponse(to: "Count") {}
    }
    while !session.isResponding { await Task.yield() }
    task.cancel()
    _ = try? await task.value
    while session.isResponding { await Task.yield() }
    #expect(session.transcript.map(\.description) == ["(Prompt) Count"])
    // A request that isn't a stream still reverts.
    let request = Task { try await session.respond(to: "Again") }
    request.cancel()
    _ = try? await request.value
    #expect(session.transcript.count <= 3)
  }

  @Test("iterating over a stream throws the error of the request")
  func streamErrors() async throws {
    let session = LanguageModelSession(
      model: ScriptedModel(ScriptedModel.text(#"{"name": 5, "#) + ScriptedModel.text("]")))
    await #expect(throws: GeneratedContent.ParsingError.self) {
      for try await _ in session.streamResponse(to: "Where?", generating: Hut.self) {}
    }
    await #expect(throws: GeneratedContent.ParsingError.self) {
      try await session.streamResponse(to: "Where?", generating: Hut.self).collect()
    }
  }

  @Test("a request with a schema needs a model that supports guided generation")
  func capability() async throws {
    var model = ScriptedModel(ScriptedModel.text("{}"))
    model.capabilities = LanguageModelCapabilities([])
    let session = LanguageModelSession(model: model)
    await #expect {
      try await session.respond(to: "?", generating: Hut.self)
    } throws: { error in
      if case .unsupportedCapability(let facts) = error as? LanguageModelError {
        facts.capability == .guidedGeneration
      } else {
        false
      }
    }
    #expect(model.requests.isEmpty)
  }

  @Test("a session adds up the tokens of all its requests")
  func usage() async throws {
    func counted(_ input: Int, _ output: Int) -> [ScriptedModel.Step] {
      ScriptedModel.text("a") + [
        .send(
          .response(
            action: .updateUsage(
              input: .init(totalTokenCount: input, cachedTokenCount: 0),
              output: .init(totalTokenCount: output, reasoningTokenCount: 0))))
      ]
    }
    let session = LanguageModelSession(model: ScriptedModel(counted(3, 4), counted(10, 20)))
    #expect(try await session.respond(to: "?").usage.totalTokenCount == 7)
    _ = try await session.respond(to: "?")
    #expect(session.usage.totalTokenCount == 37)
  }
}
