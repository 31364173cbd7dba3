// Written by scripts/check/session-overloads.

import GuidedGeneration

extension LanguageModelSession {
  /// Streams a text response to a prompt.
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
  /// - Returns: A stream of growing snapshots. Iterating over it throws if the request fails; the
  ///   method itself only throws the error of the prompt closure.
  public func streamResponse(
    to prompt: Prompt, options: GenerationOptions = GenerationOptions()
  ) -> ResponseStream<String> {
    stream(TurnRequest(prompt: prompt, schema: nil, options: options, context: ContextOptions()))
  }

  /// Streams a text response to a prompt; see ``streamResponse(to:options:)``.
  @_disfavoredOverload
  public func streamResponse(
    to prompt: String, options: GenerationOptions = GenerationOptions()
  ) -> ResponseStream<String> {
    stream(
      TurnRequest(
        prompt: Prompt(text: prompt), schema: nil, options: options, context: ContextOptions()))
  }

  /// Streams a text response to a prompt; see ``streamResponse(to:options:)``.
  public func streamResponse(
    options: GenerationOptions = GenerationOptions(), @PromptBuilder prompt: () throws -> Prompt
  ) rethrows -> ResponseStream<String> {
    try stream(
      TurnRequest(prompt: prompt(), schema: nil, options: options, context: ContextOptions()))
  }

  /// Streams a response that follows a schema; see ``streamResponse(to:options:)``.
  public func streamResponse(
    to prompt: Prompt, schema: GenerationSchema, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions()
  ) -> ResponseStream<GeneratedContent> {
    stream(
      TurnRequest(
        prompt: prompt, schema: schema, options: options,
        context: ContextOptions(includeSchemaInPrompt: includeSchemaInPrompt)))
  }

  /// Streams a response that follows a schema; see ``streamResponse(to:options:)``.
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

  /// Streams a response that follows a schema; see ``streamResponse(to:options:)``.
  public func streamResponse(
    schema: GenerationSchema, includeSchemaInPrompt: Bool = true,
    options: GenerationOptions = GenerationOptions(), @PromptBuilder prompt: () throws -> Prompt
  ) rethrows -> ResponseStream<GeneratedContent> {
    try stream(
      TurnRequest(
        prompt: prompt(), schema: schema, options: options,
        context: ContextOptions(includeSchemaInPrompt: includeSchemaInPrompt)))
  }

  /// Streams a response whose value has a `Generable` type; see ``streamResponse(to:options:)``.
  public func streamResponse<Content: Generable>(
    to prompt: Prompt, generating type: Content.Type = Content.self,
    includeSchemaInPrompt: Bool = true, options: GenerationOptions = GenerationOptions()
  ) -> ResponseStream<Content> {
    stream(
      TurnRequest(
        prompt: prompt, schema: type.generationSchema, options: options,
        context: ContextOptions(includeSchemaInPrompt: includeSchemaInPrompt)))
  }

  /// Streams a response whose value has a `Generable` type; see ``streamResponse(to:options:)``.
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

  /// Streams a response whose value has a `Generable` type; see ``streamResponse(to:options:)``.
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
