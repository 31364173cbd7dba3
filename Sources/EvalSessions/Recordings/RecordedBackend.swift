import EvalRecords

/// A backend that returns recorded answers: the first repeat of a test case gets the first recorded
/// answer, and so on.
struct RecordedBackend: EvalBackend {
  /// The id of the backend in attempts.
  static let id = BackendRecord.recordedID

  /// The failure for a prompt without an answer.
  static let noAnswer = AttemptFailure(
    kind: .noAnswer, message: "the transcript has no answer to the prompt")

  let record = BackendRecord(
    id: id, model: "recorded", engine: "recorded: answers of imported transcripts",
    isDeterministic: false)
  /// The recordings, keyed by test case, which is written as `suite/case`.
  let recordings: [String: [Recording]]

  /// Returns `nil`: the answers already exist, so the settings don't matter.
  func obstacle(to settings: GenerationSettings) -> String? { nil }

  func answers(
    to request: BackendRequest, repeats: [RepeatSeed]
  ) -> AsyncStream<BackendAnswer> {
    let recordings = recordings["\(request.suite)/\(request.caseID)"] ?? []
    return AsyncStream { continuation in
      for repeatSeed in repeats where recordings.indices.contains(repeatSeed.repeatIndex) {
        let recording = recordings[repeatSeed.repeatIndex]
        continuation.yield(
          BackendAnswer(
            repeatSeed: repeatSeed, output: recording.output ?? "",
            stopReason: recording.output == nil ? .failed : .complete,
            failure: recording.output == nil ? Self.noAnswer : nil,
            renderedPrompt: recording.prompt))
      }
      continuation.finish()
    }
  }
}
