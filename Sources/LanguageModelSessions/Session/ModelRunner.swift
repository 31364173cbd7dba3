import Synchronization

/// A type-erased model with its executors.
struct ModelRunner: Sendable {
  let model: any LanguageModel
  let executors: ExecutorPool

  init(_ model: any LanguageModel, executors: ExecutorPool = ExecutorPool()) {
    self.model = model
    self.executors = executors
  }

  var capabilities: LanguageModelCapabilities { model.capabilities }

  func supportsDataAttachmentType(_ type: UTType) async throws -> Bool {
    try await model.supportsDataAttachmentType(type)
  }

  func supportsDataEntryType(_ type: UTType) async throws -> Bool {
    try await model.supportsDataEntryType(type)
  }

  func prewarm(_ transcript: Transcript) {
    func prewarm(_ model: some LanguageModel) throws {
      try executors.executor(of: model).prewarm(model: model, transcript: transcript)
    }
    // Ignore an error, because the next request will fail in the same way and throw it.
    try? prewarm(model)
  }

  func respond(
    to request: LanguageModelExecutorGenerationRequest,
    streamingInto channel: LanguageModelExecutorGenerationChannel
  ) async throws {
    func respond(_ model: some LanguageModel) async throws {
      try await executors.executor(of: model)
        .respond(to: request, model: model, streamingInto: channel)
    }
    try await respond(model)
  }
}

/// The executors of a session; models with the same executor type and equal configurations share an
/// executor.
final class ExecutorPool: Sendable {
  private struct Key: Hashable, Sendable {
    let executor: ObjectIdentifier
    let configuration: any Hashable & Sendable

    static func == (left: Key, right: Key) -> Bool {
      left.executor == right.executor
        && AnyHashable(left.configuration) == AnyHashable(right.configuration)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(executor)
      hasher.combine(AnyHashable(configuration))
    }
  }

  private let executors = Mutex<[Key: any LanguageModelExecutor]>([:])

  func executor<Model: LanguageModel>(of model: Model) throws -> Model.Executor {
    let configuration = model.executorConfiguration
    let key = Key(executor: ObjectIdentifier(Model.Executor.self), configuration: configuration)
    return try executors.withLock { executors in
      if let executor = executors[key] as? Model.Executor { return executor }
      let executor = try Model.Executor(configuration: configuration)
      executors[key] = executor
      return executor
    }
  }
}
