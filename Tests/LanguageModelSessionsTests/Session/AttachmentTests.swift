import Foundation
import GuidedGeneration
import LanguageModelSessions
import StructuredText
import Testing

@Suite("Attachments and metadata")
struct AttachmentTests {
  private static let photo = URL(fileURLWithPath: "/photos/roof.jpg")

  @Test("an image between texts reaches a model that supports images")
  func vision() async throws {
    var model = ScriptedModel(ScriptedModel.text("A roof."), ScriptedModel.text("Blue."))
    model.capabilities = LanguageModelCapabilities([.vision])
    let session = LanguageModelSession(model: model)
    _ = try await session.respond {
      "What is this?"
      Attachment(imageURL: Self.photo, orientation: .left).label("roof")
      "Be brief."
      "Be polite."
    }
    guard case .prompt(let prompt) = session.transcript[0],
      case .attachment(let segment) = prompt.segments[1]
    else {
      Issue.record("the entries have the wrong kinds: \(session.transcript)")
      return
    }
    #expect(
      prompt.segments.map(\.description)
        == ["What is this?", "[image roof]", "Be brief.\nBe polite."])
    #expect(segment.content == .image(.init(imageURL: Self.photo, orientation: .left)))
    let reference = try ImageReference(GeneratedContent(json: #"{"attachmentLabel": "roof"}"#))
    #expect(reference.resolved(in: session.transcript)?.url == Self.photo)
    #expect(try Transcript(json: session.transcript.json) == session.transcript)
  }

  @Test("a model that doesn't support images gets no request with an image")
  func refused() async throws {
    let model = ScriptedModel(ScriptedModel.text("?"))
    let session = LanguageModelSession(model: model)
    await #expect {
      try await session.respond { Attachment(imageURL: Self.photo) }
    } throws: { error in
      if case .unsupportedCapability(let facts) = error as? LanguageModelError {
        facts.capability == .vision
      } else {
        false
      }
    }
    #expect(model.requests.isEmpty)
    #expect(session.transcript.isEmpty)
  }

  @Test("the metadata of a request, its response and its reasoning survives encoding")
  func metadata() async throws {
    let model = ScriptedModel([
      .send(.reasoning(entryID: "r", action: .appendText("Hm.", tokenCount: 1))),
      .send(.reasoning(action: .updateSignature(Data([1, 2]), tokenCount: 1))),
      .send(.response(entryID: "a", action: .appendText("Yes", segmentID: "s", tokenCount: 1))),
      .send(.response(action: .updateMetadata(["model": "m-1", "score": 0.5]))),
    ])
    let session = LanguageModelSession(model: model)
    let response = try await session.respond(
      to: "?", contextOptions: ContextOptions(), metadata: ["trial": 3, "is test": true])
    #expect(try model.requests[0].metadata["trial"]?.value(Int.self) == 3)
    #expect(response.transcriptEntries.map(\.id) == ["r", "a"])
    guard case .prompt(let prompt) = session.transcript[0],
      case .reasoning(let reasoning) = session.transcript[1],
      case .response(let answer) = session.transcript[2]
    else {
      Issue.record("the entries have the wrong kinds: \(session.transcript)")
      return
    }
    #expect(try prompt.metadata["is test"]?.value(Bool.self) == true)
    #expect(reasoning.signature == Data([1, 2]))
    #expect(try answer.metadata["model"]?.value(String.self) == "m-1")
    #expect(answer.segments.map(\.id) == ["s"])
    let data = try JSONEncoder().encode(session.transcript)
    #expect(try JSONDecoder().decode(Transcript.self, from: data) == session.transcript)
    var other = session.transcript
    if case .response(var entry) = other[2] {
      entry.metadata["score"] = GeneratedContent(0.25)
      other[2] = .response(entry)
    }
    #expect(other != session.transcript)
  }
}
