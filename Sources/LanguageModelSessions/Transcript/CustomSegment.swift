import GuidedGeneration
import StructuredText
import SystemBasics

extension Transcript {
  /// A part of a transcript entry whose content has a type that the app or the model's provider
  /// defines.
  ///
  /// Later prompts contain the segment's `promptRepresentation`. Apple's framework has this
  /// protocol only in the first versions of OS 27.
  public protocol CustomSegment: Sendable, Identifiable, Equatable, CustomStringConvertible,
    PromptRepresentable, InstructionsRepresentable
  {
    /// The type of the content.
    associatedtype Content: Sendable & Equatable & Codable

    /// The identifier of the segment.
    var id: String { get }
    /// The content of the segment.
    var content: Content { get }
  }
}

extension Transcript.CustomSegment {
  /// The content as JSON text or, if the content can't be encoded, as Swift prints it.
  public var description: String {
    return encodedJSON(of: content).map { JSONTextWriter.text(of: $0, style: .spaced) }
      ?? "\(content)"
  }

  /// The description, as a prompt.
  public var promptRepresentation: Prompt { Prompt(text: description) }

  /// The description, as instructions.
  public var instructionsRepresentation: Instructions { Instructions(text: description) }
}

extension Transcript.Segment {
  /// Returns whether two segments are equal; custom segments of different types are never equal.
  ///
  /// - Parameters:
  ///   - left: A segment.
  ///   - right: Another segment.
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

/// A custom segment as a transcript's JSON stores it.
///
/// The JSON can't restore the segment's Swift type. Instead, it stores the type's name, the content
/// as JSON, and the text that later prompts contain.
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
    content = encodedJSON(of: segment.content) ?? .null
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

/// Returns a value as JSON, or `nil` if it can't be encoded.
private func encodedJSON(of value: some Encodable) -> JSONValue? {
  // Older versions of Foundation encode only arrays and objects at the top.
  guard let data = try? JSONEncoder().encode([value]) else { return nil }
  return (try? JSONValue(parsing: String(decoding: data, as: UTF8.self)))?.array?.first
}
