import Foundation

/// A conversation: what the model was told, asked, and answered.
public struct Transcript: Sendable, Equatable {
  private var entries: [Entry]

  /// Creates a transcript.
  ///
  /// - Parameter entries: The entries in order.
  public init(entries: some Sequence<Entry> = []) { self.entries = Array(entries) }

  /// One turn of the conversation.
  public enum Entry: Sendable, Identifiable, Equatable {
    case instructions(Instructions)
    case prompt(Prompt)
    case toolCalls(ToolCalls)
    case toolOutput(ToolOutput)
    case response(Response)
    case reasoning(Reasoning)

    public var id: String {
      switch self {
      case .instructions(let entry): entry.id
      case .prompt(let entry): entry.id
      case .toolCalls(let entry): entry.id
      case .toolOutput(let entry): entry.id
      case .response(let entry): entry.id
      case .reasoning(let entry): entry.id
      }
    }
  }

  /// A part of an entry.
  public enum Segment: Sendable, Identifiable, Equatable {
    case text(TextSegment)
    case structure(StructuredSegment)
    case attachment(AttachmentSegment)
    case custom(any CustomSegment)

    public var id: String {
      switch self {
      case .text(let segment): segment.id
      case .structure(let segment): segment.id
      case .attachment(let segment): segment.id
      case .custom(let segment): segment.id
      }
    }
  }

  /// A part that is text.
  public struct TextSegment: Sendable, Identifiable, Equatable {
    public var id: String
    public var content: String

    /// Creates a segment.
    public init(id: String = UUID().uuidString, content: String) {
      self.id = id
      self.content = content
    }
  }

  /// A part that keeps to a schema.
  public struct StructuredSegment: Sendable, Identifiable, Equatable {
    public var id: String
    /// The name of the schema.
    public var source: String
    public var content: GeneratedContent

    /// Creates a segment.
    public init(id: String = UUID().uuidString, source: String, content: GeneratedContent) {
      self.id = id
      self.source = source
      self.content = content
    }

    /// Creates a segment, under the name of OS 27.
    public init(id: String = UUID().uuidString, schemaName: String, content: GeneratedContent) {
      self.init(id: id, source: schemaName, content: content)
    }

    /// The name of the schema.
    public var schemaName: String {
      get { source }
      set { source = newValue }
    }
  }
}

extension Transcript: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  public init() { entries = [] }

  public var startIndex: Int { entries.startIndex }
  public var endIndex: Int { entries.endIndex }

  public subscript(index: Int) -> Entry {
    get { entries[index] }
    set { entries[index] = newValue }
  }

  public mutating func replaceSubrange(
    _ subrange: Range<Int>, with newElements: some Collection<Entry>
  ) {
    entries.replaceSubrange(subrange, with: newElements)
  }
}

extension Transcript {
  /// How many entries at the beginning are instructions.
  private var instructionsCount: Int {
    entries.prefix { if case .instructions = $0 { true } else { false } }.count
  }

  /// The conversation without the instructions at its beginning.
  public var history: ArraySlice<Entry> {
    get { entries[instructionsCount...] }
    set { entries.replaceSubrange(instructionsCount..., with: newValue) }
  }
}
