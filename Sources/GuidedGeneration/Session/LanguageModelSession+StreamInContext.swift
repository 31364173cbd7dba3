extension LanguageModelSession {
  /// Streams the answer to a prompt.
  ///
  /// - Parameters:
  ///   - prompt: What is asked.
  ///   - options: How the answer is generated.
  ///   - contextOptions: What the model reads besides the prompt.
  ///   - metadata: What the app says of the request.
  /// - Returns: The answer while it is being generated; errors are thrown by the loop over it.
  @_disfavoredOverload
  public func streamResponse(
    to prompt: Prompt, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(),
    metadata: [String: any Sendable & Codable & Equatable] = [:]
  ) -> ResponseStream<String> {
    stream(
      TurnRequest(
        prompt: prompt, schema: nil, options: options, context: contextOptions, metadata: metadata))
  }

  /// Streams the answer to a prompt.
  ///
  /// - Parameters:
  ///   - prompt: What is asked.
  ///   - options: How the answer is generated.
  ///   - contextOptions: What the model reads besides the prompt.
  ///   - metadata: What the app says of the request.
  /// - Returns: The answer while it is being generated; errors are thrown by the loop over it.
  @_disfavoredOverload
  public func streamResponse(
    to prompt: String, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(),
    metadata: [String: any Sendable & Codable & Equatable] = [:]
  ) -> ResponseStream<String> {
    stream(
      TurnRequest(
        prompt: Prompt(text: prompt), schema: nil, options: options, context: contextOptions,
        metadata: metadata))
  }

  /// Streams the answer to a prompt.
  ///
  /// - Parameters:
  ///   - options: How the answer is generated.
  ///   - contextOptions: What the model reads besides the prompt.
  ///   - metadata: What the app says of the request.
  ///   - prompt: What is asked.
  /// - Returns: The answer while it is being generated; errors are thrown by the loop over it.
  /// - Throws: What the prompt throws.
  @_disfavoredOverload
  public func streamResponse(
    options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(),
    metadata: [String: any Sendable & Codable & Equatable] = [:],
    @PromptBuilder prompt: () throws -> Prompt
  ) rethrows -> ResponseStream<String> {
    try stream(
      TurnRequest(
        prompt: prompt(), schema: nil, options: options, context: contextOptions, metadata: metadata
      ))
  }

  /// Streams the answer to a prompt.
  ///
  /// - Parameters:
  ///   - prompt: What is asked.
  ///   - schema: What the answer keeps to.
  ///   - options: How the answer is generated.
  ///   - contextOptions: What the model reads besides the prompt.
  ///   - metadata: What the app says of the request.
  /// - Returns: The answer while it is being generated; errors are thrown by the loop over it.
  @_disfavoredOverload
  public func streamResponse(
    to prompt: Prompt, schema: GenerationSchema, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: [String: any Sendable & Codable & Equatable] = [:]
  ) -> ResponseStream<GeneratedContent> {
    stream(
      TurnRequest(
        prompt: prompt, schema: schema, options: options, context: contextOptions,
        metadata: metadata))
  }

  /// Streams the answer to a prompt.
  ///
  /// - Parameters:
  ///   - prompt: What is asked.
  ///   - schema: What the answer keeps to.
  ///   - options: How the answer is generated.
  ///   - contextOptions: What the model reads besides the prompt.
  ///   - metadata: What the app says of the request.
  /// - Returns: The answer while it is being generated; errors are thrown by the loop over it.
  @_disfavoredOverload
  public func streamResponse(
    to prompt: String, schema: GenerationSchema, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: [String: any Sendable & Codable & Equatable] = [:]
  ) -> ResponseStream<GeneratedContent> {
    stream(
      TurnRequest(
        prompt: Prompt(text: prompt), schema: schema, options: options, context: contextOptions,
        metadata: metadata))
  }

  /// Streams the answer to a prompt.
  ///
  /// - Parameters:
  ///   - schema: What the answer keeps to.
  ///   - options: How the answer is generated.
  ///   - contextOptions: What the model reads besides the prompt.
  ///   - metadata: What the app says of the request.
  ///   - prompt: What is asked.
  /// - Returns: The answer while it is being generated; errors are thrown by the loop over it.
  /// - Throws: What the prompt throws.
  @_disfavoredOverload
  public func streamResponse(
    schema: GenerationSchema, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: [String: any Sendable & Codable & Equatable] = [:],
    @PromptBuilder prompt: () throws -> Prompt
  ) rethrows -> ResponseStream<GeneratedContent> {
    try stream(
      TurnRequest(
        prompt: prompt(), schema: schema, options: options, context: contextOptions,
        metadata: metadata))
  }

  /// Streams the answer to a prompt.
  ///
  /// - Parameters:
  ///   - prompt: What is asked.
  ///   - type: The type of the answer.
  ///   - options: How the answer is generated.
  ///   - contextOptions: What the model reads besides the prompt.
  ///   - metadata: What the app says of the request.
  /// - Returns: The answer while it is being generated; errors are thrown by the loop over it.
  @_disfavoredOverload
  public func streamResponse<Content: Generable>(
    to prompt: Prompt, generating type: Content.Type = Content.self,
    options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: [String: any Sendable & Codable & Equatable] = [:]
  ) -> ResponseStream<Content> {
    stream(
      TurnRequest(
        prompt: prompt, schema: type.generationSchema, options: options, context: contextOptions,
        metadata: metadata))
  }

  /// Streams the answer to a prompt.
  ///
  /// - Parameters:
  ///   - prompt: What is asked.
  ///   - type: The type of the answer.
  ///   - options: How the answer is generated.
  ///   - contextOptions: What the model reads besides the prompt.
  ///   - metadata: What the app says of the request.
  /// - Returns: The answer while it is being generated; errors are thrown by the loop over it.
  @_disfavoredOverload
  public func streamResponse<Content: Generable>(
    to prompt: String, generating type: Content.Type = Content.self,
    options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: [String: any Sendable & Codable & Equatable] = [:]
  ) -> ResponseStream<Content> {
    stream(
      TurnRequest(
        prompt: Prompt(text: prompt), schema: type.generationSchema, options: options,
        context: contextOptions, metadata: metadata))
  }

  /// Streams the answer to a prompt.
  ///
  /// - Parameters:
  ///   - type: The type of the answer.
  ///   - options: How the answer is generated.
  ///   - contextOptions: What the model reads besides the prompt.
  ///   - metadata: What the app says of the request.
  ///   - prompt: What is asked.
  /// - Returns: The answer while it is being generated; errors are thrown by the loop over it.
  /// - Throws: What the prompt throws.
  @_disfavoredOverload
  public func streamResponse<Content: Generable>(
    generating type: Content.Type = Content.self, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: [String: any Sendable & Codable & Equatable] = [:],
    @PromptBuilder prompt: () throws -> Prompt
  ) rethrows -> ResponseStream<Content> {
    try stream(
      TurnRequest(
        prompt: prompt(), schema: type.generationSchema, options: options, context: contextOptions,
        metadata: metadata))
  }
}
