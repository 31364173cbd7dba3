import Backends
import EvalRecords
import EvalRunner
import EvalSuites
import ResultStore

extension Evaluation {
  /// Creates the backends, with a cache if the settings ask for one.
  func backends(for suites: [Suite]) throws(SessionFailure) -> [any EvalBackend] {
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
      choice, in: context, drafts: acceptedAnswers(of: suites))
    guard settings.isCached else { return backends }
    // If a suite keeps only digests of its texts, the cache must not keep the texts either.
    let withheld = Set(suites.filter { $0.details.store == .digests }.map(\.id))
    let cache = AnswerFolder(path: "\(settings.reports)/cache").cache
    return backends.map { CachingBackend($0, cache: cache, uncachedSuites: withheld) }
  }

  /// Collects the answers of the suites' accepted baselines, which new answers often repeat.
  ///
  /// Without these answers the run is only slower, so a baseline that can't be read is reported and
  /// otherwise ignored.
  private func acceptedAnswers(of suites: [Suite]) -> AnswerDrafts {
    let drafts = AnswerDrafts()
    for id in Set(suites.map(\.id)).sorted() {
      do throws(SessionFailure) {
        for baseline in try SuiteBaseline.all(acceptedFor: id, in: settings.reports) {
          for attempt in baseline.attempts where attempt.key.suite == id {
            drafts.add(attempt.output, suite: id, caseID: attempt.key.caseID)
          }
        }
      } catch {
        onEvent(.ignoredDrafts(suite: id, reason: error.messages.joined(separator: "; ")))
      }
    }
    return drafts
  }

  /// Stores and reports the work of the backends for a run: evaluations of local models, and
  /// requests to served models.
  ///
  /// - Parameters:
  ///   - backends: The backends, which worked only for this run.
  ///   - run: The run, which has ended.
  ///   - store: The database.
  /// - Returns: The run with the work added.
  func adding(
    evaluationsOf backends: [any EvalBackend], to run: RunRecord, in store: ResultStore
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
      onEvent(.asked(use, backend: backend.record.id))
    }
    if evaluations.isEmpty, served.isEmpty { return run }
    return try perform {
      try store.add(evaluations: evaluations, served: served, toRun: run.id)
    }
  }
}
