import Foundation

extension Transcript {
  /// What the model was told.
  public struct Instructions: Sendable, Identifiable, Equatable {
    public var id: String
    public var segments: [Segment]
    public var toolDefinitions: [ToolDefinition]

    /// Creates an entry.
    public init(
      id: String = UUID().uuidString, segments: [Segment], toolDefinitions: [ToolDefinition]
    ) {
      self.id = id
      self.segments = segments
      self.toolDefinitions = toolDefinitions
    }
  }

  /// What the model is told of a tool.
  public struct ToolDefinition: Sendable, Equatable {
    public var name: String
    public var description: String
    public var parameters: GenerationSchema

    /// Creates a definition.
    public init(name: String, description: String, parameters: GenerationSchema) {
      self.name = name
      self.description = description
      self.parameters = parameters
    }

    /// Creates the definition of a tool.
    public init(tool: some Tool) {
      self.init(name: tool.name, description: tool.description, parameters: tool.parameters)
    }
  }

  /// What the model was asked.
  public struct Prompt: Sendable, Identifiable, Equatable {
    public var id: String
    public var segments: [Segment]
    public var options: GenerationOptions
    public var contextOptions: ContextOptions
    public var responseFormat: ResponseFormat?
    private var storedMetadata: TranscriptMetadata

    /// The app's own facts about the entry.
    public var metadata: [String: any Codable & Sendable & Equatable] {
      get { storedMetadata.values }
      set { storedMetadata.values = newValue }
    }

    /// Creates an entry.
    public init(
      id: String = UUID().uuidString,
      metadata: [String: any Codable & Sendable & Equatable] = [:], segments: [Segment],
      options: GenerationOptions = GenerationOptions(), responseFormat: ResponseFormat? = nil,
      contextOptions: ContextOptions = ContextOptions()
    ) {
      storedMetadata = TranscriptMetadata(metadata)
      self.id = id
      self.segments = segments
      self.options = options
      self.responseFormat = responseFormat
      self.contextOptions = contextOptions
    }
  }

  /// What an answer keeps to.
  public struct ResponseFormat: Sendable, Equatable {
    /// What a format is.
    public enum Kind: Sendable, Equatable {
      case schema(GenerationSchema)
    }

    /// What the format is.
    public let kind: Kind
    /// The name of the schema.
    public let name: String

    /// Creates the format of a type.
    public init<Content: Generable>(type: Content.Type) {
      self.init(schema: Content.generationSchema)
    }

    /// Creates the format of a schema.
    public init(schema: GenerationSchema) { self.init(schema: schema, name: schema.name) }

    init(schema: GenerationSchema, name: String) {
      kind = .schema(schema)
      self.name = name
    }
  }

  /// What the model asked tools to do.
  public struct ToolCalls: Sendable, Identifiable, Equatable, RandomAccessCollection {
    public var id: String
    private var calls: [ToolCall]

    /// Creates an entry.
    public init(id: String = UUID().uuidString, _ calls: some Sequence<ToolCall>) {
      self.id = id
      self.calls = Array(calls)
    }

    public var startIndex: Int { calls.startIndex }
    public var endIndex: Int { calls.endIndex }
    public subscript(position: Int) -> ToolCall { calls[position] }
  }

  /// What the model asked a tool to do.
  public struct ToolCall: Sendable, Identifiable, Equatable {
    public var id: String
    public var toolName: String
    public var arguments: GeneratedContent
    private var storedMetadata: TranscriptMetadata

    /// The executor's own facts about the call.
    public var metadata: [String: any Codable & Sendable & Equatable] {
      get { storedMetadata.values }
      set { storedMetadata.values = newValue }
    }

    /// Creates a call.
    public init(id: String, toolName: String, arguments: GeneratedContent) {
      self.init(id: id, metadata: [:], toolName: toolName, arguments: arguments)
    }

    /// Creates a call of which something is said.
    public init(
      id: String, metadata: [String: any Codable & Sendable & Equatable], toolName: String,
      arguments: GeneratedContent
    ) {
      self.id = id
      storedMetadata = TranscriptMetadata(metadata)
      self.toolName = toolName
      self.arguments = arguments
    }
  }

  /// What a tool gave.
  public struct ToolOutput: Sendable, Identifiable, Equatable {
    /// What identifies the call.
    public var id: String
    public var toolName: String
    public var segments: [Segment]

    /// Creates an entry.
    public init(id: String, toolName: String, segments: [Segment]) {
      self.id = id
      self.toolName = toolName
      self.segments = segments
    }
  }

  /// What the model answered.
  public struct Response: Sendable, Identifiable, Equatable {
    public var id: String
    /// What the answer was made with.
    public var assetIDs: [String]
    public var segments: [Segment]
    private var storedMetadata: TranscriptMetadata

    /// The executor's own facts about the entry.
    public var metadata: [String: any Codable & Sendable & Equatable] {
      get { storedMetadata.values }
      set { storedMetadata.values = newValue }
    }

    /// Creates an entry that names what it was made with.
    public init(id: String = UUID().uuidString, assetIDs: [String], segments: [Segment]) {
      self.init(id: id, metadata: [:], segments: segments)
      self.assetIDs = assetIDs
    }

    /// Creates an entry.
    public init(
      id: String = UUID().uuidString,
      metadata: [String: any Codable & Sendable & Equatable] = [:], segments: [Segment]
    ) {
      self.id = id
      assetIDs = []
      storedMetadata = TranscriptMetadata(metadata)
      self.segments = segments
    }
  }

  /// What the model thought before it answered.
  public struct Reasoning: Sendable, Identifiable, Equatable {
    public var id: String
    public var segments: [Segment]
    public var signature: Data?
    private var storedMetadata: TranscriptMetadata

    /// The executor's own facts about the entry.
    public var metadata: [String: any Codable & Sendable & Equatable] {
      get { storedMetadata.values }
      set { storedMetadata.values = newValue }
    }

    /// Creates an entry.
    public init(
      id: String = UUID().uuidString,
      metadata: [String: any Codable & Sendable & Equatable] = [:], segments: [Segment],
      signature: Data? = nil
    ) {
      storedMetadata = TranscriptMetadata(metadata)
      self.id = id
      self.segments = segments
      self.signature = signature
    }
  }
}
