/// Content other than text in a prompt, such as an image.
///
/// Its description is the text that stands for it.
package protocol PromptAttachment: Sendable, CustomStringConvertible {}

/// The content of a prompt or of instructions: texts and attachments in order.
package struct PromptContent: Sendable {
  package enum Part: Sendable {
    case text(String)
    case attachment(any PromptAttachment)
  }

  package private(set) var parts: [Part] = []

  package init(text: String) { if !text.isEmpty { parts = [.text(text)] } }

  package init(_ attachment: some PromptAttachment) { parts = [.attachment(attachment)] }

  /// Joins contents in order, merging adjacent texts with a line break between them.
  package init(joining contents: [PromptContent]) {
    for part in contents.flatMap(\.parts) {
      if case .text(let text) = part, case .text(let before)? = parts.last {
        parts[parts.count - 1] = .text(before + "\n" + text)
      } else {
        parts.append(part)
      }
    }
  }

  /// The texts, joined with line breaks.
  package var text: String {
    let texts = parts.map { part in
      switch part {
      case .text(let text): text
      case .attachment(let attachment): attachment.description
      }
    }
    return texts.joined(separator: "\n")
  }
}
