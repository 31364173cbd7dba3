public import Foundation

extension SystemLanguageModel {
  /// How many tokens a conversation can have: what the model that stands for the system's says, or
  /// 4096 as on Apple's devices.
  public var contextSize: Int { Self.standIn.contextSize ?? 4096 }

  /// The languages that the model knows: none without a model, all where the model that stands for
  /// the system's does not say.
  public var supportedLanguages: Set<Locale.Language> { Self.standIn.languages }

  /// Returns whether the model supports the language of a locale.
  ///
  /// - Parameter locale: The locale.
  /// - Returns: Whether it does; true if the model doesn't list its languages.
  public func supportsLocale(_ locale: Locale = Locale.current) -> Bool {
    Self.standIn.supports(locale)
  }

  /// Counts the tokens of a prompt.
  ///
  /// - Parameter prompt: The prompt.
  /// - Returns: How many tokens its text is.
  /// - Throws: `Error.assetsUnavailable` unless a `DescribedLanguageModel` replaces the system's.
  public nonisolated(nonsending) func tokenCount(
    for prompt: some PromptRepresentable
  ) async throws -> Int {
    try await Self.standIn.tokenCount(of: [prompt.promptRepresentation.text])
  }

  /// Counts the tokens of instructions.
  ///
  /// - Parameter instructions: The instructions.
  /// - Returns: How many tokens their text is.
  /// - Throws: `Error.assetsUnavailable` unless a `DescribedLanguageModel` replaces the system's.
  public nonisolated(nonsending) func tokenCount(
    for instructions: Instructions
  ) async throws -> Int {
    try await Self.standIn.tokenCount(of: [instructions.text])
  }

  /// Counts the tokens of the definitions of tools.
  ///
  /// - Parameter tools: The tools.
  /// - Returns: How many tokens their names, descriptions and parameters are.
  /// - Throws: `Error.assetsUnavailable` unless a `DescribedLanguageModel` replaces the system's.
  public nonisolated(nonsending) func tokenCount(for tools: [any Tool]) async throws -> Int {
    try await Self.standIn.tokenCount(
      of: tools.flatMap { Transcript.ToolDefinition(tool: $0).texts })
  }

  /// Counts the tokens of a schema.
  ///
  /// - Parameter schema: The schema.
  /// - Returns: How many tokens it is as the model reads it in the prompt.
  /// - Throws: `Error.assetsUnavailable` unless a `DescribedLanguageModel` replaces the system's.
  public nonisolated(nonsending) func tokenCount(for schema: GenerationSchema) async throws -> Int {
    try await Self.standIn.tokenCount(of: [schema.outline])
  }

  /// Counts the tokens of a conversation.
  ///
  /// - Parameter transcriptEntries: Its entries.
  /// - Returns: How many tokens their texts are, without what a chat format puts between them.
  /// - Throws: `Error.assetsUnavailable` unless a `DescribedLanguageModel` replaces the system's.
  public nonisolated(nonsending) func tokenCount(
    for transcriptEntries: some Collection<Transcript.Entry>
  ) async throws -> Int {
    try await Self.standIn.tokenCount(of: transcriptEntries.flatMap(\.texts))
  }
}

extension Transcript.ToolDefinition {
  fileprivate var texts: [String] { [name, description, parameters.outline] }
}

extension Transcript.Entry {
  /// What the model reads of the entry.
  fileprivate var texts: [String] {
    switch self {
    case .instructions(let entry): [entry.segments.text] + entry.toolDefinitions.flatMap(\.texts)
    case .prompt(let entry):
      [entry.segments.text]
        + (entry.responseFormat.map { format in
          switch format.kind {
          case .schema(let schema): [schema.outline]
          }
        } ?? [])
    case .toolCalls(let entry): entry.map(\.description)
    case .toolOutput(let entry): [entry.segments.text]
    case .response(let entry): [entry.segments.text]
    case .reasoning(let entry): [entry.segments.text]
    }
  }
}
