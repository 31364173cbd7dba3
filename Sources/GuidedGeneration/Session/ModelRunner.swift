import Synchronization

/// A model with its executor, whatever their types.
struct ModelRunner: Sendable {
  let capabilities: @Sendable () -> LanguageModelCapabilities
  let prewarm: @Sendable (Transcript) -> Void
  let respond:
    @Sendable (
      LanguageModelExecutorGenerationRequest, LanguageModelExecutorGenerationChannel
    ) async throws -> Void

  init<Model: LanguageModel>(_ model: Model) {
    let executor = OnceMade { try Model.Executor(configuration: model.executorConfiguration) }
    capabilities = { model.capabilities }
    prewarm = { transcript in
      // What goes wrong here goes wrong again, and is thrown, when there is a request.
      try? executor.value().prewarm(model: model, transcript: transcript)
    }
    respond = { request, channel in
      try await executor.value().respond(to: request, model: model, streamingInto: channel)
    }
  }
}

/// A value that is made when it is first needed.
private final class OnceMade<Value: Sendable>: Sendable {
  private let made = Mutex<Value?>(nil)
  private let make: @Sendable () throws -> Value

  init(_ make: @escaping @Sendable () throws -> Value) { self.make = make }

  func value() throws -> Value {
    try made.withLock { made in
      if let made { return made }
      let value = try make()
      made = value
      return value
    }
  }
}
