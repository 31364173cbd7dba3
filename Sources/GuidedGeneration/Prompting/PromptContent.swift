/// The content of a prompt or of instructions: texts and attachments in order.
struct PromptContent: Sendable {
  enum Part: Sendable {
    case text(String)
    case attachment(Transcript.AttachmentSegment)
  }

  private(set) var parts: [Part] = []

  init(text: String) { if !text.isEmpty { parts = [.text(text)] } }

  init(_ attachment: Transcript.AttachmentSegment) { parts = [.attachment(attachment)] }

  /// Joins contents in order, merging adjacent texts with a line break between them.
  init(joining contents: [PromptContent]) {
    for part in contents.flatMap(\.parts) {
      if case .text(let text) = part, case .text(let before)? = parts.last {
        parts[parts.count - 1] = .text(before + "\n" + text)
      } else {
        parts.append(part)
      }
    }
  }

  /// The texts, joined with line breaks.
  var text: String { segments.text }

  /// The parts as transcript segments.
  var segments: [Transcript.Segment] {
    parts.map { part in
      switch part {
      case .text(let text): .text(Transcript.TextSegment(content: text))
      case .attachment(let segment): .attachment(segment)
      }
    }
  }
}
