import EvalRecords

/// A backend that returns recorded answers: the first repeat of a test case gets the first recorded
/// answer, and so on.
struct RecordedBackend: EvalBackend {
  /// The id of the backend in attempts.
  static let id = BackendRecord.recordedID

  /// The failure for a prompt without an answer.
  static let noAnswer = AttemptFailure(
    kind: .noAnswer, message: "the transcript has no answer to the prompt")

  let record: BackendRecord
  /// The recordings, keyed by test case and variant.
  let recordings: [RecordedFacts.Place: [Recording]]

  /// Creates a backend.
  ///
  /// - Parameters:
  ///   - identity: The model and the system that gave the answers.
  ///   - recordings: The recordings, keyed by test case and variant.
  init(_ identity: RecordedIdentity, recordings: [RecordedFacts.Place: [Recording]] = [:]) {
    record = identity.record
    self.recordings = recordings
  }

  /// True: the answers already exist, so the runner must not ask for another one.
  var hasOwnManners: Bool { true }

  /// Returns `nil`: the answers already exist, so the settings don't matter.
  func obstacle(to request: BackendRequest) -> String? { nil }

  func answers(
    to request: BackendRequest, repeats: [RepeatSeed]
  ) -> AsyncStream<BackendAnswer> {
    let place = RecordedFacts.Place(
      suite: request.suite, variant: request.variant, caseID: request.caseID)
    let recordings = recordings[place] ?? []
    return AsyncStream { continuation in
      for repeatSeed in repeats where recordings.indices.contains(repeatSeed.repeatIndex) {
        continuation.yield(recordings[repeatSeed.repeatIndex].answer(repeatSeed))
      }
      continuation.finish()
    }
  }
}

extension Recording {
  /// The failure of the answer, or `nil` if there is an answer to judge.
  var failure: AttemptFailure? { facts.failure ?? (output == nil ? RecordedBackend.noAnswer : nil) }

  /// Returns the answer to a repeat.
  func answer(_ repeatSeed: RepeatSeed) -> BackendAnswer {
    var answer = BackendAnswer(
      repeatSeed: repeatSeed, output: output ?? "", stopReason: StopReason(recorded: failure),
      failure: failure,
      renderedPrompt: prompt, promptTokens: facts.promptTokens ?? 0,
      outputTokens: facts.outputTokens ?? 0, duration: facts.seconds ?? 0)
    if facts.model != nil || facts.system != nil {
      var source = ServedAnswer()
      source.model = facts.model
      source.fingerprint = facts.system
      answer.served = source
    }
    return answer
  }
}
