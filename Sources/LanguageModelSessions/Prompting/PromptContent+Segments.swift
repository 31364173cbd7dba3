import GuidedGeneration

extension Transcript.AttachmentSegment: PromptAttachment {}

extension PromptContent {
  /// The parts as transcript segments.
  var segments: [Transcript.Segment] {
    parts.compactMap { part in
      switch part {
      case .text(let text): .text(Transcript.TextSegment(content: text))
      case .attachment(let segment as Transcript.AttachmentSegment): .attachment(segment)
      // No other type of this module is an attachment.
      case .attachment: nil
      }
    }
  }
}
