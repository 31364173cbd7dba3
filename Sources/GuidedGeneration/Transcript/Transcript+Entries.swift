import Foundation

extension Transcript {
  /// The instructions for the model.
  public struct Instructions: Sendable, Identifiable, Equatable {
    /// The identifier of the entry.
    public var id: String
    /// The parts of the instructions.
    public var segments: [Segment]
    /// The tools that the model may call.
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

  /// The definition of a tool for the model.
  public struct ToolDefinition: Sendable, Equatable {
    /// The name under which the model calls the tool.
    public var name: String
    /// The description that the model reads.
    public var description: String
    /// The schema of the arguments.
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

  /// A prompt.
  public struct Prompt: Sendable, Identifiable, Equatable {
    /// The identifier of the entry.
    public var id: String
    /// The parts of the prompt.
    public var segments: [Segment]
    /// The options for generating the answer.
    public var options: GenerationOptions
    /// The options for the schema in the prompt and for reasoning.
    public var contextOptions: ContextOptions
    /// The format of the answer; nil for free text.
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

  /// The format that an answer must follow.
  public struct ResponseFormat: Sendable, Equatable {
    /// The kind of a format.
    public enum Kind: Sendable, Equatable {
      /// A JSON value that follows a schema.
      case schema(GenerationSchema)
    }

    /// The kind of the format.
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

  /// The tool calls that a model made in one round.
  public struct ToolCalls: Sendable, Identifiable, Equatable, RandomAccessCollection {
    /// The identifier of the entry.
    public var id: String
    private var calls: [ToolCall]

    /// Creates an entry.
    public init(id: String = UUID().uuidString, _ calls: some Sequence<ToolCall>) {
      self.id = id
      self.calls = Array(calls)
    }

    /// The position of the first call.
    public var startIndex: Int { calls.startIndex }
    /// The position after the last call.
    public var endIndex: Int { calls.endIndex }
    /// The call at a position.
    public subscript(position: Int) -> ToolCall { calls[position] }
  }

  /// A call of one tool.
  public struct ToolCall: Sendable, Identifiable, Equatable {
    /// The identifier of the call.
    public var id: String
    /// The name of the tool.
    public var toolName: String
    /// The arguments that the model generated.
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

    /// Creates a call with metadata.
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

  /// The output of a tool.
  public struct ToolOutput: Sendable, Identifiable, Equatable {
    /// The identifier of the call.
    public var id: String
    /// The name of the tool.
    public var toolName: String
    /// The parts of the output.
    public var segments: [Segment]

    /// Creates an entry.
    public init(id: String, toolName: String, segments: [Segment]) {
      self.id = id
      self.toolName = toolName
      self.segments = segments
    }
  }

  /// The model's response.
  public struct Response: Sendable, Identifiable, Equatable {
    /// The identifier of the entry.
    public var id: String
    /// The identifiers of the assets that produced the response.
    public var assetIDs: [String]
    /// The parts of the response.
    public var segments: [Segment]
    private var storedMetadata: TranscriptMetadata

    /// The executor's own facts about the entry.
    public var metadata: [String: any Codable & Sendable & Equatable] {
      get { storedMetadata.values }
      set { storedMetadata.values = newValue }
    }

    /// Creates an entry that names the assets that produced it.
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

  /// The model's reasoning before its answer.
  public struct Reasoning: Sendable, Identifiable, Equatable {
    /// The identifier of the entry.
    public var id: String
    /// The parts of the reasoning.
    public var segments: [Segment]
    /// A signature with which the provider can verify the entry.
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
