import GuidedGeneration
import SystemBasics

extension Transcript {
  /// A transcript entry with the instructions for the model.
  public struct Instructions: Sendable, Identifiable, Equatable {
    /// The identifier of the entry.
    public var id: String
    /// The parts of the instructions.
    public var segments: [Segment]
    /// The tools that the instructions describe.
    public var toolDefinitions: [ToolDefinition]

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - id: The identifier of the entry.
    ///   - segments: The parts of the instructions.
    ///   - toolDefinitions: The tools that the instructions describe.
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
    ///
    /// - Parameters:
    ///   - name: The name under which the model calls the tool.
    ///   - description: The description that the model reads.
    ///   - parameters: The schema of the arguments.
    public init(name: String, description: String, parameters: GenerationSchema) {
      self.name = name
      self.description = description
      self.parameters = parameters
    }

    /// Creates the definition of a tool.
    ///
    /// - Parameter tool: The tool.
    public init(tool: some Tool) {
      self.init(name: tool.name, description: tool.description, parameters: tool.parameters)
    }
  }

  /// A transcript entry with a prompt.
  public struct Prompt: Sendable, Identifiable, Equatable {
    /// The identifier of the entry.
    public var id: String
    /// The parts of the prompt.
    public var segments: [Segment]
    /// The options for generating the answer.
    public var options: GenerationOptions
    /// The options for the schema in the prompt and for reasoning.
    public var contextOptions: ContextOptions
    /// The format of the answer, or `nil` for free text.
    public var responseFormat: ResponseFormat?

    /// The app's metadata about the request.
    public var metadata: [String: GeneratedContent]

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - id: The identifier of the entry.
    ///   - metadata: The app's metadata about the request.
    ///   - segments: The parts of the prompt.
    ///   - options: The options for generating the answer.
    ///   - responseFormat: The format of the answer, or `nil` for free text.
    ///   - contextOptions: The options for the schema in the prompt and for reasoning.
    public init(
      id: String = UUID().uuidString,
      metadata: [String: any ConvertibleToGeneratedContent] = [:], segments: [Segment],
      options: GenerationOptions = GenerationOptions(), responseFormat: ResponseFormat? = nil,
      contextOptions: ContextOptions = ContextOptions()
    ) {
      self.metadata = metadata.contents
      self.id = id
      self.segments = segments
      self.options = options
      self.responseFormat = responseFormat
      self.contextOptions = contextOptions
    }
  }

  /// The format that an answer must follow.
  public struct ResponseFormat: Sendable, Equatable {
    /// The kind of a response format.
    public enum Kind: Sendable, Equatable {
      /// A JSON value that follows a schema.
      case schema(GenerationSchema)
    }

    /// The kind of the format.
    public let kind: Kind
    /// The name of the schema.
    public let name: String

    /// Creates the format of answers that are values of a type.
    ///
    /// - Parameter type: The type.
    public init<Content: Generable>(type: Content.Type) {
      self.init(schema: Content.generationSchema)
    }

    /// Creates the format of answers that follow a schema.
    ///
    /// - Parameter schema: The schema.
    public init(schema: GenerationSchema) { self.init(schema: schema, name: schema.name) }

    init(schema: GenerationSchema, name: String) {
      kind = .schema(schema)
      self.name = name
    }
  }

  /// A transcript entry with the tool calls that a model made in one round.
  public struct ToolCalls: Sendable, Identifiable, Equatable, RandomAccessCollection {
    /// The identifier of the entry.
    public var id: String
    private var calls: [ToolCall]

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - id: The identifier of the entry.
    ///   - calls: The calls in order.
    public init(id: String = UUID().uuidString, _ calls: some Sequence<ToolCall>) {
      self.id = id
      self.calls = Array(calls)
    }

    /// The index of the first call.
    public var startIndex: Int { calls.startIndex }
    /// The index after the last call.
    public var endIndex: Int { calls.endIndex }
    /// The call at an index.
    ///
    /// - Parameter position: The index, from 0.
    public subscript(position: Int) -> ToolCall { calls[position] }
  }

  /// A call to one tool.
  public struct ToolCall: Sendable, Identifiable, Equatable {
    /// The identifier of the call.
    public var id: String
    /// The name of the tool.
    public var toolName: String
    /// The arguments that the model generated.
    public var arguments: GeneratedContent

    /// The executor's metadata about the call.
    public var metadata: [String: GeneratedContent]

    /// Creates a call without metadata.
    ///
    /// - Parameters:
    ///   - id: The identifier of the call.
    ///   - toolName: The name of the tool.
    ///   - arguments: The arguments that the model generated.
    public init(id: String, toolName: String, arguments: GeneratedContent) {
      self.init(id: id, metadata: [:], toolName: toolName, arguments: arguments)
    }

    /// Creates a call with metadata.
    ///
    /// - Parameters:
    ///   - id: The identifier of the call.
    ///   - metadata: The executor's metadata about the call.
    ///   - toolName: The name of the tool.
    ///   - arguments: The arguments that the model generated.
    public init(
      id: String, metadata: [String: any ConvertibleToGeneratedContent], toolName: String,
      arguments: GeneratedContent
    ) {
      self.id = id
      self.metadata = metadata.contents
      self.toolName = toolName
      self.arguments = arguments
    }
  }

  /// A transcript entry with the output of a tool.
  public struct ToolOutput: Sendable, Identifiable, Equatable {
    /// The identifier of the call.
    public var id: String
    /// The name of the tool.
    public var toolName: String
    /// The parts of the output.
    public var segments: [Segment]

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - id: The identifier of the call.
    ///   - toolName: The name of the tool.
    ///   - segments: The parts of the output.
    public init(id: String, toolName: String, segments: [Segment]) {
      self.id = id
      self.toolName = toolName
      self.segments = segments
    }
  }

  /// A transcript entry with a response from the model.
  public struct Response: Sendable, Identifiable, Equatable {
    /// The identifier of the entry.
    public var id: String
    /// The identifiers of the model assets that produced the response.
    ///
    /// The list is empty if a session of this framework generated the response.
    public var assetIDs: [String]
    /// The parts of the response.
    public var segments: [Segment]

    /// The executor's metadata about the entry.
    public var metadata: [String: GeneratedContent]

    /// Creates an entry with the identifiers of the model assets that produced the response.
    ///
    /// - Parameters:
    ///   - id: The identifier of the entry.
    ///   - assetIDs: The identifiers of the assets.
    ///   - segments: The parts of the response.
    public init(id: String = UUID().uuidString, assetIDs: [String], segments: [Segment]) {
      self.init(id: id, metadata: [:], segments: segments)
      self.assetIDs = assetIDs
    }

    /// Creates an entry with metadata.
    ///
    /// - Parameters:
    ///   - id: The identifier of the entry.
    ///   - metadata: The executor's metadata about the entry.
    ///   - segments: The parts of the response.
    public init(
      id: String = UUID().uuidString,
      metadata: [String: any ConvertibleToGeneratedContent] = [:], segments: [Segment]
    ) {
      self.id = id
      assetIDs = []
      self.metadata = metadata.contents
      self.segments = segments
    }
  }

  /// A transcript entry with the model's reasoning before its answer.
  public struct Reasoning: Sendable, Identifiable, Equatable {
    /// The identifier of the entry.
    public var id: String
    /// The parts of the reasoning.
    public var segments: [Segment]
    /// A signature with which the provider can verify the entry, or `nil` if there is none.
    public var signature: Data?

    /// The executor's metadata about the entry.
    public var metadata: [String: GeneratedContent]

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - id: The identifier of the entry.
    ///   - metadata: The executor's metadata about the entry.
    ///   - segments: The parts of the reasoning.
    ///   - signature: A signature with which the provider can verify the entry, or `nil` for none.
    public init(
      id: String = UUID().uuidString,
      metadata: [String: any ConvertibleToGeneratedContent] = [:], segments: [Segment],
      signature: Data? = nil
    ) {
      self.metadata = metadata.contents
      self.id = id
      self.segments = segments
      self.signature = signature
    }
  }
}
