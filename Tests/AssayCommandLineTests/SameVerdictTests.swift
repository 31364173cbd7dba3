import EvalRecords
import FaultServer
import ResultStore
import StructuredText
import Testing

@testable import AssayCommandLine

/// Tests that a text gets the same verdict from a server and from an imported log.
@Suite("The same text from a server and from a log", .timeLimit(.minutes(10)))
struct SameVerdictTests {
  /// What decides about one answer.
  private struct Judged: Equatable, Sendable {
    var outcome: Outcome
    var failure: AttemptFailure?
    var verdicts: [Verdict]
    var output: String

    init(_ attempt: AttemptRecord) {
      outcome = attempt.outcome
      failure = attempt.failure
      verdicts = attempt.verdicts.map(\.verdict)
      output = attempt.output
    }
  }

  private static let note = """
    { title: Note, type: object, additionalProperties: false, required: [tag],
      properties: { tag: { type: string, enum: [A1, b2] }, note: { type: string },
        more: { anyOf: [ { type: string }, { type: "null" } ] } } }
    """

  @Test(
    "a text gets the same verdict from a server and from a log, and stays as it came",
    arguments: [
      (
        note, "$.tag",
        [
          #"{"tag":"A1"}"#, #"{"tag":"a1"}"#, #"{"tag":"B2"}"#, #"{"tag":"A1","note":null}"#,
          #"{"tag":"A1","more":null}"#, #"{"tag":null}"#, #"{"tag":"A1","x":1}"#,
          "```json\n{\"tag\":\"A1\"}\n```", #"Sure: {"tag":"A1"}"#, "  {\"tag\": \"A1\"}\n",
          #"{"tag":"A1","tag":"A1"}"#, #"{"value":{"tag":"A1"}}"#, #"{"tag":"A1""#, "null", "[]",
        ]
      ),
      ("{ type: string }", "$", ["plain", #""quoted""#, #"{"a":1}"#, "12", "null", #""open"#]),
    ])
  func checkRoutes(schema: String, path: String, texts: [String]) async throws {
    let lab = try CommandLab()
    let cases = texts.indices.map { "  - { id: c\($0), input: case-\($0)- }\n" }.joined()
    try lab.write(
      "suite: same\ngenerates:\n  inline: \(schema)\n"
        + "assertions: [ { not: { contains: { path: \(path), text: b } } } ]\ncases:\n\(cases)",
      to: "evals/same/suite.yaml")
    let server = try FaultServer { request, _ in
      let text = texts.indices.first { request.body.contains("case-\($0)-") }.map { texts[$0] }
      let message: JSONValue = ["content": .string(text ?? "")]
      let body: JSONValue = ["choices": [["finish_reason": "stop", "message": message]]]
      return .reply(200, body.compactText)
    }
    defer { server.stop() }
    let lines = texts.enumerated().map { index, text in
      JSONValue.object(["input": .string("case-\(index)-"), "output": .string(text)]).compactText
    }
    try lab.write(lines.joined(separator: "\n"), to: "log.jsonl")
    _ = await lab.run([
      "run", lab.path("evals/same"), "-b", "openai-api:m@\(server.url)", "--reports", lab.reports,
    ])
    _ = await lab.run([
      "import", lab.path("log.jsonl"), "--suites", lab.path("evals/same"), "--reports",
      lab.reports,
    ])
    let store = try ResultStore(path: lab.database)
    func results(_ run: Int) throws -> [String: Judged] {
      let attempts = try store.attempts(run: run)
      return Dictionary(uniqueKeysWithValues: attempts.map { ($0.key.caseID, Judged($0)) })
    }
    let served = try results(1)
    #expect(served.count == texts.count)
    #expect(try results(2) == served)
    for (index, text) in texts.enumerated() { #expect(served["c\(index)"]?.output == text) }
  }
}
