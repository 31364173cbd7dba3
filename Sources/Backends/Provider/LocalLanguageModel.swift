public import EvalRecords
public import GuidedGeneration
public import LocalModels
import Tokenization

/// A GGUF file as a model for sessions, decoded in this process under an exact mask of the schema.
///
/// ```swift
/// let session = LanguageModelSession(model: try LocalLanguageModel(path: "model.gguf"))
/// let card = try await session.respond(to: "A card about bread", generating: Card.self)
/// ```
public struct LocalLanguageModel: DescribedLanguageModel {
  private let model: LocalModel
  private let source: SessionBackend

  /// How many tokens a conversation can have.
  public let contextSize: Int

  /// Opens a model.
  ///
  /// - Parameters:
  ///   - path: The GGUF file.
  ///   - chatFormat: How a conversation is written; the format that the file names where it is nil.
  ///   - settings: How answers are sampled where the session's options say nothing.
  ///   - seed: The seed of the first answer; every further one is another repeat of it. A seed in
  ///     the session's options goes before it.
  /// - Throws: `ModelFileError`, where the file is no model that can be run.
  public init(
    path: String, chatFormat: ChatFormat? = nil,
    settings: GenerationSettings = GenerationSettings(), seed: UInt64 = 0
  ) throws {
    model = try LocalModel(path: path)
    contextSize = model.usualContextLength
    let backend = LocalBackend(
      model: model, digest: nil, chatFormat: chatFormat, toolVersion: "session", isToy: false,
      workers: 2)
    source = SessionBackend(backend, settings: settings, seed: seed, contextSize: contextSize)
  }

  public var capabilities: LanguageModelCapabilities { SessionBackend.capabilities }

  public var executorConfiguration: Executor.Configuration { .init(source: source) }

  public func tokenCount(of text: String) -> Int { model.tokenizer.encode(text).count }

  /// Runs the model.
  public typealias Executor = BackendExecutor<LocalLanguageModel>
}
