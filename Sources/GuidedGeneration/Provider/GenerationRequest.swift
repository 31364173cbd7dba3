import Foundation

/// What a session asks of an executor.
public struct LanguageModelExecutorGenerationRequest: Sendable {
  /// What identifies the request.
  public var id: UUID
  /// The conversation so far, the prompt last.
  public var transcript: Transcript
  /// The tools that may be called.
  public var enabledToolDefinitions: [Transcript.ToolDefinition]
  /// What the answer keeps to, nil for free text.
  public var schema: GenerationSchema?
  /// How the answer is generated.
  public var generationOptions: GenerationOptions
  /// What the model reads besides the prompt.
  public var contextOptions: ContextOptions
  /// What the app says of the request.
  public var metadata: [String: any Sendable & Codable & Equatable]

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - id: What identifies the request.
  ///   - transcript: The conversation so far, the prompt last.
  ///   - enabledTools: The tools that may be called.
  ///   - schema: The schema that the answer must follow; nil for free text.
  ///   - generationOptions: How the answer is generated.
  ///   - contextOptions: The options for what the model reads besides the prompt.
  ///   - metadata: The app's own facts about the request, which are passed to the executor.
  public init(
    id: UUID, transcript: Transcript, enabledTools: [Transcript.ToolDefinition],
    schema: GenerationSchema? = nil, generationOptions: GenerationOptions,
    contextOptions: ContextOptions, metadata: [String: any Sendable & Codable & Equatable]
  ) {
    self.id = id
    self.transcript = transcript
    enabledToolDefinitions = enabledTools
    self.schema = schema
    self.generationOptions = generationOptions
    self.contextOptions = contextOptions
    self.metadata = metadata
  }
}

extension LanguageModelExecutorGenerationRequest {
  /// What the model is told before the conversation: the instructions and, where the request asks
  /// for it, the outline of the schema.
  ///
  /// The one place where either becomes text.
  package var systemText: String {
    var parts: [String] = []
    for case .instructions(let instructions) in transcript {
      parts.append(instructions.segments.text)
    }
    if let schema, contextOptions.includeSchemaInPrompt ?? true { parts.append(schema.outline) }
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }
}
