import Foundation
import FoundationModels
import Testing

private struct Results: Transcript.CustomSegment {
  struct Hit: Sendable, Equatable, Codable {
    var title: String
  }

  var id: String
  var content: [Hit]

  var promptRepresentation: Prompt {
    Prompt(content.map { "• " + $0.title }.joined(separator: "\n"))
  }
}

private struct Count: Transcript.CustomSegment {
  var id: String
  var content: Int
}

@Suite("Custom segments")
struct CustomSegmentTests {
  private let results = Results(id: "1", content: [.init(title: "Arles")])

  @Test("custom segments are equal if they have the same type and content")
  func equality() {
    let segment = Transcript.Segment.custom(results)
    #expect(segment == .custom(results))
    #expect(segment != .custom(Results(id: "1", content: [])))
    #expect(segment != .custom(Count(id: "1", content: 1)))
    #expect(segment != .text(.init(id: "1", content: "• Arles")))
    #expect(segment.id == "1")
  }

  @Test("a segment is described by its prompt representation or, without one, by its content")
  func texts() {
    #expect(results.description == #"[{"title": "Arles"}]"#)
    #expect(Transcript.Segment.custom(results).description == "• Arles")
    #expect(Transcript.Segment.custom(Count(id: "2", content: 3)).description == "3")
  }

  @Test("a transcript's JSON keeps a segment's content and text, and survives a round trip")
  func json() throws {
    let response = Transcript.Response(
      id: "r", segments: [.custom(results), .custom(Count(id: "2", content: 3))])
    let transcript = Transcript(entries: [.response(response)])
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(transcript)
    let again = try JSONDecoder().decode(Transcript.self, from: data)
    #expect(again[0].description == "(Response) • Arles\n3")
    #expect(try encoder.encode(again) == data)
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.contains(#""source":"Results""#))
    #expect(text.contains(#""content":[{"title":"Arles"}]"#))
  }

  private struct Searcher: LanguageModel {
    struct Executor: LanguageModelExecutor {
      typealias Model = Searcher
      struct Configuration: Hashable, Sendable {}

      init(configuration: Configuration) throws {}

      func respond(
        to request: LanguageModelExecutorGenerationRequest, model: Searcher,
        streamingInto channel: LanguageModelExecutorGenerationChannel
      ) async throws {
        let drafts = [
          Results(id: "1", content: []), Results(id: "1", content: [.init(title: "B")]),
        ]
        for draft in drafts {
          await channel.send(.response(action: .updateCustomSegment(draft)))
        }
        await channel.send(.response(action: .appendText("done", tokenCount: 1)))
      }
    }

    var capabilities: LanguageModelCapabilities { LanguageModelCapabilities([]) }
    var executorConfiguration: Executor.Configuration { Executor.Configuration() }
  }

  @Test("a provider's segment replaces an earlier segment with the same id")
  func updates() async throws {
    let session = LanguageModelSession(model: Searcher())
    let answer = try await session.respond(to: "Search")
    #expect(answer.content == "done")
    let entry = try #require(session.transcript.last)
    guard case .response(let response) = entry else {
      Issue.record("the last entry is not the response")
      return
    }
    #expect(response.segments.first == .custom(Results(id: "1", content: [.init(title: "B")])))
    #expect(response.segments.count == 2)
  }
}
