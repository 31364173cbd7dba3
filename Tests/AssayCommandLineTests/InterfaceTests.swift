import EvalRecords
import FaultServer
import Foundation
import ResultStore
import StructuredText
import Testing

@testable import AssayCommandLine

/// Runs three suites through the interfaces of several vendors.
///
/// One suite asks for an object, one for a list, and one for an enum with payloads. The server
/// replies with the stub's answers, in the format of each interface.
@Suite("Suites on the interfaces of several vendors", .timeLimit(.minutes(10)))
struct InterfaceTests {
  /// An interface, the form of its responses, and the place of the schema in its requests.
  struct Interface: Sendable {
    var name: String
    var path: String
    var keyVariable: String
    var response: @Sendable (String) -> JSONValue
    var schema: @Sendable (JSONValue) -> JSONValue?
  }

  static let interfaces = [
    Interface(name: "openai", path: "/v1", keyVariable: "OPENAI_API_KEY") {
      [
        "model": "m",
        "choices": [["finish_reason": "stop", "message": ["content": .string($0)]]],
      ]
    } schema: {
      $0["response_format"]?["json_schema"]?["schema"]
    },
    Interface(name: "anthropic", path: "", keyVariable: "ANTHROPIC_API_KEY") {
      [
        "model": "m", "stop_reason": "end_turn",
        "content": [["type": "text", "text": .string($0)]],
      ]
    } schema: {
      $0["output_config"]?["format"]?["schema"]
    },
    Interface(name: "google", path: "/v1beta", keyVariable: "GEMINI_API_KEY") {
      [
        "modelVersion": "m",
        "candidates": [
          ["finishReason": "STOP", "content": ["parts": [["text": .string($0)]]]]
        ],
      ]
    } schema: {
      $0["generationConfig"]?["responseJsonSchema"]
    },
    Interface(name: "vllm", path: "/v1", keyVariable: "ASSAY_SERVER_KEY") {
      [
        "model": "m",
        "choices": [["finish_reason": "stop", "message": ["content": .string($0)]]],
      ]
    } schema: { _ in
      nil
    },
  ]
  static let suites = ["extracted-meeting", "flashcards", "session-insight"]

  /// Returns the stub's first answer to each test case, keyed by the test case's input.
  private func answers(_ suite: String, in lab: CommandLab) async throws -> [String: String] {
    let run = await lab.run([
      "run", Checkout.suites.appendingPathComponent(suite).path, "-b", "stub", "-r", "1",
      "--reports", lab.path("stub"),
    ])
    #expect(run.status == .passed, "\(run.notes)")
    let store = try ResultStore(path: lab.path("stub/results.sqlite"), access: .reading)
    let attempts = try store.attempts(run: 1)
    let outputs = Dictionary(
      attempts.map { ($0.key.caseID, $0.output) }, uniquingKeysWith: { first, _ in first })
    var answers: [String: String] = [:]
    for record in try store.run(1).suites.flatMap(\.cases) {
      let input = try #require(record.variables["input"]?.string)
      answers[input] = outputs[record.id]
    }
    return answers
  }

  @Test(
    "a suite passes on every interface if the server answers in the interface's format",
    arguments: interfaces.indices, suites)
  func checkInterface(_ index: Int, suite: String) async throws {
    let interface = Self.interfaces[index]
    let lab = try CommandLab()
    let answers = try await answers(suite, in: lab)
    let server = try FaultServer { request, _ in
      let body = (try? JSONValue(parsing: request.body)) ?? .null
      let texts = body.strings
      let input = answers.keys.first { input in texts.contains { $0.contains(input) } }
      guard let answer = input.flatMap({ answers[$0] }) else { return .reply(400, "{}") }
      // OpenAI allows no union at the root, so the request wraps the schema in a property.
      let isWrapped = interface.schema(body)?["properties"]?.object?.keys == ["value"]
      let text = isWrapped ? #"{"value":\#(answer)}"# : answer
      return .reply(200, interface.response(text).compactText)
    }
    defer { server.stop() }
    try lab.write(
      "models: { far: { server: '\(interface.name):m@\(server.url)\(interface.path)', "
        + "probe: false } }", to: "evals/assay.yaml")
    let folder = Checkout.suites.appendingPathComponent(suite)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      try lab.write(
        Data(contentsOf: folder.appendingPathComponent(name)), to: "evals/\(suite)/\(name)")
    }
    let run = await lab.run(
      [
        "run", lab.path("evals/\(suite)"), "-b", "far", "-r", "1", "--reports", lab.reports,
      ], environment: [interface.keyVariable: "k"])
    let attempts = try ResultStore(path: lab.database, access: .reading).attempts(run: 1)
    #expect(attempts.count == answers.count)
    for attempt in attempts {
      #expect(attempt.outcome == .pass, "\(attempt.key) \(String(describing: attempt.failure))")
    }
    #expect(run.status == .passed, "\(run.notes)")
  }
}

extension JSONValue {
  /// All strings in the value.
  fileprivate var strings: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(\.strings)
    case .object(let members): members.members.flatMap(\.value.strings)
    default: []
    }
  }
}
