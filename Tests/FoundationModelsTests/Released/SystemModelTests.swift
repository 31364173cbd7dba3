import Foundation
import FoundationModels
import Testing

@Suite("The variant of the system's model, and values of the channel")
struct SystemModelTests {
  @Test("variants have names for users")
  func variants() {
    let variants: [SystemLanguageModel.Variant] = [.core3, .coreAdvanced3]
    #expect(variants.map(\.displayName) == ["AFM 3 Core", "AFM 3 Core Advanced"])
    #expect(!SystemLanguageModel.default.variant.displayName.isEmpty)
  }

  @Test("code can name the values of a channel, and the counts of its own")
  func values() {
    typealias Channel = LanguageModelExecutorGenerationChannel
    let usage = Channel.Usage(
      input: .init(totalTokenCount: 4, cachedTokenCount: 1),
      output: .init(totalTokenCount: 2, reasoningTokenCount: 0), metadata: ["a": 1])
    #expect(usage.input.totalTokenCount == 4)
    func name(_ value: Any) -> String {
      switch value {
      case is Channel.TextFragment: "fragment"
      case is Channel.TextSegmentReplacement: "replacement"
      case is Channel.ReasoningSignature: "signature"
      case is Channel.Metadata: "metadata"
      case is Channel.ToolCalls.ToolCall.ArgumentsFragment: "arguments"
      case let usage as Channel.Usage: "usage \(usage.output.totalTokenCount)"
      default: "other"
      }
    }
    #expect(name(usage) == "usage 2")
  }

  @Test("an image is found in any sequence of entries")
  func reference() throws {
    let image = Transcript.ImageAttachment(imageURL: .init(fileURLWithPath: "/a.png"))
    let segment = Transcript.AttachmentSegment(content: .image(image), label: "one")
    let entries: [Transcript.Entry] = [.prompt(.init(segments: [.attachment(segment)]))]
    let reference = try ImageReference(GeneratedContent(properties: ["attachmentLabel": "one"]))
    #expect(reference.resolved(in: entries) == image)
    #expect(reference.resolved(in: Transcript(entries: entries).history) == image)
  }
}
