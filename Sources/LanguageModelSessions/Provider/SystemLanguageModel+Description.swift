import GuidedGeneration
public import SystemBasics

extension SystemLanguageModel {
  /// The maximum number of tokens in a conversation.
  ///
  /// The replacement reports this number. If there is no replacement, or the replacement doesn't
  /// report a number, the property is 4096, as for Apple's model in OS 26.
  public var contextSize: Int { Self.standIn.contextSize ?? 4096 }

  /// The languages that the model supports.
  ///
  /// Without a replacement, the set is empty. If the replacement doesn't list its languages, the
  /// set contains all languages.
  public var supportedLanguages: Set<Locale.Language> { Self.standIn.languages }

  /// Returns whether the model supports the language of a locale.
  ///
  /// - Parameter locale: The locale.
  /// - Returns: True if the replacement supports the language or doesn't list its languages. False
  ///   if it doesn't support the language, or if no replacement is registered.
  public func supportsLocale(_ locale: Locale = Locale.current) -> Bool {
    Self.standIn.supports(locale)
  }

  /// Returns the number of tokens in a prompt.
  ///
  /// - Parameter prompt: The prompt.
  /// - Returns: The number of tokens in its text.
  /// - Throws: `Error.assetsUnavailable` if no replacement is registered or the replacement isn't a
  ///   `DescribedLanguageModel`. Throws the replacement's error if it can't count the tokens.
  public nonisolated(nonsending) func tokenCount(
    for prompt: some PromptRepresentable
  ) async throws -> Int {
    try await Self.standIn.tokenCount(of: [prompt.promptRepresentation.text])
  }

  /// Returns the number of tokens in instructions.
  ///
  /// - Parameter instructions: The instructions.
  /// - Returns: The number of tokens in their text.
  /// - Throws: `Error.assetsUnavailable` if no replacement is registered or the replacement isn't a
  ///   `DescribedLanguageModel`. Throws the replacement's error if it can't count the tokens.
  public nonisolated(nonsending) func tokenCount(
    for instructions: Instructions
  ) async throws -> Int {
    try await Self.standIn.tokenCount(of: [instructions.text])
  }

  /// Returns the number of tokens in the definitions of tools.
  ///
  /// - Parameter tools: The tools.
  /// - Returns: The number of tokens in their names, descriptions and parameters.
  /// - Throws: `Error.assetsUnavailable` if no replacement is registered or the replacement isn't a
  ///   `DescribedLanguageModel`. Throws the replacement's error if it can't count the tokens.
  public nonisolated(nonsending) func tokenCount(for tools: [any Tool]) async throws -> Int {
    try await Self.standIn.tokenCount(
      of: tools.flatMap { Transcript.ToolDefinition(tool: $0).texts })
  }

  /// Returns the number of tokens in a schema.
  ///
  /// - Parameter schema: The schema.
  /// - Returns: The number of tokens in the schema's outline, as the model reads it in the prompt.
  /// - Throws: `Error.assetsUnavailable` if no replacement is registered or the replacement isn't a
  ///   `DescribedLanguageModel`. Throws the replacement's error if it can't count the tokens.
  public nonisolated(nonsending) func tokenCount(for schema: GenerationSchema) async throws -> Int {
    try await Self.standIn.tokenCount(of: [schema.outline])
  }

  /// Returns the number of tokens in a conversation.
  ///
  /// - Parameter transcriptEntries: The entries of the conversation.
  /// - Returns: The number of tokens in their texts, not counting the markup of a chat format.
  /// - Throws: `Error.assetsUnavailable` if no replacement is registered or the replacement isn't a
  ///   `DescribedLanguageModel`. Throws the replacement's error if it can't count the tokens.
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
  /// The entry's texts that the model reads.
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
    case .data: []
    }
  }
}

extension SystemLanguageModel {
  /// Returns whether the replacement can read attachments with a type of data.
  ///
  /// - Parameter type: The type.
  public nonisolated(nonsending) func supportsDataAttachmentType(
    _ type: UTType
  ) async throws -> Bool {
    try await Self.standIn.runner?.supportsDataAttachmentType(type) ?? false
  }

  /// Returns whether sessions may keep the replacement's data entries with a type of data.
  ///
  /// - Parameter type: The type.
  public nonisolated(nonsending) func supportsDataEntryType(
    _ type: UTType
  ) async throws -> Bool {
    try await Self.standIn.runner?.supportsDataEntryType(type) ?? false
  }
}
