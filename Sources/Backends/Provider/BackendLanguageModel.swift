public import EvalRecords
public import GuidedGeneration

/// A backend of the harness as a model for sessions.
///
/// The conversation becomes one request: the instructions, the earlier turns, and the prompt. A text
/// answer is generated as a JSON string; tools are called through a schema that is the choice between
/// an answer and a call. A stream has a snapshot for each piece that the backend shows.
public struct BackendLanguageModel: LanguageModel {
  private let source: SessionBackend

  /// Makes a model of a backend.
  ///
  /// - Parameters:
  ///   - backend: The backend.
  ///   - settings: How answers are sampled where the session's options say nothing.
  ///   - seed: The seed of the first answer; every further one is another repeat of it. A seed in
  ///     the session's options goes before it.
  ///   - script: What a stub answers.
  public init(
    _ backend: any EvalBackend, settings: GenerationSettings = GenerationSettings(),
    seed: UInt64 = 0, script: StubScript? = nil
  ) {
    source = SessionBackend(backend, settings: settings, seed: seed, script: script)
  }

  public var capabilities: LanguageModelCapabilities { SessionBackend.capabilities }

  public var executorConfiguration: Executor.Configuration { .init(source: source) }

  /// Hands requests to the backend.
  public typealias Executor = BackendExecutor<BackendLanguageModel>
}
