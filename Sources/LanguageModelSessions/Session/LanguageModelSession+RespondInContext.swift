// Written by scripts/check/session-overloads.

import GuidedGeneration

extension LanguageModelSession {
  /// Responds to a prompt with text; see ``respond(to:options:)``.
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

  /// Responds to a prompt with text; see ``respond(to:options:)``.
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

  /// Responds to a prompt with text; see ``respond(to:options:)``.
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

  /// Responds to a prompt with content that follows a schema; see ``respond(to:options:)``.
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

  /// Responds to a prompt with content that follows a schema; see ``respond(to:options:)``.
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

  /// Responds to a prompt with content that follows a schema; see ``respond(to:options:)``.
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

  /// Responds to a prompt with a value of a `Generable` type; see ``respond(to:options:)``.
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

  /// Responds to a prompt with a value of a `Generable` type; see ``respond(to:options:)``.
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

  /// Responds to a prompt with a value of a `Generable` type; see ``respond(to:options:)``.
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
