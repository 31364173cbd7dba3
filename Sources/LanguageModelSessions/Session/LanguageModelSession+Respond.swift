// Written by scripts/check/session-overloads.

import GuidedGeneration

extension LanguageModelSession {
  /// Responds to a prompt with text.
  ///
  /// The other overloads differ only in their parameters. `schema` is the schema that the answer
  /// must follow, and `generating` the type of the answer. `includeSchemaInPrompt` says whether the
  /// prompt shows the schema; the mask enforces it anyway. The overloads with `contextOptions` came
  /// with OS 27: those options are about the schema in the prompt and about reasoning, and
  /// `metadata` is the app's metadata about the request, for the model's executor.
  ///
  /// - Parameters:
  ///   - prompt: The prompt; in other overloads, a text, or a closure with the parts of the prompt.
  ///   - options: The options for the answer, which take precedence over the profile's options.
  /// - Returns: The final response, after any tool calls.
  /// - Throws: `LanguageModelError` if the model can't answer the request.
  ///   `LanguageModelSession.Error` if the session is still responding to another request, or if
  ///   the app sets the transcript during the request. `LanguageModelSession.ToolCallError` if a
  ///   tool fails. `GeneratedContent.ParsingError` if the model's text can't be read. The method
  ///   also rethrows errors of the model's executor, of a profile's actions and of the prompt
  ///   closure.
  @discardableResult
  public nonisolated(nonsending) func respond(
    to prompt: Prompt, options: GenerationOptions = GenerationOptions()
  ) async throws -> Response<String> {
    try await answer(
      TurnRequest(prompt: prompt, schema: nil, options: options, context: ContextOptions()))
  }

  /// Responds to a prompt with text; see ``respond(to:options:)``.
  @discardableResult
  @_disfavoredOverload
  public nonisolated(nonsending) func respond(
    to prompt: String, options: GenerationOptions = GenerationOptions()
  ) async throws -> Response<String> {
    try await answer(
      TurnRequest(
        prompt: Prompt(text: prompt), schema: nil, options: options, context: ContextOptions()))
  }

  /// Responds to a prompt with text; see ``respond(to:options:)``.
  @discardableResult
  public nonisolated(nonsending) func respond(
    options: GenerationOptions = GenerationOptions(), @PromptBuilder prompt: () throws -> Prompt
  ) async throws -> Response<String> {
    try await answer(
      TurnRequest(prompt: try prompt(), schema: nil, options: options, context: ContextOptions()))
  }

  /// Responds to a prompt with content that follows a schema; see ``respond(to:options:)``.
  @discardableResult
  public nonisolated(nonsending) func respond(
    to prompt: Prompt, schema: GenerationSchema, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions()
  ) async throws -> Response<GeneratedContent> {
    try await answer(
      TurnRequest(
        prompt: prompt, schema: schema, options: options,
        context: ContextOptions(includeSchemaInPrompt: includeSchemaInPrompt)))
  }

  /// Responds to a prompt with content that follows a schema; see ``respond(to:options:)``.
  @discardableResult
  @_disfavoredOverload
  public nonisolated(nonsending) func respond(
    to prompt: String, schema: GenerationSchema, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions()
  ) async throws -> Response<GeneratedContent> {
    try await answer(
      TurnRequest(
        prompt: Prompt(text: prompt), schema: schema, options: options,
        context: ContextOptions(includeSchemaInPrompt: includeSchemaInPrompt)))
  }

  /// Responds to a prompt with content that follows a schema; see ``respond(to:options:)``.
  @discardableResult
  public nonisolated(nonsending) func respond(
    schema: GenerationSchema, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions(), @PromptBuilder prompt: () throws -> Prompt
  ) async throws -> Response<GeneratedContent> {
    try await answer(
      TurnRequest(
        prompt: try prompt(), schema: schema, options: options,
        context: ContextOptions(includeSchemaInPrompt: includeSchemaInPrompt)))
  }

  /// Responds to a prompt with a value of a `Generable` type; see ``respond(to:options:)``.
  @discardableResult
  public nonisolated(nonsending) func respond<Content: Generable>(
    to prompt: Prompt, generating type: Content.Type = Content.self,
    includeSchemaInPrompt: Bool = true, options: GenerationOptions = GenerationOptions()
  ) async throws -> Response<Content> {
    try await answer(
      TurnRequest(
        prompt: prompt, schema: type.generationSchema, options: options,
        context: ContextOptions(includeSchemaInPrompt: includeSchemaInPrompt)))
  }

  /// Responds to a prompt with a value of a `Generable` type; see ``respond(to:options:)``.
  @discardableResult
  @_disfavoredOverload
  public nonisolated(nonsending) func respond<Content: Generable>(
    to prompt: String, generating type: Content.Type = Content.self,
    includeSchemaInPrompt: Bool = true, options: GenerationOptions = GenerationOptions()
  ) async throws -> Response<Content> {
    try await answer(
      TurnRequest(
        prompt: Prompt(text: prompt), schema: type.generationSchema, options: options,
        context: ContextOptions(includeSchemaInPrompt: includeSchemaInPrompt)))
  }

  /// Responds to a prompt with a value of a `Generable` type; see ``respond(to:options:)``.
  @discardableResult
  public nonisolated(nonsending) func respond<Content: Generable>(
    generating type: Content.Type = Content.self, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions(), @PromptBuilder prompt: () throws -> Prompt
  ) async throws -> Response<Content> {
    try await answer(
      TurnRequest(
        prompt: try prompt(), schema: type.generationSchema, options: options,
        context: ContextOptions(includeSchemaInPrompt: includeSchemaInPrompt)))
  }

  func answer<Content: Generable>(_ request: TurnRequest) async throws -> Response<Content> {
    try Response(try await turn(request))
  }
}
