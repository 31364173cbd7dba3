import Foundation
import FoundationModels
import Testing

private struct Clip: DataAttachmentRepresentable, Equatable {
  var bytes: Data
  var isLoud: Bool

  init(bytes: Data, isLoud: Bool) {
    self.bytes = bytes
    self.isLoud = isLoud
  }

  init(_ attachment: Transcript.DataAttachment) throws {
    bytes = attachment.content
    isLoud = (try? attachment.metadata.value(Bool.self, forProperty: "isLoud")) ?? false
  }

  var transcriptRepresentation: Transcript.DataAttachment {
    .init(
      contentType: .wav, content: bytes,
      metadata: GeneratedContent(properties: ["isLoud": isLoud]))
  }
}

private struct Attribution: DataEntryRepresentable {
  var source: String

  init(_ entry: Transcript.DataEntry) throws {
    source = String(decoding: entry.content, as: UTF8.self)
  }

  var transcriptRepresentation: Transcript.DataEntry {
    .init(contentType: .attribution, content: Data(source.utf8))
  }
}

extension UTType {
  fileprivate static let attribution = UTType(exportedAs: "com.example.attribution")
}

/// A model that hears sound, and says where its answer comes from.
private struct HearingModel: LanguageModel {
  struct Executor: LanguageModelExecutor {
    struct Configuration: Hashable, Sendable {}
    init(configuration: Configuration) {}

    nonisolated(nonsending) func respond(
      to request: LanguageModelExecutorGenerationRequest, model: HearingModel,
      streamingInto channel: LanguageModelExecutorGenerationChannel
    ) async throws {
      for content in ["draft", "final"] {
        await channel.send(
          .data(
            entryID: "d",
            action: .update(
              contentType: model.sentType, content: Data(content.utf8),
              metadata: GeneratedContent(properties: ["by": "model"]))))
      }
      await channel.send(.response(action: .appendText("A bell.", segmentID: nil, tokenCount: 2)))
    }
  }

  var sentType = UTType.attribution
  var capabilities: LanguageModelCapabilities { LanguageModelCapabilities([]) }
  var executorConfiguration: Executor.Configuration { .init() }

  nonisolated(nonsending) func supportsDataAttachmentType(
    _ type: UTType
  ) async throws -> Bool {
    type.conforms(to: .audio)
  }

  func supportsDataEntryType(_ type: UTType) async throws -> Bool { type == .attribution }
}

@Suite("Data attachments and data entries of OS 27.2")
struct DataTests {
  @Test("a prompt carries data to a model that supports its type, and the model adds entries")
  func supported() async throws {
    let clip = Clip(bytes: Data([1, 2]), isLoud: true)
    let session = LanguageModelSession(model: HearingModel())
    _ = try await session.respond {
      "What is in this clip?"
      Attachment(clip).label("clip-0")
    }
    guard case .prompt(let prompt) = session.transcript[0],
      case .attachment(let segment) = prompt.segments[1], case .data(let data) = segment.content,
      case .data(let entry) = session.transcript[1]
    else {
      Issue.record("\(session.transcript)")
      return
    }
    #expect(try Clip(data) == clip)
    #expect(segment.label == "clip-0")
    #expect(try Attribution(entry).source == "final")
    #expect(entry.id == "d")
    let encoded = try JSONEncoder().encode(session.transcript)
    #expect(try JSONDecoder().decode(Transcript.self, from: encoded) == session.transcript)
  }

  @Test("data that a model doesn't support is refused")
  func refused() async throws {
    for (model, content) in [
      (HearingModel(), Transcript.DataAttachment(contentType: .pdf, content: Data())),
      (HearingModel(sentType: .json), .init(contentType: .mp3, content: Data())),
    ] {
      let segment = Transcript.AttachmentSegment(content: .data(content))
      let transcript = Transcript(entries: [.prompt(.init(segments: [.attachment(segment)]))])
      let session = LanguageModelSession(model: model, transcript: transcript)
      await #expect {
        try await session.respond(to: "?")
      } throws: { error in
        if case .unsupportedTranscriptContent(let facts) = error as? LanguageModelError {
          facts.unsupportedContent.count == 1
        } else {
          false
        }
      }
    }
  }

  @Test("types know their parents and media types")
  func types() throws {
    #expect(UTType("public.png") == .png)
    #expect(UTType("") == nil)
    #expect(UTType("a/b") == nil)
    #expect(UTType.png.conforms(to: .image) && UTType.png.conforms(to: .data))
    #expect(!UTType.png.conforms(to: .text))
    #expect(UTType.jpeg.preferredMIMEType == "image/jpeg")
    #expect(UTType(mimeType: "text/csv") == .commaSeparatedText)
    #expect(UTType(filenameExtension: "JPG") == .jpeg)
    #expect(UTType.attribution.identifier == "com.example.attribution")
    #expect(UTType.attribution.preferredMIMEType == nil)
    #expect(try JSONDecoder().decode(UTType.self, from: JSONEncoder().encode(UTType.pdf)) == .pdf)
  }
}
