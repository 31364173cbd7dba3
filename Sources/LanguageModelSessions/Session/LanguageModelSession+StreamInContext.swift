// Written by scripts/check/session-overloads.

import GuidedGeneration

extension LanguageModelSession {
  /// Streams a text response to a prompt; see ``streamResponse(to:options:)``.
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

  /// Streams a text response to a prompt; see ``streamResponse(to:options:)``.
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

  /// Streams a text response to a prompt; see ``streamResponse(to:options:)``.
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

  /// Streams a response that follows a schema; see ``streamResponse(to:options:)``.
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

  /// Streams a response that follows a schema; see ``streamResponse(to:options:)``.
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

  /// Streams a response that follows a schema; see ``streamResponse(to:options:)``.
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

  /// Streams a response whose value has a `Generable` type; see ``streamResponse(to:options:)``.
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

  /// Streams a response whose value has a `Generable` type; see ``streamResponse(to:options:)``.
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

  /// Streams a response whose value has a `Generable` type; see ``streamResponse(to:options:)``.
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
