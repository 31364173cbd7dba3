/// The progress of one answer while a backend generates it.
public enum AnswerProgress: Sendable, Hashable {
  /// The whole output so far.
  case text(String)
  /// The finished answer; nothing comes after it.
  case answer(BackendAnswer)
}

extension EvalBackend {
  /// Reports only the finished answer.
  public func progress(
    on request: BackendRequest, repeat repeatSeed: RepeatSeed
  ) -> AsyncStream<AnswerProgress> {
    .working { continuation in
      for await answer in answers(to: request, repeats: [repeatSeed]) {
        continuation.yield(.answer(answer))
      }
    }
  }
}

extension AsyncStream where Element: Sendable {
  /// Creates a stream from a task that is cancelled when nobody reads the stream anymore.
  ///
  /// - Parameter body: The task, which yields the elements.
  package static func working(
    _ body: @escaping @Sendable (Continuation) async -> Void
  ) -> AsyncStream {
    AsyncStream { continuation in
      let task = Task {
        await body(continuation)
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
