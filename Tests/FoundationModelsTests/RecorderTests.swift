import Backends
import EvalRecords
import Foundation
import FoundationModels
import StructuredText
import TestSupport
import Testing

@Generable(description: "A study card")
private struct RecordedCard {
  @Guide(description: "One question") var question: String
  @Guide(description: "Its answer", .anyOf(["yes", "no"])) var answer: String
}

/// A backend that refuses every request.
private struct RefusingBackend: EvalBackend {
  let record = BackendRecord(id: "r", model: "r", engine: "r", isDeterministic: true)

  func answers(
    to request: BackendRequest, repeats: [RepeatSeed]
  ) -> AsyncStream<BackendAnswer> {
    AsyncStream { continuation in
      for seed in repeats {
        continuation.yield(
          BackendAnswer(
            repeatSeed: seed, output: "", stopReason: .refusal,
            failure: AttemptFailure(kind: .refusal, message: "I won't.")))
      }
      continuation.finish()
    }
  }
}

/// The recorder for an app's tests, as it stands in `docs/apple`, on the toy model.
@Suite("The recorder for an app's tests", .serialized)
struct RecorderTests {
  private let temporary: TemporaryFolder
  private var folder: URL { temporary.url }

  init() throws { temporary = try TemporaryFolder() }

  private func prompts(_ names: [String]) throws -> URL {
    let schema = String(
      decoding: try JSONEncoder().encode(RecordedCard.generationSchema), as: UTF8.self)
    let lines = names.map { name in
      """
      {"suite":"cards","variant":"default","case":"\(name)","prompt":"\(name) gets stale.",\
      "instructions":"You write cards.","schema":\(schema),"includeSchemaInPrompt":true,\
      "options":{"maximumResponseTokens":60,"temperature":0.7},\
      "seeds":[18446744073709551615,7]}
      """
    }
    let file = folder.appendingPathComponent("prompts.jsonl")
    try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: file)
    return file
  }

  private func lines(_ file: URL) throws -> [JSONValue] {
    try String(decoding: Data(contentsOf: file), as: UTF8.self).split(separator: "\n")
      .map { try JSONValue(parsing: String($0)) }
  }

  @Test("it writes a line for each attempt, continues after an interruption, and keeps failures")
  func record() async throws {
    let prompts = try prompts(["Bread", "Rice"])
    let answers = folder.appendingPathComponent("recordings/a.jsonl")
    // The system's model belongs to the whole process, so this test doesn't touch it.
    let toy = try LocalLanguageModel(path: LocalModelTests.path)
    func recorder(sessions: Int? = nil) -> AssayRecorder {
      AssayRecorder(
        makeSession: { LanguageModelSession(model: toy, instructions: $0) }, sessions: sessions)
    }
    #expect(try await recorder().record(prompts, to: answers) == 4)
    let written = try lines(answers)
    #expect(written.map { $0["case"]?.string } == ["Bread", "Bread", "Rice", "Rice"])
    #expect(written.map { $0["repeat"]?.int } == [0, 1, 0, 1])
    #expect(written[0]["options"]?["seed"]?.number?.text == "18446744073709551615")
    for line in written {
      #expect(line["model"]?.string?.isEmpty == false)
      #expect(line["system"]?.string == ProcessInfo.processInfo.operatingSystemVersionString)
      #expect(line["prompt"]?.string?.hasSuffix("gets stale.") == true)
      #expect((line["seconds"]?.double ?? 0) > 0)
      let isAnswered = line["output"]?.string != nil
      #expect(isAnswered == (line["failure"] == nil))
      if isAnswered { #expect((line["usage"]?["output"]?.int ?? 0) > 0) }
    }
    // The same seed gives the same answer, and another seed can give another one.
    let again = folder.appendingPathComponent("b.jsonl")
    #expect(try await recorder(sessions: 1).record(prompts, to: again) == 2)
    #expect(try lines(again)[0]["output"] == written[0]["output"])

    // A killed test leaves a part of a line: it is removed, and the attempt is made again.
    let whole = try Data(contentsOf: answers)
    try whole.prefix(whole.count - 20).write(to: answers)
    #expect(try await recorder().record(prompts, to: answers) == 1)
    #expect(try lines(answers).map { $0["repeat"]?.int } == [0, 1, 0, 1])
    #expect(try await recorder().record(prompts, to: answers) == 0)

    let refusing = BackendLanguageModel(RefusingBackend())
    let refused = folder.appendingPathComponent("c.jsonl")
    let refusals = AssayRecorder(
      makeSession: { LanguageModelSession(model: refusing, instructions: $0) }, sessions: 1)
    #expect(try await refusals.record(prompts, to: refused) == 2)
    for line in try lines(refused) {
      #expect(line["output"] == .null)
      #expect(line["failure"]?["kind"]?.string == "refusal")
      #expect(line["failure"]?["message"]?.string == "I won't.")
    }
  }

  @Test("a line that isn't a prompt is named, and blank lines and carriage returns don't matter")
  func badLine() async throws {
    let prompts = try prompts(["Bread"])
    let text = String(decoding: try Data(contentsOf: prompts), as: UTF8.self)
    let refusing = BackendLanguageModel(RefusingBackend())
    let recorder = AssayRecorder(
      makeSession: { LanguageModelSession(model: refusing, instructions: $0) }, sessions: 1)
    let answers = folder.appendingPathComponent("a.jsonl")
    try Data(("\n" + text.replacing("\n", with: "\r\n") + " \n").utf8).write(to: prompts)
    #expect(try await recorder.record(prompts, to: answers) == 1)
    try Data((text + "\n{\"suite\": 3}\n").utf8).write(to: prompts)
    await #expect {
      try await recorder.record(prompts, to: answers)
    } throws: { error in
      "\(error)".hasPrefix("prompts.jsonl:3: this isn't a line of `assay list --prompts`: ")
    }
  }

  @Test("it writes the schemas of types, which read back as the same schemas")
  func schemas() throws {
    try AssayRecorder.write(schemasOf: [RecordedCard.self], to: folder)
    let data = try Data(contentsOf: folder.appendingPathComponent("RecordedCard.schema.json"))
    let schema = try JSONDecoder().decode(GenerationSchema.self, from: data)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(try encoder.encode(schema) == encoder.encode(RecordedCard.generationSchema))
  }
}
