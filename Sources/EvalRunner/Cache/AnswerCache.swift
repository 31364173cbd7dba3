public import EvalRecords

/// Where answers are kept between runs: passed in, so that the runner touches no files.
public struct AnswerCache: Sendable {
  /// The kept answer for a key; nil where there is none, or none that can be read.
  public var read: @Sendable (String) -> BackendAnswer?
  /// Keeps an answer under a key.
  public var write: @Sendable (String, BackendAnswer) -> Void

  /// Makes a cache.
  public init(
    read: @escaping @Sendable (String) -> BackendAnswer?,
    write: @escaping @Sendable (String, BackendAnswer) -> Void
  ) {
    self.read = read
    self.write = write
  }
}

/// A backend that answers from a cache what has been asked before, and asks another one for the rest.
///
/// The key is the request's fingerprint with the seed *and* the repeat: five repeats of a case are five
/// answers, never one answer five times. Only complete answers are kept: an error, a refusal or an
/// answer that was cut off is asked for anew. What comes from the cache is marked. Suites whose texts
/// are not to be kept are asked anew each time.
public struct CachingBackend: EvalBackend {
  private let backend: any EvalBackend
  private let cache: AnswerCache
  private let uncachedSuites: Set<String>
  private let fingerprints = RequestFingerprints()

  /// Puts a cache before a backend.
  ///
  /// - Parameters:
  ///   - backend: What answers where the cache does not.
  ///   - cache: Where answers are kept.
  ///   - uncachedSuites: The ids of suites whose answers are neither kept nor looked for.
  public init(_ backend: any EvalBackend, cache: AnswerCache, uncachedSuites: Set<String> = []) {
    self.backend = backend
    self.cache = cache
    self.uncachedSuites = uncachedSuites
  }

  public var record: BackendRecord { backend.record }

  public var evaluations: EvaluationUse? { backend.evaluations }
  public var served: ServedUse? { backend.served }
  public var ending: String? { backend.ending }
  public var caseLimit: Int? { backend.caseLimit }
  public var hasOwnManners: Bool { backend.hasOwnManners }

  /// What is in the way of the backend behind the cache.
  public func obstacle(to settings: GenerationSettings) -> String? {
    backend.obstacle(to: settings)
  }

  public var attemptsInWork: Int? { backend.attemptsInWork }

  /// The key of an answer.
  static func key(_ fingerprint: String, _ repeatSeed: RepeatSeed) -> String {
    RequestFingerprints.digest([
      "answer", fingerprint, "\(repeatSeed.seed)", "\(repeatSeed.repeatIndex)",
    ])
  }

  public func answers(
    to request: BackendRequest, repeats: [RepeatSeed]
  ) -> AsyncStream<BackendAnswer> {
    if uncachedSuites.contains(request.suite) {
      return backend.answers(to: request, repeats: repeats)
    }
    return AsyncStream { continuation in
      let task = Task {
        let fingerprint = fingerprints.fingerprint(of: request, backend.record)
        var unknown: [RepeatSeed] = []
        for repeatSeed in repeats {
          if var answer = cache.read(Self.key(fingerprint, repeatSeed)),
            answer.repeatSeed == repeatSeed
          {
            answer.isCached = true
            continuation.yield(answer)
          } else {
            unknown.append(repeatSeed)
          }
        }
        if !unknown.isEmpty {
          for await answer in backend.answers(to: request, repeats: unknown) {
            if Task.isCancelled { break }
            if answer.failure == nil, answer.stopReason == .complete {
              cache.write(Self.key(fingerprint, answer.repeatSeed), answer)
            }
            continuation.yield(answer)
          }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
