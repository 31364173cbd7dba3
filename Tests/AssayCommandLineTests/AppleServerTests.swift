import EvalRecords
import FaultServer
import Foundation
import ResultStore
import StructuredText
import Testing

@testable import AssayCommandLine

/// Runs suites on stand-ins for `fm serve`, which do what public notes say about it.
@Suite("Apple's own server", .timeLimit(.minutes(10)))
struct AppleServerTests {
  private static let system = ["ASSAY_APPLE_SYSTEM": "Version 27.0.1 (Build 26A434)"]
  private static let cases = [
    ("owls", "Owls hear well."), ("octopus", "An octopus has three hearts."),
    ("tides", "The tides come twice a day."), ("ice", "Ice floats."),
  ]

  private func lab() throws -> CommandLab {
    let lab = try CommandLab()
    try QuizSuite(repeats: 2, passRate: 0.5, cases: Self.cases).write(to: lab)
    return lab
  }

  private func run(
    _ lab: CommandLab, _ server: FaultServer, _ more: [String] = [],
    environment: [String: String] = system
  ) async -> CommandLab.Ending {
    await lab.run(
      ["run", lab.path("quiz"), "-b", "apple@\(server.url)", "--reports", lab.reports] + more,
      environment: environment)
  }

  @Test(
    "a run has answers, and failures of the model that cost one request each",
    arguments: [FaultServer.AppleManner.strict, .lenient])
  func checkRun(manner: FaultServer.AppleManner) async throws {
    let server = try FaultServer.apple(manner)
    defer { server.stop() }
    let lab = try lab()
    let ending = await run(lab, server)
    #expect(ending.status == .passed, "\(ending.output)\(ending.notes)")
    let store = try ResultStore(path: lab.database, access: .reading)
    let attempts = try store.attempts(run: 1)
    let expected: [String: (AttemptFailure.Kind?, StopReason, Outcome)] = [
      "owls": (nil, .complete, .pass), "ice": (nil, .complete, .pass),
      "octopus": (.refusal, .refusal, .fail), "tides": (.contextSizeExceeded, .contextFull, .fail),
    ]
    #expect(attempts.count == 8)
    for attempt in attempts {
      let wanted = try #require(expected[attempt.key.caseID])
      #expect(attempt.failure?.kind == wanted.0, "\(attempt.failure?.message ?? "")")
      #expect(attempt.stopReason == wanted.1)
      #expect(attempt.outcome == wanted.2)
      #expect(attempt.details.earlierTries == nil)
    }
    let use = try #require(try store.run(1).details.served?["apple"])
    #expect(use.requests == 8)
    #expect(use.retries == 0)
    #expect(use.mostAtOnce == 1)
    #expect(use.models == ["system": 4])
    #expect(use.fingerprints == ["Version 27.0.1 (Build 26A434)": 4])
    let bodies = server.requests.filter { $0.method == "POST" }.map(\.body)
    for body in bodies {
      let sent = try JSONValue(parsing: body)
      #expect(sent["stream"] == false)
      #expect(sent["max_completion_tokens"] != nil)
      #expect(sent["max_tokens"] == nil)
      #expect(sent["model"] == "system")
    }
    let asked = try #require(bodies.last { $0.contains("QuizBook") })
    let schema = try JSONValue(parsing: asked)["response_format"]?["json_schema"]?["schema"]
    #expect(schema?["x-order"] == ["pairs"])
  }

  @Test("a comparison names a changed system in its first line, and compares")
  func changedSystem() async throws {
    let server = try FaultServer.apple(.strict)
    defer { server.stop() }
    let lab = try lab()
    let new = "Version 27.1 (Build 26B100)"
    #expect(await run(lab, server).status == .passed)
    #expect(await lab.assay("baseline", "accept", "1", "--reason", "good").status == .passed)
    let same = await run(lab, server)
    #expect(same.status == .passed, "\(same.output)\(same.notes)")
    #expect(!same.output.contains("changed by itself"))
    let updated = await run(lab, server, environment: ["ASSAY_APPLE_SYSTEM": new])
    #expect(updated.status == .passed, "\(updated.output)\(updated.notes)")
    #expect(
      updated.output.contains(
        "On apple, the system changed by itself, Version 27.0.1 (Build 26A434) → \(new)"),
      "\(updated.output)")
  }

  @Test("a run says that an update of an unknown system goes unnoticed")
  func unknownSystem() async throws {
    let server = try FaultServer.apple(.lenient)
    defer { server.stop() }
    let lab = try lab()
    let cases: [([String: String], Bool)] = [([:], false), (Self.system, true)]
    for (environment, isKnown) in cases {
      let ending = await run(lab, server, environment: environment)
      #expect(ending.notes.contains("set ASSAY_APPLE_SYSTEM") != isKnown, "\(ending.notes)")
    }
  }

  @Test("the doctor says what is missing")
  func doctor() async throws {
    let server = try FaultServer.apple(.strict)
    let lab = try lab()
    let name = "apple@\(server.url)"
    let whole = await lab.run(["doctor", "-b", name], environment: Self.system)
    #expect(whole.status == .passed, "\(whole.notes)")
    #expect(whole.output.contains("Version 27.0.1 (Build 26A434)"))
    #expect(whole.output.contains("  nothing\n"), "\(whole.output)")
    let unnamed = await lab.run(["doctor", "-b", name], environment: [:])
    #expect(unnamed.output.contains("set ASSAY_APPLE_SYSTEM"), "\(unnamed.output)")
    #expect(unnamed.output.contains("an unknown system"), "\(unnamed.output)")
    server.stop()
    let absent = await lab.run(["doctor", "-b", "apple@http://127.0.0.1:9"], environment: [:])
    #expect(absent.status == .cannotRun)
    for words in ["fm serve", "sudo fm license", "ssh -L 1976:127.0.0.1:1976"] {
      #expect(absent.output.contains(words), "\(absent.output)")
    }
    let asleep = try FaultServer { request, _ in
      request.method == "GET"
        ? .reply(200, #"{"models":[{"available":false,"name":"system"}]}"#)
        : .reply(500, #"{"error":{"message":"Model assets are unavailable."}}"#)
    }
    defer { asleep.stop() }
    let ending = await lab.run(["doctor", "-b", "apple@\(asleep.url)"], environment: Self.system)
    #expect(ending.output.contains("turn on Apple Intelligence"), "\(ending.output)")
  }

  @Test("a schema that the server would refuse or never answer is refused before a request")
  func refusedSchema() async throws {
    let server = try FaultServer.apple(.lenient)
    defer { server.stop() }
    let lab = try CommandLab()
    for (name, schema, words) in [
      (
        "loop",
        ##"{"title":"Tree","type":"object","properties":{"next":{"$ref":"#/$defs/Node"}},"##
          + ##""required":["next"],"additionalProperties":false,"x-order":["next"],"$defs":{"Node":"##
          + ##"{"title":"Node","type":"object","properties":{"next":{"$ref":"#/$defs/Node"}},"##
          + ##""required":[],"additionalProperties":false,"x-order":["next"]}}}"##,
        "refuses a type that contains itself"
      ),
      (
        "nothing",
        #"{"title":"Note","type":"object","properties":{"text":{"anyOf":[{"type":"string"},"#
          + #"{"type":"null"}]}},"required":["text"],"additionalProperties":false,"#
          + #""x-order":["text"]}"#, "refuses a value that can be null"
      ),
    ] {
      try lab.write(schema, to: "\(name)/schema.json")
      try lab.write(
        """
        suite: \(name)
        title: A schema
        guards: Nothing.
        generates: { schema: schema.json }
        gate: { passRate: 0 }
        assertions:
          - present: { path: $ }
        cases:
          - { id: one, input: Go. }

        """, to: "\(name)/suite.yaml")
      let ending = await lab.run(
        ["run", lab.path(name), "-b", "apple@\(server.url)", "--reports", lab.reports],
        environment: Self.system)
      let store = try ResultStore(path: lab.database, access: .reading)
      let id = try #require(try store.runIDs().max(), "\(ending.notes)")
      let attempt = try #require(try store.attempts(run: id).first)
      #expect(attempt.failure?.kind == .unsupportedGenerationGuide)
      #expect(attempt.failure?.message.contains(words) == true, "\(attempt)")
    }
    // Only the test of the server asks for something.
    #expect(!server.requests.contains { $0.body.contains("Tree") || $0.body.contains("Note") })
  }
}
