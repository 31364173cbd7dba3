public import EvalRecords

/// Storage that keeps answers from one run to the next.
///
/// The caller provides the functions for reading and writing, so the runner doesn't access files.
public struct AnswerCache: Sendable {
  /// Reads the answer for a key; returns `nil` if there is none or if it can't be read.
  public var read: @Sendable (String) -> BackendAnswer?
  /// Stores an answer for a key.
  public var write: @Sendable (String, BackendAnswer) -> Void

  /// Creates a cache.
  public init(
    read: @escaping @Sendable (String) -> BackendAnswer?,
    write: @escaping @Sendable (String, BackendAnswer) -> Void
  ) {
    self.read = read
    self.write = write
  }
}

/// A backend that answers repeated requests from a cache, and passes all other requests to another
/// backend.
///
/// The key (``AnswerKey``) combines the request as it is sent, the request fingerprint, the build
/// of the engine, the seed *and* the repeat, so five repeats of a test case have five separate
/// answers, never a single answer used five times. The cache keeps only complete answers: a request
/// that ended with an error, a refusal or a cut-off answer is sent again. `isCached` is true for
/// answers from the cache. Suites whose texts must not be stored don't use the cache.
public struct CachingBackend: EvalBackend {
  private let backend: any EvalBackend
  private let cache: AnswerCache
  private let uncachedSuites: Set<String>
  private let fingerprints = RequestFingerprints()

  /// Creates a cache in front of a backend.
  ///
  /// - Parameters:
  ///   - backend: The backend for answers that are not in the cache.
  ///   - cache: The storage for answers.
  ///   - uncachedSuites: The ids of suites that don't use the cache.
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
  public var asksForAdmission: Bool { backend.asksForAdmission }

  /// Returns the obstacle of the backend behind the cache.
  public func obstacle(to request: BackendRequest) -> String? { backend.obstacle(to: request) }

  public var attemptsInWork: Int? { backend.attemptsInWork }

  public var engineBuild: String? { backend.engineBuild }

  public func sentText(of request: BackendRequest, repeat repeatSeed: RepeatSeed) -> String {
    backend.sentText(of: request, repeat: repeatSeed)
  }

  /// Returns the key of the answer to a repeat of a request.
  private func key(
    of request: BackendRequest, _ fingerprint: String, _ repeatSeed: RepeatSeed
  ) -> String {
    AnswerKey(request, fingerprint: fingerprint, repeat: repeatSeed, on: backend)
      .digest(of: repeatSeed)
  }

  public func answers(
    to request: BackendRequest, repeats: [RepeatSeed]
  ) -> AsyncStream<BackendAnswer> {
    answers(to: request, repeats: repeats, admission: .unlimited)
  }

  public func answers(
    to request: BackendRequest, repeats: [RepeatSeed], admission: RequestAdmission
  ) -> AsyncStream<BackendAnswer> {
    if uncachedSuites.contains(request.suite) {
      return backend.answers(to: request, repeats: repeats, admission: admission)
    }
    return AsyncStream { continuation in
      let task = Task {
        let fingerprint = fingerprints.fingerprint(of: request, backend.record)
        // A request may be written differently after an answer, so each key is made once.
        let keys = Dictionary(
          repeats.map { ($0, key(of: request, fingerprint, $0)) },
          uniquingKeysWith: { key, _ in key })
        var unknown: [RepeatSeed] = []
        for repeatSeed in repeats {
          if var answer = keys[repeatSeed].flatMap(cache.read),
            answer.repeatSeed == repeatSeed
          {
            answer.isCached = true
            continuation.yield(answer)
          } else {
            unknown.append(repeatSeed)
          }
        }
        if !unknown.isEmpty {
          let answers = backend.answers(to: request, repeats: unknown, admission: admission)
          for await answer in answers {
            if Task.isCancelled { break }
            if answer.failure == nil, answer.stopReason == .complete {
              if let key = keys[answer.repeatSeed] { cache.write(key, answer) }
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
