/// What a backend shows of one answer while it is being written.
public enum AnswerProgress: Sendable, Hashable {
  /// The output so far, each time the whole of it.
  case text(String)
  /// The answer; nothing comes after it.
  case answer(BackendAnswer)
}

extension EvalBackend {
  /// Shows the answer alone, when it is finished.
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
  /// A stream of what a task gives, which is cancelled when nobody reads on.
  ///
  /// - Parameter body: Gives the elements.
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
