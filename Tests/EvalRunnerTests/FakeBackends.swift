import EvalRecords

/// A backend that answers with a closure's results; the stream ends at the first nil.
struct ScriptedBackend: EvalBackend {
  var record = BackendRecord(
    id: "fake", model: "fake", engine: "scripted", isDeterministic: true)
  var hasOwnManners = false
  var answer: @Sendable (BackendRequest, RepeatSeed) -> BackendAnswer?

  func answers(
    to request: BackendRequest, repeats: [RepeatSeed]
  ) -> AsyncStream<BackendAnswer> {
    AsyncStream { continuation in
      for repeatSeed in repeats {
        guard let answer = answer(request, repeatSeed) else { break }
        continuation.yield(answer)
      }
      continuation.finish()
    }
  }
}

/// A backend that answers some repeats and then hangs, even if its task is cancelled.
struct HangingBackend: EvalBackend {
  var record = BackendRecord(
    id: "fake", model: "fake", engine: "hangs", isDeterministic: true)
  /// The repeats that the backend answers.
  ///
  /// It hangs at the first repeat that is not in the set.
  var answered: Set<Int>

  func answers(
    to request: BackendRequest, repeats: [RepeatSeed]
  ) -> AsyncStream<BackendAnswer> {
    AsyncStream { continuation in
      for repeatSeed in repeats {
        guard answered.contains(repeatSeed.repeatIndex) else { return }
        continuation.yield(
          BackendAnswer(repeatSeed: repeatSeed, output: "\"x\"", stopReason: .complete))
      }
      continuation.finish()
    }
  }
}
