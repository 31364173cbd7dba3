import Foundation

extension Transcript.Entry: CustomStringConvertible {
  public var description: String {
    switch self {
    case .instructions(let entry): entry.description
    case .prompt(let entry): entry.description
    case .toolCalls(let entry): entry.description
    case .toolOutput(let entry): entry.description
    case .response(let entry): entry.description
    case .reasoning(let entry): entry.description
    }
  }

  /// The parts of the entry; calls of tools have none.
  package var segments: [Transcript.Segment] {
    switch self {
    case .instructions(let entry): entry.segments
    case .prompt(let entry): entry.segments
    case .toolCalls: []
    case .toolOutput(let entry): entry.segments
    case .response(let entry): entry.segments
    case .reasoning(let entry): entry.segments
    }
  }
}

extension Transcript.Instructions: CustomStringConvertible {
  public var description: String { "(Instructions) \(segments.text)" }
}

extension Transcript.Prompt: CustomStringConvertible {
  public var description: String { "(Prompt) \(segments.text)" }
}

extension Transcript.ToolCalls: CustomStringConvertible {
  public var description: String { "(ToolCalls) " + map(\.description).joined(separator: ", ") }
}

extension Transcript.ToolCall: CustomStringConvertible {
  public var description: String { "\(toolName): \(arguments.jsonString)" }
}

extension Transcript.ToolOutput: CustomStringConvertible {
  public var description: String { "(ToolOutput) \(toolName): \(segments.text)" }
}

extension Transcript.Response: CustomStringConvertible {
  public var description: String { "(Response) \(segments.text)" }
}

extension Transcript.Reasoning: CustomStringConvertible {
  public var description: String { "(Reasoning) \(segments.text)" }
}

extension Transcript.ResponseFormat: CustomStringConvertible {
  public var description: String { name }
}

extension Transcript.Segment: CustomStringConvertible {
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
  public var description: String { content }
}

extension Transcript.StructuredSegment: CustomStringConvertible {
  public var description: String { content.jsonString }
}

extension Transcript.AttachmentSegment: CustomStringConvertible {
  public var description: String {
    switch content {
    case .image(let image): "[image \(label ?? image.url?.lastPathComponent ?? id)]"
    }
  }
}

extension [Transcript.Segment] {
  /// The segments as text, one below the other.
  package var text: String { map(\.description).joined(separator: "\n") }
}
