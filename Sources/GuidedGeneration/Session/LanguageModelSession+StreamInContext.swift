// Written by scripts/check/session-overloads.

extension LanguageModelSession {
  /// Streams a text response to a prompt, using the parameters of OS 27.
  ///
  /// - Parameters:
  ///   - prompt: The prompt.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  ///   - contextOptions: The options for the schema in the prompt and for reasoning.
  ///   - metadata: The app's metadata about the request, for the model's executor.
  /// - Returns: A stream of growing snapshots. Iterating over it throws if the request fails.
  @_disfavoredOverload
  public func streamResponse(
    to prompt: Prompt, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(),
    metadata: [String: any ConvertibleToGeneratedContent] = [:]
  ) -> ResponseStream<String> {
    stream(
      TurnRequest(
        prompt: prompt, schema: nil, options: options, context: contextOptions,
        metadata: metadata.contents))
  }

  /// Streams a text response to a prompt, using the parameters of OS 27.
  ///
  /// - Parameters:
  ///   - prompt: The prompt.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  ///   - contextOptions: The options for the schema in the prompt and for reasoning.
  ///   - metadata: The app's metadata about the request, for the model's executor.
  /// - Returns: A stream of growing snapshots. Iterating over it throws if the request fails.
  @_disfavoredOverload
  public func streamResponse(
    to prompt: String, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(),
    metadata: [String: any ConvertibleToGeneratedContent] = [:]
  ) -> ResponseStream<String> {
    stream(
      TurnRequest(
        prompt: Prompt(text: prompt), schema: nil, options: options, context: contextOptions,
        metadata: metadata.contents))
  }

  /// Streams a text response to a prompt, using the parameters of OS 27.
  ///
  /// - Parameters:
  ///   - options: The options for the answer, which take precedence over the profile's options.
  ///   - contextOptions: The options for the schema in the prompt and for reasoning.
  ///   - metadata: The app's metadata about the request, for the model's executor.
  ///   - prompt: A closure with the parts of the prompt.
  /// - Returns: A stream of growing snapshots. Iterating over it throws if the request fails.
  /// - Throws: The error that the prompt closure throws.
  @_disfavoredOverload
  public func streamResponse(
    options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(),
    metadata: [String: any ConvertibleToGeneratedContent] = [:],
    @PromptBuilder prompt: () throws -> Prompt
  ) rethrows -> ResponseStream<String> {
    try stream(
      TurnRequest(
        prompt: prompt(), schema: nil, options: options, context: contextOptions,
        metadata: metadata.contents))
  }

  /// Streams a response that follows a schema, using the parameters of OS 27.
  ///
  /// - Parameters:
  ///   - prompt: The prompt.
  ///   - schema: The schema that the answer must follow.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  ///   - contextOptions: The options for the schema in the prompt and for reasoning.
  ///   - metadata: The app's metadata about the request, for the model's executor.
  /// - Returns: A stream of growing snapshots. Iterating over it throws if the request fails.
  @_disfavoredOverload
  public func streamResponse(
    to prompt: Prompt, schema: GenerationSchema, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: [String: any ConvertibleToGeneratedContent] = [:]
  ) -> ResponseStream<GeneratedContent> {
    stream(
      TurnRequest(
        prompt: prompt, schema: schema, options: options, context: contextOptions,
        metadata: metadata.contents))
  }

  /// Streams a response that follows a schema, using the parameters of OS 27.
  ///
  /// - Parameters:
  ///   - prompt: The prompt.
  ///   - schema: The schema that the answer must follow.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  ///   - contextOptions: The options for the schema in the prompt and for reasoning.
  ///   - metadata: The app's metadata about the request, for the model's executor.
  /// - Returns: A stream of growing snapshots. Iterating over it throws if the request fails.
  @_disfavoredOverload
  public func streamResponse(
    to prompt: String, schema: GenerationSchema, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: [String: any ConvertibleToGeneratedContent] = [:]
  ) -> ResponseStream<GeneratedContent> {
    stream(
      TurnRequest(
        prompt: Prompt(text: prompt), schema: schema, options: options, context: contextOptions,
        metadata: metadata.contents))
  }

  /// Streams a response that follows a schema, using the parameters of OS 27.
  ///
  /// - Parameters:
  ///   - schema: The schema that the answer must follow.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  ///   - contextOptions: The options for the schema in the prompt and for reasoning.
  ///   - metadata: The app's metadata about the request, for the model's executor.
  ///   - prompt: A closure with the parts of the prompt.
  /// - Returns: A stream of growing snapshots. Iterating over it throws if the request fails.
  /// - Throws: The error that the prompt closure throws.
  @_disfavoredOverload
  public func streamResponse(
    schema: GenerationSchema, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: [String: any ConvertibleToGeneratedContent] = [:],
    @PromptBuilder prompt: () throws -> Prompt
  ) rethrows -> ResponseStream<GeneratedContent> {
    try stream(
      TurnRequest(
        prompt: prompt(), schema: schema, options: options, context: contextOptions,
        metadata: metadata.contents))
  }

  /// Streams a response whose value has a `Generable` type, using the parameters of OS 27.
  ///
  /// - Parameters:
  ///   - prompt: The prompt.
  ///   - type: The type of the answer.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  ///   - contextOptions: The options for the schema in the prompt and for reasoning.
  ///   - metadata: The app's metadata about the request, for the model's executor.
  /// - Returns: A stream of growing snapshots. Iterating over it throws if the request fails.
  @_disfavoredOverload
  public func streamResponse<Content: Generable>(
    to prompt: Prompt, generating type: Content.Type = Content.self,
    options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: [String: any ConvertibleToGeneratedContent] = [:]
  ) -> ResponseStream<Content> {
    stream(
      TurnRequest(
        prompt: prompt, schema: type.generationSchema, options: options, context: contextOptions,
        metadata: metadata.contents))
  }

  /// Streams a response whose value has a `Generable` type, using the parameters of OS 27.
  ///
  /// - Parameters:
  ///   - prompt: The prompt.
  ///   - type: The type of the answer.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  ///   - contextOptions: The options for the schema in the prompt and for reasoning.
  ///   - metadata: The app's metadata about the request, for the model's executor.
  /// - Returns: A stream of growing snapshots. Iterating over it throws if the request fails.
  @_disfavoredOverload
  public func streamResponse<Content: Generable>(
    to prompt: String, generating type: Content.Type = Content.self,
    options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: [String: any ConvertibleToGeneratedContent] = [:]
  ) -> ResponseStream<Content> {
    stream(
      TurnRequest(
        prompt: Prompt(text: prompt), schema: type.generationSchema, options: options,
        context: contextOptions, metadata: metadata.contents))
  }

  /// Streams a response whose value has a `Generable` type, using the parameters of OS 27.
  ///
  /// - Parameters:
  ///   - type: The type of the answer.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  ///   - contextOptions: The options for the schema in the prompt and for reasoning.
  ///   - metadata: The app's metadata about the request, for the model's executor.
  ///   - prompt: A closure with the parts of the prompt.
  /// - Returns: A stream of growing snapshots. Iterating over it throws if the request fails.
  /// - Throws: The error that the prompt closure throws.
  @_disfavoredOverload
  public func streamResponse<Content: Generable>(
    generating type: Content.Type = Content.self, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: [String: any ConvertibleToGeneratedContent] = [:],
    @PromptBuilder prompt: () throws -> Prompt
  ) rethrows -> ResponseStream<Content> {
    try stream(
      TurnRequest(
        prompt: prompt(), schema: type.generationSchema, options: options, context: contextOptions,
        metadata: metadata.contents))
  }
}
