import Backends
import Foundation
import FoundationModels
import Testing

@Generable(description: "A study card")
private struct Card {
  @Guide(description: "One question")
  var question: String
  @Guide(description: "Its answer", .anyOf(["yes", "no"]))
  var answer: String
}

@Suite("The bundled model, used as in an app")
struct LocalModelTests {
  static let path = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("evals/models/assay-toy.gguf").path

  @Test("a session returns a value of the requested type")
  func respond() async throws {
    let session = LanguageModelSession(
      model: try LocalLanguageModel(path: Self.path), instructions: "You write study cards.")
    let card = try await session.respond(
      to: "Bread gets stale in the fridge.", generating: Card.self,
      options: GenerationOptions(sampling: .greedy)
    ).content
    #expect(["yes", "no"].contains(card.answer))
  }

  @Test("the last snapshot of a stream is the value")
  func stream() async throws {
    let session = LanguageModelSession(model: try LocalLanguageModel(path: Self.path))
    let stream = session.streamResponse(
      to: "Bread gets stale in the fridge.", generating: Card.self,
      options: GenerationOptions(sampling: .greedy))
    var last: Card.PartiallyGenerated?
    for try await snapshot in stream { last = snapshot.content }
    #expect(try await stream.collect().content.answer == last?.answer)
  }
}
