public import EvalRecords
public import LanguageModelSessions
public import LocalModels
import Tokenization

/// A language model for `LanguageModelSession` that runs a GGUF file in this process and decodes
/// under an exact mask of the schema.
///
/// ```swift
/// let session = LanguageModelSession(model: try LocalLanguageModel(path: "model.gguf"))
/// let card = try await session.respond(to: "A card about bread", generating: Card.self)
/// ```
public struct LocalLanguageModel: DescribedLanguageModel {
  private let model: LocalModel
  private let source: SessionBackend

  /// The maximum number of tokens in a conversation.
  public let contextSize: Int

  /// Creates a model by opening its file.
  ///
  /// - Parameters:
  ///   - path: The GGUF file.
  ///   - chatFormat: The format for conversations. `nil` selects the format of the file's template,
  ///     or `plain` if the template's format isn't known.
  ///   - settings: The sampling settings that apply if the session's options don't set them.
  ///   - seed: The seed of all answers. The first answer is repeat 0, and each later answer is the
  ///     next repeat. A seed in the session's options takes precedence.
  /// - Throws: `ModelFileError` if the file is not a model that the engine can run, or
  ///   `MissingControlTokens` if its vocabulary lacks control tokens of the chat format.
  public init(
    path: String, chatFormat: ChatFormat? = nil,
    settings: GenerationSettings = GenerationSettings(), seed: UInt64 = 0
  ) throws {
    model = try LocalModel(path: path)
    contextSize = model.usualContextLength
    let backend = try LocalBackend(
      model: model, digest: nil, chatFormat: chatFormat, toolVersion: "session", isToy: false,
      workers: 2)
    source = SessionBackend(backend, settings: settings, seed: seed, contextSize: contextSize)
  }

  /// The model's capabilities: guided generation and tool calls.
  public var capabilities: LanguageModelCapabilities { SessionBackend.capabilities }

  /// The name in the file's metadata.
  public var modelName: String? { model.info.name }

  /// The backend that decodes with the model, for the executor.
  public var executorConfiguration: Executor.Configuration { .init(source: source) }

  /// Returns the number of tokens of a text.
  public func tokenCount(of text: String) -> Int { model.tokenizer.encode(text).count }

  /// The type that runs the model.
  public typealias Executor = BackendExecutor<LocalLanguageModel>
}
