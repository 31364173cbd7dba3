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
      choice, in: context, drafts: acceptedAnswers(of: suites), isProfiled: settings.isProfiled)
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

  /// Stores and reports the work for a run: evaluations of local models, requests to served models,
  /// and the time of each phase, if it was measured.
  ///
  /// - Parameters:
  ///   - backends: The backends, which worked only for this run.
  ///   - profile: The processor time of judging and storing; nil if it was not measured.
  ///   - run: The run, which has ended.
  ///   - store: The database.
  /// - Returns: The run with the work added.
  func adding(
    evaluationsOf backends: [any EvalBackend], _ profile: TimeProfile?, to run: RunRecord,
    in store: ResultStore
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
    if evaluations.isEmpty, served.isEmpty, profile == nil { return run }
    let updated = try perform {
      try store.add(evaluations: evaluations, served: served, profile: profile, toRun: run.id)
    }
    if profile != nil, let whole = updated.details.wholeProfile { onEvent(.profiled(whole)) }
    return updated
  }
}
