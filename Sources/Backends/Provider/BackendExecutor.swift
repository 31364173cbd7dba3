public import GuidedGeneration

/// Passes the requests of a session to a backend.
public struct BackendExecutor<Model: LanguageModel>: LanguageModelExecutor {
  /// The backend.
  public struct Configuration: Hashable, Sendable {
    let source: SessionBackend
  }

  private let source: SessionBackend

  public init(configuration: Configuration) { source = configuration.source }

  public nonisolated(nonsending) func respond(
    to request: LanguageModelExecutorGenerationRequest, model: Model,
    streamingInto channel: LanguageModelExecutorGenerationChannel
  ) async throws {
    try await source.respond(to: request, streamingInto: channel)
  }
}
