import Backends
import EvalRecords
import EvalRunner
import EvalSuites
import LocalModels
import ResultStore

extension Evaluation {
  /// Creates the backends, with a cache if the settings enable caching.
  ///
  /// - Parameters:
  ///   - suites: The suites.
  ///   - drafts: The earlier answers that local models use as drafts; callers can add more later.
  func backends(
    for suites: [Suite], drafts: AnswerDrafts
  ) throws(SessionFailure) -> [any EvalBackend] {
    if settings.backends.record != nil,
      let suite = suites.first(where: { $0.details.store == .digests })
    {
      throw SessionFailure(
        .usage,
        "\(suite.path): the suite keeps no texts (`store: digests`), so its answers can't be "
          + "recorded; leave out --record")
    }
    var choice = settings.backends
    choice.workers = settings.jobs
    let backends = try BackendFactory.backends(
      choice, in: context, drafts: drafts, isProfiled: settings.isProfiled)
    let runsModel = backends.contains { $0 is LocalBackend && !$0.record.isToy }
    if runsModel, LocalModel.isDebugBuild { onEvent(.runsDebugBuild) }
    guard settings.isCached else { return backends }
    // If a suite keeps only digests of its texts, the cache must not keep the texts either.
    let withheld = Set(suites.filter { $0.details.store == .digests }.map(\.id))
    let cache = AnswerFolder(path: "\(settings.reports)/cache").cache
    return backends.map { CachingBackend($0, cache: cache, uncachedSuites: withheld) }
  }

  /// Collects earlier answers as drafts: the answers in each suite's accepted baselines or, if the
  /// suite has none, in its last complete run.
  ///
  /// New answers often repeat earlier answers, so drafts make a run faster. A run without drafts is
  /// only slower, so if a baseline can't be read, the evaluation reports this and continues.
  ///
  /// - Returns: The earlier attempts.
  func addEarlierAnswers(
    to suites: [Suite], in store: ResultStore, into drafts: AnswerDrafts
  ) throws(SessionFailure) -> [AttemptRecord] {
    let backends = settings.backends
    guard backends.usesDrafts else { return [] }
    guard backends.ids.contains("local") || !backends.localModels.isEmpty else { return [] }
    var earlier: [AttemptRecord] = []
    for id in Set(suites.map(\.id)).sorted() {
      var attempts: [AttemptRecord] = []
      do throws(SessionFailure) {
        attempts = try SuiteBaseline.all(acceptedFor: id, in: settings.reports).flatMap(\.attempts)
      } catch {
        onEvent(.ignoredDrafts(suite: id, reason: error.messages.joined(separator: "; ")))
      }
      if attempts.isEmpty {
        attempts = try perform {
          guard let last = try store.latestRun(matching: .init(suite: id, status: .complete)) else {
            return []
          }
          return try store.attempts(run: last.id, .init(suite: id, includesTraces: false))
        }
      }
      for attempt in attempts where attempt.key.suite == id {
        drafts.add(attempt.output, of: attempt.key)
        earlier.append(attempt)
      }
    }
    return earlier
  }

  /// Stores and reports the work done for a run: the tokens that local models evaluated, the
  /// requests to served models and, if it was measured, the time of each phase.
  ///
  /// - Parameters:
  ///   - backends: The backends, which must not have been used for any other run.
  ///   - profile: The processor time of judging and storing, or `nil` if it was not measured.
  ///   - run: The run, which has ended.
  ///   - attempts: All attempts of the run.
  ///   - store: The database.
  /// - Returns: The run with the work added.
  func adding(
    evaluationsOf backends: [any EvalBackend], _ profile: TimeProfile?, to run: RunRecord,
    with attempts: [AttemptRecord], in store: ResultStore
  ) throws(SessionFailure) -> RunRecord {
    var evaluations: [String: EvaluationUse] = [:]
    for backend in backends {
      guard let use = backend.evaluations, use.evaluatedTokens > 0 else { continue }
      evaluations[backend.record.id] = use
      onEvent(.used(use, backend: backend.record.id))
    }
    var served: [String: ServedUse] = [:]
    for backend in backends {
      guard let use = backend.served else { continue }
      served[backend.record.id] = use
    }
    if evaluations.isEmpty, served.isEmpty, profile == nil { return run }
    let updated = try perform {
      try store.add(
        evaluations: evaluations, served: served, attempts: attempts, profile: profile,
        toRun: run.id)
    }
    for backend in backends {
      guard var use = served[backend.record.id] else { continue }
      // The counts are those of this process, but a changed model concerns the whole run.
      if let whole = updated.details.served?[backend.record.id] {
        (use.models, use.fingerprints) = (whole.models, whole.fingerprints)
      }
      onEvent(.asked(use, backend: backend.record.id))
    }
    if profile != nil, let whole = updated.details.wholeProfile { onEvent(.profiled(whole)) }
    return updated
  }
}
