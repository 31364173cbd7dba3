import GuidedGeneration
import SystemBasics

extension Transcript.Entry: CustomStringConvertible {
  /// The entry as text, beginning with its role.
  public var description: String {
    switch self {
    case .instructions(let entry): entry.description
    case .prompt(let entry): entry.description
    case .toolCalls(let entry): entry.description
    case .toolOutput(let entry): entry.description
    case .response(let entry): entry.description
    case .reasoning(let entry): entry.description
    case .data(let entry): entry.description
    }
  }

  /// The parts of the entry; tool calls have none.
  package var segments: [Transcript.Segment] {
    switch self {
    case .instructions(let entry): entry.segments
    case .prompt(let entry): entry.segments
    case .toolCalls: []
    case .toolOutput(let entry): entry.segments
    case .response(let entry): entry.segments
    case .reasoning(let entry): entry.segments
    case .data: []
    }
  }
}

extension Transcript.Instructions: CustomStringConvertible {
  /// The role and the text of the entry.
  public var description: String { "(Instructions) \(segments.text)" }
}

extension Transcript.Prompt: CustomStringConvertible {
  /// The role and the text of the entry.
  public var description: String { "(Prompt) \(segments.text)" }
}

extension Transcript.ToolCalls: CustomStringConvertible {
  /// The role and all calls.
  public var description: String { "(ToolCalls) " + map(\.description).joined(separator: ", ") }
}

extension Transcript.ToolCall: CustomStringConvertible {
  /// The name of the tool and the arguments.
  public var description: String { "\(toolName): \(arguments.jsonString)" }
}

extension Transcript.ToolOutput: CustomStringConvertible {
  /// The role, the name of the tool and its output.
  public var description: String { "(ToolOutput) \(toolName): \(segments.text)" }
}

extension Transcript.Response: CustomStringConvertible {
  /// The role and the text of the entry.
  public var description: String { "(Response) \(segments.text)" }
}

extension Transcript.Reasoning: CustomStringConvertible {
  /// The role and the text of the entry.
  public var description: String { "(Reasoning) \(segments.text)" }
}

extension Transcript.ResponseFormat: CustomStringConvertible {
  /// The name of the format.
  public var description: String { name }
}

extension Transcript.Segment: CustomStringConvertible {
  /// The segment's text, its content as JSON text, a placeholder for its attachment, or the prompt
  /// representation of a custom segment.
  public var description: String {
    switch self {
    case .text(let segment): segment.description
    case .structure(let segment): segment.description
    case .attachment(let segment): segment.description
    case .custom(let segment): segment.promptRepresentation.content.text
    }
  }
}

extension Transcript.TextSegment: CustomStringConvertible {
  /// The text of the segment.
  public var description: String { content }
}

extension Transcript.StructuredSegment: CustomStringConvertible {
  /// The content as JSON text.
  public var description: String { content.jsonString }
}

extension Transcript.AttachmentSegment: CustomStringConvertible {
  /// A placeholder that contains the attachment's label, or else its file name, or else its
  /// identifier.
  public var description: String {
    switch content {
    case .image(let image): "[image \(label ?? image.url?.lastPathComponent ?? id)]"
    case .data(let data): "[data \(label ?? data.contentType.identifier)]"
    }
  }
}

extension [Transcript.Segment] {
  /// The segments as text, joined with line breaks.
  package var text: String { map(\.description).joined(separator: "\n") }
}
