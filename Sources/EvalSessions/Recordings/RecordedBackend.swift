import EvalRecords

/// Answers with what was recorded elsewhere: repeat r of a case gets the r-th recorded answer.
struct RecordedBackend: EvalBackend {
  /// The id that attempts carry.
  static let id = "recorded"

  /// The failure of a prompt that nobody answered.
  static let noAnswer = AttemptFailure(
    kind: .noAnswer, message: "the transcript has no answer to the prompt")

  let record = BackendRecord(
    id: id, model: "recorded", engine: "recorded: answers of imported transcripts",
    isDeterministic: false)
  /// The answers by suite and case, as `suite/case`.
  let recordings: [String: [Recording]]

  /// Nothing is in the way: the answers were given elsewhere.
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
