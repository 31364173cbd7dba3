import EvalRecords
import GuidedGeneration
import LocalModels
import StructuredText
import Testing

@testable import Backends

/// Tests the prompts for a local model, and answers that the model writes without a mask.
@Suite("Prompts and answers without a mask")
struct UnmaskedAnswerTests {
  private static func prompt(
    _ outline: GenerationSettings.Outline, cue: String?, includesSchema: Bool = true
  ) throws -> String {
    let schema = try GenerationSchema(json: JSONValue(parsing: LocalBackendTests.soups))
    let request = BackendRequest(
      suite: "s", variant: "v", caseID: "c", schema: LocalBackendTests.soups,
      instructions: "Choose. ", prompt: "Pea soup.\n", settings: .init(outline: outline),
      includesSchemaInPrompt: includesSchema)
    return PromptWriter(template: ChatTemplate(.plain), cue: cue).pieces(of: request, schema)
      .map(\.written).joined()
  }

  @Test("the outline follows the instructions, and a cue ends the prompt if there is an outline")
  func prompts() throws {
    let typescript =
      "Answer with JSON of type Menu.\nMenu {\n  soup: \"Leek\" | \"Pea\" | \"Potato\"\n}"
    #expect(
      try Self.prompt(.typescript, cue: "JSON:")
        == "Choose. \n\n\(typescript)\n\nPea soup.\n\n\nJSON:\n\n")
    #expect(
      try Self.prompt(.typescript, cue: nil) == "Choose. \n\n\(typescript)\n\nPea soup.\n\n\n")
    #expect(
      try Self.prompt(.example, cue: "JSON:").contains("{\"soup\":\"Leek\"}\n$.soup: \"Leek\" or "))
    #expect(try Self.prompt(.jsonSchema, cue: "JSON:").contains("\"enum\":[\"Leek\""))
    for text in [
      try Self.prompt(.none, cue: "JSON:"),
      try Self.prompt(.typescript, cue: "JSON:", includesSchema: false),
    ] {
      #expect(text == "Choose. \n\nPea soup.\n\n\n")
    }
  }

  private static let answers: [(output: String, kind: AttemptFailure.Kind?, words: String)] = [
    ("{\"soup\":\"Pea\"}", nil, ""),
    (" { \"soup\" : \"Pea\" }\n", nil, ""),
    ("{\"soup\":\"Corn\"}", .schemaMismatch, "$.soup"),
    ("{}", .schemaMismatch, "soup"),
    ("Sure! {\"soup\":\"Pea\"}", .malformedOutput, "not JSON"),
    ("", .malformedOutput, "not JSON"),
  ]

  @Test("Assay parses an unmasked answer, checks it against the schema, and says why it fails")
  func checks() throws {
    let schema = try GenerationSchema(json: JSONValue(parsing: LocalBackendTests.soups))
    for (output, kind, words) in Self.answers {
      let answer = BackendAnswer(
        repeatSeed: RepeatSeed(repeatIndex: 0, seed: 1), output: output, stopReason: .complete)
      let checked = answer.checked(against: schema)
      #expect(checked.failure?.kind == kind, "\(output)")
      #expect(checked.failure?.message.contains(words) ?? true, "\(output)")
      #expect(checked.output == output)
    }
  }

  @Test("without a mask, the model answers freely, and the answer has no decisions and no pressure")
  func freeAnswers() async throws {
    let tests = LocalBackendTests()
    let backend = try tests.backend()
    var settings = GenerationSettings(temperature: 1, maximumTokens: 30, mask: .off)
    settings.outline = .none
    let answers = await tests.answers(
      of: backend, to: tests.request(LocalBackendTests.soups, settings: settings), repeats: 0..<4)
    #expect(answers.count == 4)
    for answer in answers {
      #expect(answer.decisions.isEmpty && answer.pressure == nil)
      #expect(answer.constraintPressure == 0)
      #expect(!answer.output.isEmpty && answer.outputTokens <= 30)
      // Whatever the model wrote, an answer without a failure fits the schema.
      if answer.failure == nil {
        #expect(try JSONValue(parsing: answer.output)["soup"]?.string != nil)
      }
    }
    let again = await tests.answers(
      of: backend, to: tests.request(LocalBackendTests.soups, settings: settings), repeats: 2..<3)
    #expect(again.first?.output == answers.first { $0.repeatSeed.repeatIndex == 2 }?.output)
  }
}
