import Backends
import EvalRecords
import Foundation
import GuidedGeneration
import LanguageModelSessions
import StructuredText
import Testing

@Generable
private struct Soup: Equatable {
  var name: String
  @Guide(.range(1...9))
  var plates: Int
}

private struct Stock: Tool {
  @Generable
  struct Arguments {
    var item: String
  }

  let name = "stock"
  let description = "Says how much is left"

  func call(arguments: Arguments) async throws -> String { "7 of \(arguments.item)" }
}

private struct Closed: Tool {
  struct Shut: Error {}

  let description = "Opens the door"

  func call(arguments: Bool) async throws -> String { throw Shut() }
}

@Suite("Backends in sessions")
struct BackendSessionTests {
  private func model(_ contents: JSONValue...) -> BackendLanguageModel {
    BackendLanguageModel(
      StubBackend(),
      script: StubScript(choice: .sequence, entries: contents.map { .init(content: $0) }))
  }

  @Test("a stub answers with its scripted values and texts, one after another")
  func stub() async throws {
    let session = LanguageModelSession(
      model: model(["name": "Leek", "plates": 2], "Bon appétit", ["name": "Pea", "plates": 3]))
    #expect(
      try await session.respond(to: "?", generating: Soup.self).content
        == Soup(name: "Leek", plates: 2))
    #expect(try await session.respond(to: "And?").content == "Bon appétit")
    #expect(
      try await session.respond(to: "?", generating: Soup.self).content
        == Soup(name: "Pea", plates: 3))
    #expect(session.transcript.count == 6)
  }

  @Test("the backend chooses between a tool call and an answer, and the session calls the tool")
  func tools() async throws {
    let session = LanguageModelSession(
      model: model(
        ["type": "stock", "arguments": ["item": "leeks"]],
        ["type": "answer", "value": ["name": "Leek", "plates": 7]]),
      tools: [Stock()])
    let response = try await session.respond(to: "?", generating: Soup.self)
    #expect(response.content == Soup(name: "Leek", plates: 7))
    #expect(
      session.transcript.map(\.description).dropFirst() == [
        "(Prompt) ?", #"(ToolCalls) stock: {"item": "leeks"}"#, "(ToolOutput) stock: 7 of leeks",
        #"(Response) {"name": "Leek", "plates": 7}"#,
      ])
  }

  @Test("a backend's failures become the session's errors")
  func failures() async throws {
    func error(_ fault: StubScript.Fault) async -> (any Error)? {
      let script = StubScript(
        choice: .sequence, entries: [.init(content: ["name": "Leek", "plates": 2], fault: fault)])
      let session = LanguageModelSession(model: BackendLanguageModel(StubBackend(), script: script))
      do {
        _ = try await session.respond(to: "?", generating: Soup.self)
        return nil
      } catch {
        #expect(session.transcript.isEmpty)
        return error
      }
    }
    guard case .refusal = await error(.refusal) as? LanguageModelError,
      case .timeout = await error(.timeout) as? LanguageModelError
    else {
      Issue.record("a refusal and a timeout must be errors of type `LanguageModelError`")
      return
    }
    let truncated = await error(.truncation) as? GeneratedContent.ParsingError
    #expect(truncated?.rawContent == #"{"name":"Leek"#)
    #expect(await error(.malformed) is GeneratedContent.ParsingError)
    #expect((await error(.error) as? AttemptFailure)?.kind == .backend)
  }

  static let modelPath = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("evals/models/assay-toy.gguf").path

  @Test("the bundled model answers with values and tool calls, and equal seeds give equal values")
  func local() async throws {
    let options = GenerationOptions(
      sampling: .random(probabilityThreshold: 1, seed: 4), maximumResponseTokens: 60)
    func soup() async throws -> Soup {
      let model = try LocalLanguageModel(path: Self.modelPath)
      let session = LanguageModelSession(model: model, instructions: "You plan meals.")
      return try await session.respond(
        to: "The cook made pea soup.", generating: Soup.self, options: options
      ).content
    }
    let first = try await soup()
    #expect((1...9).contains(first.plates))
    #expect(try await soup() == first)
    let model = try LocalLanguageModel(path: Self.modelPath)
    #expect(model.tokenCount(of: "The cook made pea soup.") > 3)
    let session = LanguageModelSession(model: model, tools: [Closed()])
    let required = GenerationOptions(
      samplingMode: .greedy, maximumResponseTokens: 60, toolCallingMode: .required)
    await #expect(throws: LanguageModelSession.ToolCallError.self) {
      try await session.respond(to: "How many leeks?", options: required)
    }
  }
}
