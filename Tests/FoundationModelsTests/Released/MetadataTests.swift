import Foundation
import FoundationModels
import Testing

@Generable
private struct Source: Equatable {
  var title: String
  var page: Int
}

/// A model that repeats what it is told about itself.
private struct TaggedModel: LanguageModel {
  struct Executor: LanguageModelExecutor {
    struct Configuration: Hashable, Sendable {}
    init(configuration: Configuration) {}

    nonisolated(nonsending) func respond(
      to request: LanguageModelExecutorGenerationRequest, model: TaggedModel,
      streamingInto channel: LanguageModelExecutorGenerationChannel
    ) async throws {
      let asked: [String: GeneratedContent] = request.metadata
      let trial = try asked["trial"]?.value(Int.self) ?? 0
      await channel.send(
        .response(entryID: "r", action: .appendText("ok", segmentID: nil, tokenCount: 1)))
      await channel.send(.response(entryID: "r", action: .updateMetadata(["old": "gone"])))
      await channel.send(
        .response(
          entryID: "r",
          action: .updateMetadata([
            "trial": trial, "source": Source(title: "Tides", page: 4), "tags": ["a", "b"],
            "nested": GeneratedContent(properties: ["depth": 2]),
          ])))
      await channel.send(
        .response(
          entryID: "r",
          action: .updateUsage(
            input: .init(totalTokenCount: 3, cachedTokenCount: 1),
            output: .init(totalTokenCount: 2, reasoningTokenCount: 0),
            metadata: ["tier": "free"])))
    }
  }

  var capabilities: LanguageModelCapabilities { LanguageModelCapabilities([]) }
  var executorConfiguration: Executor.Configuration { .init() }
}

@Suite("Metadata of the released OS 27")
struct MetadataTests {
  @Test("an executor and an app write values of many types, and read generated content")
  func metadata() async throws {
    let session = LanguageModelSession(model: TaggedModel())
    let response = try await session.respond(
      to: "Go", contextOptions: ContextOptions(), metadata: ["trial": 3])
    #expect(try response.usage.metadata["tier"]?.value(String.self) == "free")
    guard case .response(let entry) = session.transcript.last else {
      Issue.record("there is no response")
      return
    }
    let metadata: [String: GeneratedContent] = entry.metadata
    // Each update replaces all earlier metadata.
    #expect(metadata.keys.sorted() == ["nested", "source", "tags", "trial"])
    #expect(try metadata["trial"]?.value(Int.self) == 3)
    #expect(try metadata["source"]?.value(Source.self) == Source(title: "Tides", page: 4))
    #expect(try metadata["tags"]?.value([String].self) == ["a", "b"])
    let data = try JSONEncoder().encode(session.transcript)
    guard case .response(let decoded) = try JSONDecoder().decode(Transcript.self, from: data).last
    else {
      Issue.record("there is no decoded response")
      return
    }
    #expect(try decoded.metadata["trial"]?.value(Int.self) == 3)
    #expect(try decoded.metadata["source"]?.value(Source.self) == Source(title: "Tides", page: 4))
  }

  @Test("entries take metadata of any convertible type")
  func entries() throws {
    let prompt = Transcript.Prompt(
      metadata: ["g": GeneratedContent(properties: ["a": 1]), "s": "x"], segments: [])
    #expect(try prompt.metadata["g"]?.value(Int.self, forProperty: "a") == 1)
    let response = Transcript.Response(metadata: ["systemVersion": "Version 27"], segments: [])
    #expect(try response.metadata["systemVersion"]?.value(String.self) == "Version 27")
    let reasoning = Transcript.Reasoning(metadata: ["n": 2], segments: [])
    #expect(try reasoning.metadata["n"]?.value(Int.self) == 2)
  }
}
