import GuidedGeneration
import SystemBasics

/// A conversation: its instructions, prompts, tool calls and responses.
public struct Transcript: Sendable, Equatable {
  private var entries: [Entry]

  /// Creates a transcript.
  ///
  /// - Parameter entries: The entries in order.
  public init(entries: some Sequence<Entry> = []) { self.entries = Array(entries) }

  /// One entry of the conversation.
  public enum Entry: Sendable, Identifiable, Equatable {
    /// The instructions for the model.
    case instructions(Instructions)
    /// A prompt.
    case prompt(Prompt)
    /// The tool calls of one round.
    case toolCalls(ToolCalls)
    /// The output of a tool.
    case toolOutput(ToolOutput)
    /// A response.
    case response(Response)
    /// The reasoning before a response.
    case reasoning(Reasoning)
    /// Data that a model produced, and that belongs to no message.
    case data(DataEntry)

    /// The identifier of the entry.
    public var id: String {
      switch self {
      case .instructions(let entry): entry.id
      case .prompt(let entry): entry.id
      case .toolCalls(let entry): entry.id
      case .toolOutput(let entry): entry.id
      case .response(let entry): entry.id
      case .reasoning(let entry): entry.id
      case .data(let entry): entry.id
      }
    }
  }

  /// A part of an entry.
  public enum Segment: Sendable, Identifiable, Equatable {
    /// Text.
    case text(TextSegment)
    /// Content that follows a schema.
    case structure(StructuredSegment)
    /// An attachment, such as an image.
    case attachment(AttachmentSegment)
    /// Content of a type that belongs to the app or to a model's provider.
    ///
    /// Apple's framework has this case only in the first versions of OS 27.
    case custom(any CustomSegment)

    /// The identifier of the segment.
    public var id: String {
      switch self {
      case .text(let segment): segment.id
      case .structure(let segment): segment.id
      case .attachment(let segment): segment.id
      case .custom(let segment): segment.id
      }
    }
  }

  /// A part of an entry that is text.
  public struct TextSegment: Sendable, Identifiable, Equatable {
    /// The identifier of the segment.
    public var id: String
    /// The text.
    public var content: String

    /// Creates a segment.
    ///
    /// - Parameters:
    ///   - id: The identifier of the segment.
    ///   - content: The text.
    public init(id: String = UUID().uuidString, content: String) {
      self.id = id
      self.content = content
    }
  }

  /// A part of an entry that follows a schema.
  public struct StructuredSegment: Sendable, Identifiable, Equatable {
    /// The identifier of the segment.
    public var id: String
    /// The name of the schema; in OS 27, this property is called `schemaName`.
    public var source: String
    /// The content that follows the schema.
    public var content: GeneratedContent

    /// Creates a segment, with the parameter name of OS 26.
    ///
    /// - Parameters:
    ///   - id: The identifier of the segment.
    ///   - source: The name of the schema.
    ///   - content: The content that follows the schema.
    public init(id: String = UUID().uuidString, source: String, content: GeneratedContent) {
      self.id = id
      self.source = source
      self.content = content
    }

    /// Creates a segment, with the parameter name of OS 27.
    ///
    /// - Parameters:
    ///   - id: The identifier of the segment.
    ///   - schemaName: The name of the schema.
    ///   - content: The content that follows the schema.
    public init(id: String = UUID().uuidString, schemaName: String, content: GeneratedContent) {
      self.init(id: id, source: schemaName, content: content)
    }

    /// The name of the schema; in OS 26, this property is called `source`.
    public var schemaName: String {
      get { source }
      set { source = newValue }
    }
  }
}

extension Transcript: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  /// Creates an empty transcript.
  public init() { entries = [] }

  /// The index of the first entry.
  public var startIndex: Int { entries.startIndex }
  /// The index after the last entry.
  public var endIndex: Int { entries.endIndex }

  /// The entry at an index.
  ///
  /// - Parameter index: The index, from 0.
  public subscript(index: Int) -> Entry {
    get { entries[index] }
    set { entries[index] = newValue }
  }

  /// Replaces a range of entries.
  ///
  /// - Parameters:
  ///   - subrange: The indices of the entries to replace.
  ///   - newElements: The entries to insert instead.
  public mutating func replaceSubrange(
    _ subrange: Range<Int>, with newElements: some Collection<Entry>
  ) {
    entries.replaceSubrange(subrange, with: newElements)
  }
}

extension Transcript {
  /// The number of instructions entries at the beginning of the transcript.
  private var instructionsCount: Int {
    entries.prefix { if case .instructions = $0 { true } else { false } }.count
  }

  /// The conversation without the leading instructions.
  ///
  /// Setting this property keeps the leading instructions.
  public var history: HistoryView {
    get { HistoryView(entries[instructionsCount...]) }
    set { entries.replaceSubrange(instructionsCount..., with: newValue) }
  }
}
