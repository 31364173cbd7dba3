// Written by scripts/check/session-overloads.

extension LanguageModelSession {
  /// Responds to a prompt with text, using the parameters of OS 27.
  ///
  /// - Parameters:
  ///   - prompt: The prompt.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  ///   - contextOptions: The options for the schema in the prompt and for reasoning.
  ///   - metadata: The app's metadata about the request, for the model's executor.
  /// - Returns: The final response, after any tool calls.
  /// - Throws: `LanguageModelError` if the model can't answer the request.
  ///   `LanguageModelSession.Error` if the session is still responding to another request, or if
  ///   the app sets the transcript during the request. `LanguageModelSession.ToolCallError` if a
  ///   tool fails. `GeneratedContent.ParsingError` if the model's text can't be read. The method
  ///   also rethrows errors of the model's executor and of a profile's actions.
  @discardableResult
  @_disfavoredOverload
  public nonisolated(nonsending) func respond(
    to prompt: Prompt, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(),
    metadata: [String: any ConvertibleToGeneratedContent] = [:]
  ) async throws -> Response<String> {
    try await answer(
      TurnRequest(
        prompt: prompt, schema: nil, options: options, context: contextOptions,
        metadata: metadata.contents))
  }

  /// Responds to a prompt with text, using the parameters of OS 27.
  ///
  /// - Parameters:
  ///   - prompt: The prompt.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  ///   - contextOptions: The options for the schema in the prompt and for reasoning.
  ///   - metadata: The app's metadata about the request, for the model's executor.
  /// - Returns: The final response, after any tool calls.
  /// - Throws: `LanguageModelError` if the model can't answer the request.
  ///   `LanguageModelSession.Error` if the session is still responding to another request, or if
  ///   the app sets the transcript during the request. `LanguageModelSession.ToolCallError` if a
  ///   tool fails. `GeneratedContent.ParsingError` if the model's text can't be read. The method
  ///   also rethrows errors of the model's executor and of a profile's actions.
  @discardableResult
  @_disfavoredOverload
  public nonisolated(nonsending) func respond(
    to prompt: String, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(),
    metadata: [String: any ConvertibleToGeneratedContent] = [:]
  ) async throws -> Response<String> {
    try await answer(
      TurnRequest(
        prompt: Prompt(text: prompt), schema: nil, options: options, context: contextOptions,
        metadata: metadata.contents))
  }

  /// Responds to a prompt with text, using the parameters of OS 27.
  ///
  /// - Parameters:
  ///   - options: The options for the answer, which take precedence over the profile's options.
  ///   - contextOptions: The options for the schema in the prompt and for reasoning.
  ///   - metadata: The app's metadata about the request, for the model's executor.
  ///   - prompt: A closure with the parts of the prompt.
  /// - Returns: The final response, after any tool calls.
  /// - Throws: `LanguageModelError` if the model can't answer the request.
  ///   `LanguageModelSession.Error` if the session is still responding to another request, or if
  ///   the app sets the transcript during the request. `LanguageModelSession.ToolCallError` if a
  ///   tool fails. `GeneratedContent.ParsingError` if the model's text can't be read. The method
  ///   also rethrows errors of the model's executor, of a profile's actions and of the prompt
  ///   closure.
  @discardableResult
  @_disfavoredOverload
  public nonisolated(nonsending) func respond(
    options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(),
    metadata: [String: any ConvertibleToGeneratedContent] = [:],
    @PromptBuilder prompt: () throws -> Prompt
  ) async throws -> Response<String> {
    try await answer(
      TurnRequest(
        prompt: try prompt(), schema: nil, options: options, context: contextOptions,
        metadata: metadata.contents))
  }

  /// Responds to a prompt with content that follows a schema, using the parameters of OS 27.
  ///
  /// - Parameters:
  ///   - prompt: The prompt.
  ///   - schema: The schema that the answer must follow.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  ///   - contextOptions: The options for the schema in the prompt and for reasoning.
  ///   - metadata: The app's metadata about the request, for the model's executor.
  /// - Returns: The final response, after any tool calls.
  /// - Throws: `LanguageModelError` if the model can't answer the request.
  ///   `LanguageModelSession.Error` if the session is still responding to another request, or if
  ///   the app sets the transcript during the request. `LanguageModelSession.ToolCallError` if a
  ///   tool fails. `GeneratedContent.ParsingError` if the model's text can't be read. The method
  ///   also rethrows errors of the model's executor and of a profile's actions.
  @discardableResult
  @_disfavoredOverload
  public nonisolated(nonsending) func respond(
    to prompt: Prompt, schema: GenerationSchema, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: [String: any ConvertibleToGeneratedContent] = [:]
  ) async throws -> Response<GeneratedContent> {
    try await answer(
      TurnRequest(
        prompt: prompt, schema: schema, options: options, context: contextOptions,
        metadata: metadata.contents))
  }

  /// Responds to a prompt with content that follows a schema, using the parameters of OS 27.
  ///
  /// - Parameters:
  ///   - prompt: The prompt.
  ///   - schema: The schema that the answer must follow.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  ///   - contextOptions: The options for the schema in the prompt and for reasoning.
  ///   - metadata: The app's metadata about the request, for the model's executor.
  /// - Returns: The final response, after any tool calls.
  /// - Throws: `LanguageModelError` if the model can't answer the request.
  ///   `LanguageModelSession.Error` if the session is still responding to another request, or if
  ///   the app sets the transcript during the request. `LanguageModelSession.ToolCallError` if a
  ///   tool fails. `GeneratedContent.ParsingError` if the model's text can't be read. The method
  ///   also rethrows errors of the model's executor and of a profile's actions.
  @discardableResult
  @_disfavoredOverload
  public nonisolated(nonsending) func respond(
    to prompt: String, schema: GenerationSchema, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: [String: any ConvertibleToGeneratedContent] = [:]
  ) async throws -> Response<GeneratedContent> {
    try await answer(
      TurnRequest(
        prompt: Prompt(text: prompt), schema: schema, options: options, context: contextOptions,
        metadata: metadata.contents))
  }

  /// Responds to a prompt with content that follows a schema, using the parameters of OS 27.
  ///
  /// - Parameters:
  ///   - schema: The schema that the answer must follow.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  ///   - contextOptions: The options for the schema in the prompt and for reasoning.
  ///   - metadata: The app's metadata about the request, for the model's executor.
  ///   - prompt: A closure with the parts of the prompt.
  /// - Returns: The final response, after any tool calls.
  /// - Throws: `LanguageModelError` if the model can't answer the request.
  ///   `LanguageModelSession.Error` if the session is still responding to another request, or if
  ///   the app sets the transcript during the request. `LanguageModelSession.ToolCallError` if a
  ///   tool fails. `GeneratedContent.ParsingError` if the model's text can't be read. The method
  ///   also rethrows errors of the model's executor, of a profile's actions and of the prompt
  ///   closure.
  @discardableResult
  @_disfavoredOverload
  public nonisolated(nonsending) func respond(
    schema: GenerationSchema, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: [String: any ConvertibleToGeneratedContent] = [:],
    @PromptBuilder prompt: () throws -> Prompt
  ) async throws -> Response<GeneratedContent> {
    try await answer(
      TurnRequest(
        prompt: try prompt(), schema: schema, options: options, context: contextOptions,
        metadata: metadata.contents))
  }

  /// Responds to a prompt with a value of a `Generable` type, using the parameters of OS 27.
  ///
  /// - Parameters:
  ///   - prompt: The prompt.
  ///   - type: The type of the answer.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  ///   - contextOptions: The options for the schema in the prompt and for reasoning.
  ///   - metadata: The app's metadata about the request, for the model's executor.
  /// - Returns: The final response, after any tool calls.
  /// - Throws: `LanguageModelError` if the model can't answer the request.
  ///   `LanguageModelSession.Error` if the session is still responding to another request, or if
  ///   the app sets the transcript during the request. `LanguageModelSession.ToolCallError` if a
  ///   tool fails. `GeneratedContent.ParsingError` if the model's text can't be read. The method
  ///   also rethrows errors of the model's executor and of a profile's actions.
  @discardableResult
  @_disfavoredOverload
  public nonisolated(nonsending) func respond<Content: Generable>(
    to prompt: Prompt, generating type: Content.Type = Content.self,
    options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: [String: any ConvertibleToGeneratedContent] = [:]
  ) async throws -> Response<Content> {
    try await answer(
      TurnRequest(
        prompt: prompt, schema: type.generationSchema, options: options, context: contextOptions,
        metadata: metadata.contents))
  }

  /// Responds to a prompt with a value of a `Generable` type, using the parameters of OS 27.
  ///
  /// - Parameters:
  ///   - prompt: The prompt.
  ///   - type: The type of the answer.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  ///   - contextOptions: The options for the schema in the prompt and for reasoning.
  ///   - metadata: The app's metadata about the request, for the model's executor.
  /// - Returns: The final response, after any tool calls.
  /// - Throws: `LanguageModelError` if the model can't answer the request.
  ///   `LanguageModelSession.Error` if the session is still responding to another request, or if
  ///   the app sets the transcript during the request. `LanguageModelSession.ToolCallError` if a
  ///   tool fails. `GeneratedContent.ParsingError` if the model's text can't be read. The method
  ///   also rethrows errors of the model's executor and of a profile's actions.
  @discardableResult
  @_disfavoredOverload
  public nonisolated(nonsending) func respond<Content: Generable>(
    to prompt: String, generating type: Content.Type = Content.self,
    options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: [String: any ConvertibleToGeneratedContent] = [:]
  ) async throws -> Response<Content> {
    try await answer(
      TurnRequest(
        prompt: Prompt(text: prompt), schema: type.generationSchema, options: options,
        context: contextOptions, metadata: metadata.contents))
  }

  /// Responds to a prompt with a value of a `Generable` type, using the parameters of OS 27.
  ///
  /// - Parameters:
  ///   - type: The type of the answer.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  ///   - contextOptions: The options for the schema in the prompt and for reasoning.
  ///   - metadata: The app's metadata about the request, for the model's executor.
  ///   - prompt: A closure with the parts of the prompt.
  /// - Returns: The final response, after any tool calls.
  /// - Throws: `LanguageModelError` if the model can't answer the request.
  ///   `LanguageModelSession.Error` if the session is still responding to another request, or if
  ///   the app sets the transcript during the request. `LanguageModelSession.ToolCallError` if a
  ///   tool fails. `GeneratedContent.ParsingError` if the model's text can't be read. The method
  ///   also rethrows errors of the model's executor, of a profile's actions and of the prompt
  ///   closure.
  @discardableResult
  @_disfavoredOverload
  public nonisolated(nonsending) func respond<Content: Generable>(
    generating type: Content.Type = Content.self, options: GenerationOptions = GenerationOptions(),
    contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
    metadata: [String: any ConvertibleToGeneratedContent] = [:],
    @PromptBuilder prompt: () throws -> Prompt
  ) async throws -> Response<Content> {
    try await answer(
      TurnRequest(
        prompt: try prompt(), schema: type.generationSchema, options: options,
        context: contextOptions, metadata: metadata.contents))
  }
}
