import GuidedGeneration
import SystemBasics

/// A request from a session to an executor.
public struct LanguageModelExecutorGenerationRequest: Sendable {
  /// The identifier of the request.
  public var id: UUID
  /// The conversation so far, which ends with the prompt or with the outputs of tools.
  public var transcript: Transcript
  /// The tools that the model may call; empty if the options disallow tool calls.
  public var enabledToolDefinitions: [Transcript.ToolDefinition]
  /// The schema that the answer must follow, or `nil` for free text.
  public var schema: GenerationSchema?
  /// The options for generating the answer.
  public var generationOptions: GenerationOptions
  /// The options that set the amount of reasoning, and whether the prompt contains the schema.
  public var contextOptions: ContextOptions
  /// The app's metadata about the request.
  public var metadata: [String: GeneratedContent]

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - id: The identifier of the request.
  ///   - transcript: The conversation so far, which ends with the prompt or with the outputs of
  ///     tools.
  ///   - enabledTools: The tools that the model may call.
  ///   - schema: The schema that the answer must follow, or `nil` for free text.
  ///   - generationOptions: The options for generating the answer.
  ///   - contextOptions: The options that set the amount of reasoning, and whether the prompt
  ///     contains the schema.
  ///   - metadata: The app's metadata about the request.
  public init(
    id: UUID, transcript: Transcript, enabledTools: [Transcript.ToolDefinition],
    schema: GenerationSchema? = nil, generationOptions: GenerationOptions,
    contextOptions: ContextOptions, metadata: [String: any ConvertibleToGeneratedContent]
  ) {
    self.id = id
    self.transcript = transcript
    enabledToolDefinitions = enabledTools
    self.schema = schema
    self.generationOptions = generationOptions
    self.contextOptions = contextOptions
    self.metadata = metadata.contents
  }
}

extension LanguageModelExecutorGenerationRequest {
  /// The text that the model reads before the conversation: the instructions and, if the request
  /// asks for it, the outline of the schema.
  package var systemText: String {
    var parts: [String] = []
    for case .instructions(let instructions) in transcript {
      parts.append(instructions.segments.text)
    }
    if let schema, contextOptions.includeSchemaInPrompt ?? true { parts.append(schema.outline) }
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }
}
