import GuidedGeneration
import LanguageModelSessions
import Synchronization
import Testing

extension SessionPropertyValues {
  @SessionPropertyEntry fileprivate var mode: String = "plan"
  @SessionPropertyEntry fileprivate var callCount = 0
  @SessionPropertyEntry fileprivate var guest: String?
}

/// A log of events, in the order in which they happened.
private final class Log: Sendable {
  private let lines = Mutex<[String]>([])

  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
}

private struct Switch: Tool {
  @Generable
  struct Arguments {
    var mode: String
  }

  let description = "Changes the mode"
  @SessionProperty(\.mode) var mode

  func call(arguments: Arguments) async throws -> String {
    mode = arguments.mode
    return "done"
  }
}

private struct Rules: DynamicInstructions {
  let words: [String]
  @SessionProperty(\.guest) var guest

  var body: some DynamicInstructions {
    ForEach(words, id: \.self) { word in Instructions("Say \(word).") }
    if let guest { Instructions("Greet \(guest).") }
    if words.isEmpty {
      Instructions("Say anything.")
    } else {
      EmptyDynamicInstructions()
    }
  }
}

private struct Terse: LanguageModelSession.DynamicProfileModifier {
  func body(content: Content) -> some DynamicProfile { content.maximumResponseTokens(5) }
}

private struct Modes: LanguageModelSession.DynamicProfile {
  let first: ScriptedModel
  let second: ScriptedModel
  let log: Log
  @SessionProperty(\.mode) var mode

  var body: some DynamicProfile {
    if mode == "plan" {
      Profile {
        Rules(words: ["plan"])
        Switch()
      }
      .model(first)
      .temperature(0.2)
      .onActivate { log.add("plan begins") }
      .onActivate { log.add("plan goes on") }
      .onDeactivate { log.add("plan ends") }
    } else {
      Profile { Instructions { "Write." } }
        .model(second)
        .temperature(0.7)
        .temperature(0.9)
        .modifier(Terse())
        .onActivate { log.add("write begins") }
    }
  }
}

@Suite("Profiles of sessions")
struct ProfileTests {
  @Test("a tool that changes a session's property changes the profile of the next request")
  func switching() async throws {
    let log = Log()
    let first = ScriptedModel(ScriptedModel.call("Switch", #"{"mode": "write"}"#))
    let second = ScriptedModel(ScriptedModel.text("Once."))
    let session = LanguageModelSession(
      profile: Modes(first: first, second: second, log: log))
    let response = try await session.respond(to: "Go", options: .init(sampling: .greedy))
    #expect(response.content == "Once.")
    #expect(session.properties.mode == "write")
    #expect(log.all == ["plan begins", "plan goes on", "plan ends", "write begins"])
    let plan = try #require(first.requests.first)
    #expect(plan.systemText == "Say plan.")
    #expect(plan.enabledToolDefinitions.map(\.name) == ["Switch"])
    #expect(plan.generationOptions == GenerationOptions(sampling: .greedy, temperature: 0.2))
    let write = try #require(second.requests.first)
    #expect(write.systemText == "Write.")
    #expect(write.enabledToolDefinitions.isEmpty)
    // The inner modifier wins.
    #expect(
      write.generationOptions
        == GenerationOptions(sampling: .greedy, temperature: 0.7, maximumResponseTokens: 5))
    #expect(
      session.transcript.map(\.description) == [
        "(Instructions) Write.", "(Prompt) Go", #"(ToolCalls) Switch: {"mode": "write"}"#,
        "(ToolOutput) Switch: done", "(Response) Once.",
      ])
  }

  @Test("each request evaluates the instructions again and keeps the initial history")
  func instructions() async throws {
    let model = ScriptedModel(ScriptedModel.text("a"), ScriptedModel.text("b"))
    let session = LanguageModelSession(
      model: model, dynamicInstructions: Rules(words: ["x", "y"]),
      history: [.prompt(.init(segments: [.text(.init(content: "Before"))]))])
    _ = try await session.respond(to: "1")
    let id = session.transcript[0].id
    session.properties.guest = "Ada"
    _ = try await session.respond(to: "2")
    #expect(model.requests.map(\.systemText) == ["Say x.\nSay y.", "Say x.\nSay y.\nGreet Ada."])
    #expect(session.transcript.map(\.description)[1] == "(Prompt) Before")
    #expect(session.transcript[0].id != id)
  }

  @Test("a history transform changes only what the model reads, and the transcript stays complete")
  func history() async throws {
    let model = ScriptedModel(
      ScriptedModel.text("a"), ScriptedModel.text("b"), ScriptedModel.text("c"))
    let session = LanguageModelSession(
      profile: LanguageModelSession.Profile { Instructions("Be brief.") }
        .model(model)
        .historyTransform { $0.suffix(1) })
    for prompt in ["1", "2", "3"] { _ = try await session.respond(to: prompt) }
    #expect(
      model.requests[2].transcript.map(\.description) == ["(Instructions) Be brief.", "(Prompt) 3"])
    #expect(session.transcript.count == 7)
    #expect(session.history.count == 6)
  }

  @Test("event handlers run in order, and can change the history permanently")
  func events() async throws {
    let log = Log()
    let model = ScriptedModel(
      ScriptedModel.call("Switch", #"{"mode": "x"}"#), ScriptedModel.text("Done."),
      ScriptedModel.text("Again."))
    let session = LanguageModelSession(profile: Watched(model: model, log: log))
    _ = try await session.respond(to: "Go")
    #expect(log.all == ["prompt", "call Switch", "output done", "response Done., 1 calls"])
    #expect(session.history.map(\.description) == ["(Response) Done."])
    _ = try await session.respond(to: "On")
    #expect(session.transcript.map(\.description).dropFirst() == ["(Response) Again."])
  }

  @Test(
    "an error from an event handler ends the request; the policy decides whether the prompt stays")
  func failure() async throws {
    struct Stop: Error {}
    let model = ScriptedModel(ScriptedModel.text("a"))
    func session(_ policy: TranscriptErrorHandlingPolicy?) -> LanguageModelSession {
      LanguageModelSession(
        profile: LanguageModelSession.Profile { Instructions("Be brief.") }
          .model(model).onPrompt { throw Stop() }.transcriptErrorHandlingPolicy(policy))
    }
    let reverting = session(nil)
    await #expect(throws: Stop.self) { try await reverting.respond(to: "Go") }
    #expect(reverting.history.isEmpty)
    let preserving = session(.preserveTranscript)
    await #expect(throws: Stop.self) { try await preserving.respond(to: "Go") }
    #expect(preserving.history.map(\.description) == ["(Prompt) Go"])
    #expect(model.requests.isEmpty)
    #expect(!preserving.isResponding)
  }

  @Test("setting the transcript during a request ends the request and keeps the new transcript")
  func mutation() async throws {
    let isSet = Mutex(false)
    let model = ScriptedModel([.until { isSet.withLock(\.self) }] + ScriptedModel.text("Hi"))
    let session = LanguageModelSession(model: model)
    let task = Task { try await session.respond(to: "First") }
    while session.transcript.isEmpty { await Task.yield() }
    let own = Transcript(entries: [
      .prompt(.init(segments: [.text(.init(content: "Mine"))]))
    ])
    session.transcript = own
    isSet.withLock { $0 = true }
    await #expect(throws: LanguageModelSession.Error.transcriptMutationWhileResponding) {
      try await task.value
    }
    #expect(session.transcript == own)
    #expect(!session.isResponding)
  }

  @Test("outside a session, a session property always has its default value")
  func outside() {
    let tool = Switch()
    tool.mode = "lost"
    #expect(tool.mode == "plan")
  }
}

private struct Watched: LanguageModelSession.DynamicProfile {
  let model: ScriptedModel
  let log: Log
  @SessionProperty(\.callCount) var callCount
  @SessionProperty(\.history) var history

  var body: some DynamicProfile {
    Profile {
      Instructions("Watch.")
      Switch()
    }
    .model(model)
    .onPrompt { log.add("prompt") }
    .onToolCall { call in
      callCount += 1
      log.add("call \(call.toolName)")
    }
    .onToolOutput { _, output in log.add("output \(output.segments.first?.description ?? "")") }
    .onResponse { response in
      log.add("response \(response.segments.first?.description ?? ""), \(callCount) calls")
      history = history.suffix(1)
    }
  }
}
