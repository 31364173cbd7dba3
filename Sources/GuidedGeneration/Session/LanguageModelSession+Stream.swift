// Written by scripts/check/session-overloads.

extension LanguageModelSession {
  /// Streams a text response to a prompt.
  ///
  /// - Parameters:
  ///   - prompt: The prompt.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  /// - Returns: A stream of growing snapshots. Iterating over it throws if the request fails.
  public func streamResponse(
    to prompt: Prompt, options: GenerationOptions = GenerationOptions()
  ) -> ResponseStream<String> {
    stream(TurnRequest(prompt: prompt, schema: nil, options: options, context: ContextOptions()))
  }

  /// Streams a text response to a prompt.
  ///
  /// - Parameters:
  ///   - prompt: The prompt.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  /// - Returns: A stream of growing snapshots. Iterating over it throws if the request fails.
  @_disfavoredOverload
  public func streamResponse(
    to prompt: String, options: GenerationOptions = GenerationOptions()
  ) -> ResponseStream<String> {
    stream(
      TurnRequest(
        prompt: Prompt(text: prompt), schema: nil, options: options, context: ContextOptions()))
  }

  /// Streams a text response to a prompt.
  ///
  /// - Parameters:
  ///   - options: The options for the answer, which take precedence over the profile's options.
  ///   - prompt: A closure with the parts of the prompt.
  /// - Returns: A stream of growing snapshots. Iterating over it throws if the request fails.
  /// - Throws: The error that the prompt closure throws.
  public func streamResponse(
    options: GenerationOptions = GenerationOptions(), @PromptBuilder prompt: () throws -> Prompt
  ) rethrows -> ResponseStream<String> {
    try stream(
      TurnRequest(prompt: prompt(), schema: nil, options: options, context: ContextOptions()))
  }

  /// Streams a response that follows a schema.
  ///
  /// - Parameters:
  ///   - prompt: The prompt.
  ///   - schema: The schema that the answer must follow.
  ///   - includeSchemaInPrompt: Whether the prompt shows the schema. The mask enforces it anyway.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  /// - Returns: A stream of growing snapshots. Iterating over it throws if the request fails.
  public func streamResponse(
    to prompt: Prompt, schema: GenerationSchema, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions()
  ) -> ResponseStream<GeneratedContent> {
    stream(
      TurnRequest(
        prompt: prompt, schema: schema, options: options,
        context: ContextOptions(includeSchemaInPrompt: includeSchemaInPrompt)))
  }

  /// Streams a response that follows a schema.
  ///
  /// - Parameters:
  ///   - prompt: The prompt.
  ///   - schema: The schema that the answer must follow.
  ///   - includeSchemaInPrompt: Whether the prompt shows the schema. The mask enforces it anyway.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  /// - Returns: A stream of growing snapshots. Iterating over it throws if the request fails.
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

  /// Streams a response that follows a schema.
  ///
  /// - Parameters:
  ///   - schema: The schema that the answer must follow.
  ///   - includeSchemaInPrompt: Whether the prompt shows the schema. The mask enforces it anyway.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  ///   - prompt: A closure with the parts of the prompt.
  /// - Returns: A stream of growing snapshots. Iterating over it throws if the request fails.
  /// - Throws: The error that the prompt closure throws.
  public func streamResponse(
    schema: GenerationSchema, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions(), @PromptBuilder prompt: () throws -> Prompt
  ) rethrows -> ResponseStream<GeneratedContent> {
    try stream(
      TurnRequest(
        prompt: prompt(), schema: schema, options: options,
        context: ContextOptions(includeSchemaInPrompt: includeSchemaInPrompt)))
  }

  /// Streams a response whose value has a `Generable` type.
  ///
  /// - Parameters:
  ///   - prompt: The prompt.
  ///   - type: The type of the answer.
  ///   - includeSchemaInPrompt: Whether the prompt shows the schema. The mask enforces it anyway.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  /// - Returns: A stream of growing snapshots. Iterating over it throws if the request fails.
  public func streamResponse<Content: Generable>(
    to prompt: Prompt, generating type: Content.Type = Content.self,
    includeSchemaInPrompt: Bool = true, options: GenerationOptions = GenerationOptions()
  ) -> ResponseStream<Content> {
    stream(
      TurnRequest(
        prompt: prompt, schema: type.generationSchema, options: options,
        context: ContextOptions(includeSchemaInPrompt: includeSchemaInPrompt)))
  }

  /// Streams a response whose value has a `Generable` type.
  ///
  /// - Parameters:
  ///   - prompt: The prompt.
  ///   - type: The type of the answer.
  ///   - includeSchemaInPrompt: Whether the prompt shows the schema. The mask enforces it anyway.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  /// - Returns: A stream of growing snapshots. Iterating over it throws if the request fails.
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

  /// Streams a response whose value has a `Generable` type.
  ///
  /// - Parameters:
  ///   - type: The type of the answer.
  ///   - includeSchemaInPrompt: Whether the prompt shows the schema. The mask enforces it anyway.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  ///   - prompt: A closure with the parts of the prompt.
  /// - Returns: A stream of growing snapshots. Iterating over it throws if the request fails.
  /// - Throws: The error that the prompt closure throws.
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
