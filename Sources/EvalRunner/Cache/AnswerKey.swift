import EvalRecords

/// The digest of everything that determines an answer, the seed and the repeat included.
///
/// Answers with equal keys are equal, bit for bit, if the backend is deterministic. The request
/// fingerprint alone isn't enough: it doesn't cover what changes only the measurements of an
/// answer, such as the number of listed log probabilities, and it doesn't change with each edit of
/// the engine's code, so that the answers of two builds stay the same draws.
package struct AnswerKey: Sendable, Hashable {
  /// The part that all repeats of a request share, unless the backend sends each repeat
  /// differently.
  private let request: String

  /// Creates the key of the answers to a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - fingerprint: Its fingerprint.
  ///   - repeatSeed: A repeat.
  ///   - backend: The backend.
  package init(
    _ request: BackendRequest, fingerprint: String, repeat repeatSeed: RepeatSeed,
    on backend: any EvalBackend
  ) {
    self.request = RequestFingerprints.digest([
      "answer", fingerprint, backend.sentText(of: request, repeat: repeatSeed),
      backend.engineBuild ?? "",
    ])
  }

  /// Returns the digest for a repeat, in hexadecimal.
  package func digest(of repeatSeed: RepeatSeed) -> String {
    RequestFingerprints.digest([
      request, "\(repeatSeed.seed)", "\(repeatSeed.repeatIndex)",
    ])
  }
}

extension RunPlan.Job {
  /// Returns the key of the job's answers, or `nil` if the backend may give another answer to the
  /// same request.
  ///
  /// - Parameters:
  ///   - backend: The job's backend.
  ///   - fingerprints: The fingerprints of the run.
  package func answerKey(
    on backend: any EvalBackend, _ fingerprints: RequestFingerprints
  ) -> AnswerKey? {
    guard backend.record.isDeterministic, backend.engineBuild != nil, let first = repeats.first
    else { return nil }
    return AnswerKey(
      request, fingerprint: fingerprints.fingerprint(of: request, backend.record), repeat: first,
      on: backend)
  }
}
