public import LanguageModelSessions

/// Passes the requests of a session to a backend.
public struct BackendExecutor<Model: LanguageModel>: LanguageModelExecutor {
  /// The configuration of an executor: the backend that receives the requests.
  public struct Configuration: Hashable, Sendable {
    let source: SessionBackend
  }

  private let source: SessionBackend

  /// Creates an executor for a backend.
  public init(configuration: Configuration) { source = configuration.source }

  /// Passes a request to the backend, and sends the backend's answer to the channel as it is
  /// generated.
  ///
  /// - Throws: The error that a session throws for the backend's failure.
  public nonisolated(nonsending) func respond(
    to request: LanguageModelExecutorGenerationRequest, model: Model,
    streamingInto channel: LanguageModelExecutorGenerationChannel
  ) async throws {
    try await source.respond(to: request, streamingInto: channel)
  }
}
