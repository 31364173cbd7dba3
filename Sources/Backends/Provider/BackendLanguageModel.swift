public import EvalRecords
public import LanguageModelSessions

/// A language model for `LanguageModelSession` that gets its answers from a backend of the harness.
///
/// The model turns a conversation into one request that contains the instructions, the earlier
/// turns and the prompt. The backend generates a text answer as a JSON string. If there are tools,
/// the schema is a choice between an answer and a tool call. A stream has a snapshot for each piece
/// that the backend emits.
public struct BackendLanguageModel: LanguageModel {
  private let source: SessionBackend

  /// Creates a model from a backend.
  ///
  /// - Parameters:
  ///   - backend: The backend.
  ///   - settings: The sampling settings that apply if the session's options don't set them.
  ///   - seed: The seed of all answers. The first answer is repeat 0, and each later answer is the
  ///     next repeat. A seed in the session's options takes precedence.
  ///   - script: The answers of a stub backend. Other backends ignore the script.
  public init(
    _ backend: any EvalBackend, settings: GenerationSettings = GenerationSettings(),
    seed: UInt64 = 0, script: StubScript? = nil
  ) {
    source = SessionBackend(backend, settings: settings, seed: seed, script: script)
  }

  /// The model's capabilities: guided generation and tool calls.
  public var capabilities: LanguageModelCapabilities { SessionBackend.capabilities }

  /// The backend, for the executor.
  public var executorConfiguration: Executor.Configuration { .init(source: source) }

  /// The type that passes requests to the backend.
  public typealias Executor = BackendExecutor<BackendLanguageModel>
}
