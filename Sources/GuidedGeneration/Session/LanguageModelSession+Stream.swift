extension LanguageModelSession {
  /// Streams the answer to a prompt.
  ///
  /// - Parameters:
  ///   - prompt: What is asked.
  ///   - options: How the answer is generated.
  /// - Returns: The answer while it is being generated; errors are thrown by the loop over it.
  public func streamResponse(
    to prompt: Prompt, options: GenerationOptions = GenerationOptions()
  ) -> ResponseStream<String> {
    stream(TurnRequest(prompt: prompt, schema: nil, options: options, context: ContextOptions()))
  }

  /// Streams the answer to a prompt.
  ///
  /// - Parameters:
  ///   - prompt: What is asked.
  ///   - options: How the answer is generated.
  /// - Returns: The answer while it is being generated; errors are thrown by the loop over it.
  @_disfavoredOverload
  public func streamResponse(
    to prompt: String, options: GenerationOptions = GenerationOptions()
  ) -> ResponseStream<String> {
    stream(
      TurnRequest(
        prompt: Prompt(text: prompt), schema: nil, options: options, context: ContextOptions()))
  }

  /// Streams the answer to a prompt.
  ///
  /// - Parameters:
  ///   - options: How the answer is generated.
  ///   - prompt: What is asked.
  /// - Returns: The answer while it is being generated; errors are thrown by the loop over it.
  /// - Throws: What the prompt throws.
  public func streamResponse(
    options: GenerationOptions = GenerationOptions(), @PromptBuilder prompt: () throws -> Prompt
  ) rethrows -> ResponseStream<String> {
    try stream(
      TurnRequest(prompt: prompt(), schema: nil, options: options, context: ContextOptions()))
  }

  /// Streams the answer to a prompt.
  ///
  /// - Parameters:
  ///   - prompt: What is asked.
  ///   - schema: What the answer keeps to.
  ///   - includeSchemaInPrompt: Whether the model reads the schema; the grammar keeps to it anyway.
  ///   - options: How the answer is generated.
  /// - Returns: The answer while it is being generated; errors are thrown by the loop over it.
  public func streamResponse(
    to prompt: Prompt, schema: GenerationSchema, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions()
  ) -> ResponseStream<GeneratedContent> {
    stream(
      TurnRequest(
        prompt: prompt, schema: schema, options: options,
        context: ContextOptions(includeSchemaInPrompt: includeSchemaInPrompt)))
  }

  /// Streams the answer to a prompt.
  ///
  /// - Parameters:
  ///   - prompt: What is asked.
  ///   - schema: What the answer keeps to.
  ///   - includeSchemaInPrompt: Whether the model reads the schema; the grammar keeps to it anyway.
  ///   - options: How the answer is generated.
  /// - Returns: The answer while it is being generated; errors are thrown by the loop over it.
  @_disfavoredOverload
  public func streamResponse(
    to prompt: String, schema: GenerationSchema, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions()
  ) -> ResponseStream<GeneratedContent> {
    stream(
      TurnRequest(
        prompt: Prompt(text: prompt), schema: schema, options: options,
        context: ContextOptions(includeSchemaInPrompt: includeSchemaInPrompt)))
  }

  /// Streams the answer to a prompt.
  ///
  /// - Parameters:
  ///   - schema: What the answer keeps to.
  ///   - includeSchemaInPrompt: Whether the model reads the schema; the grammar keeps to it anyway.
  ///   - options: How the answer is generated.
  ///   - prompt: What is asked.
  /// - Returns: The answer while it is being generated; errors are thrown by the loop over it.
  /// - Throws: What the prompt throws.
  public func streamResponse(
    schema: GenerationSchema, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions(), @PromptBuilder prompt: () throws -> Prompt
  ) rethrows -> ResponseStream<GeneratedContent> {
    try stream(
      TurnRequest(
        prompt: prompt(), schema: schema, options: options,
        context: ContextOptions(includeSchemaInPrompt: includeSchemaInPrompt)))
  }

  /// Streams the answer to a prompt.
  ///
  /// - Parameters:
  ///   - prompt: What is asked.
  ///   - type: The type of the answer.
  ///   - includeSchemaInPrompt: Whether the model reads the schema; the grammar keeps to it anyway.
  ///   - options: How the answer is generated.
  /// - Returns: The answer while it is being generated; errors are thrown by the loop over it.
  public func streamResponse<Content: Generable>(
    to prompt: Prompt, generating type: Content.Type = Content.self,
    includeSchemaInPrompt: Bool = true, options: GenerationOptions = GenerationOptions()
  ) -> ResponseStream<Content> {
    stream(
      TurnRequest(
        prompt: prompt, schema: type.generationSchema, options: options,
        context: ContextOptions(includeSchemaInPrompt: includeSchemaInPrompt)))
  }

  /// Streams the answer to a prompt.
  ///
  /// - Parameters:
  ///   - prompt: What is asked.
  ///   - type: The type of the answer.
  ///   - includeSchemaInPrompt: Whether the model reads the schema; the grammar keeps to it anyway.
  ///   - options: How the answer is generated.
  /// - Returns: The answer while it is being generated; errors are thrown by the loop over it.
  @_disfavoredOverload
  public func streamResponse<Content: Generable>(
    to prompt: String, generating type: Content.Type = Content.self,
    includeSchemaInPrompt: Bool = true, options: GenerationOptions = GenerationOptions()
  ) -> ResponseStream<Content> {
    stream(
      TurnRequest(
        prompt: Prompt(text: prompt), schema: type.generationSchema, options: options,
        context: ContextOptions(includeSchemaInPrompt: includeSchemaInPrompt)))
  }

  /// Streams the answer to a prompt.
  ///
  /// - Parameters:
  ///   - type: The type of the answer.
  ///   - includeSchemaInPrompt: Whether the model reads the schema; the grammar keeps to it anyway.
  ///   - options: How the answer is generated.
  ///   - prompt: What is asked.
  /// - Returns: The answer while it is being generated; errors are thrown by the loop over it.
  /// - Throws: What the prompt throws.
  public func streamResponse<Content: Generable>(
    generating type: Content.Type = Content.self, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions(), @PromptBuilder prompt: () throws -> Prompt
  ) rethrows -> ResponseStream<Content> {
    try stream(
      TurnRequest(
        prompt: prompt(), schema: type.generationSchema, options: options,
        context: ContextOptions(includeSchemaInPrompt: includeSchemaInPrompt)))
  }

  func stream<Content: Generable>(_ request: TurnRequest) -> ResponseStream<Content> {
    ResponseStream(session: self, request: request)
  }
}
