import Foundation
import StructuredText

extension Transcript {
  /// A part of a transcript whose content has a type of the app or of a model's provider.
  ///
  /// A later prompt contains the segment's `promptRepresentation`.
  public protocol CustomSegment: Sendable, Identifiable, Equatable, CustomStringConvertible,
    PromptRepresentable, InstructionsRepresentable
  {
    /// The type of the content.
    associatedtype Content: Sendable & Equatable & Codable

    var id: String { get }
    var content: Content { get }
  }
}

extension Transcript.CustomSegment {
  /// The content as JSON, or as Swift prints it if it cannot be encoded.
  public var description: String {
    let json = TranscriptMetadata(["content": content]).json?["content"]
    return json.map { JSONTextWriter.text(of: $0, style: .spaced) } ?? "\(content)"
  }

  /// The description.
  public var promptRepresentation: Prompt { Prompt(text: description) }

  /// The description.
  public var instructionsRepresentation: Instructions { Instructions(text: description) }
}

extension Transcript.Segment {
  public static func == (left: Transcript.Segment, right: Transcript.Segment) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)): left == right
    case (.structure(let left), .structure(let right)): left == right
    case (.attachment(let left), .attachment(let right)): left == right
    case (.custom(let left), .custom(let right)): isEqual(left, right)
    default: false
    }
  }

  private static func isEqual<Left: Transcript.CustomSegment>(
    _ left: Left, _ right: any Transcript.CustomSegment
  ) -> Bool {
    right as? Left == left
  }
}

/// A custom segment as a transcript's JSON keeps it.
///
/// The document cannot restore the Swift type of the segment; it keeps the type's name, the content
/// as JSON, and the text that a later prompt contains.
struct StoredSegment: Transcript.CustomSegment {
  var id: String
  var source: String
  var content: JSONValue
  var text: String

  init(_ segment: some Transcript.CustomSegment) {
    if let stored = segment as? StoredSegment {
      self = stored
      return
    }
    id = segment.id
    source = String(describing: type(of: segment))
    content = TranscriptMetadata(["content": segment.content]).json?["content"] ?? .null
    text = segment.promptRepresentation.content.text
  }

  init(id: String, json: JSONValue?) {
    self.id = id
    source = json?["source"]?.string ?? ""
    content = json?["content"] ?? .null
    text = json?["text"]?.string ?? JSONTextWriter.text(of: content, style: .spaced)
  }

  var description: String { text }

  var segmentJSON: JSONValue {
    [
      "type": "custom", "id": .string(id),
      "custom": ["source": .string(source), "content": content, "text": .string(text)],
    ]
  }
}
