import EvalRecords
import EvalReports
import EvalSessions
import ResultStore

extension RunSession {
  /// Keeps with a run what its models were asked to do, and tells it.
  ///
  /// - Parameters:
  ///   - run: The run as it ended.
  ///   - backends: The backends, which did nothing else.
  ///   - store: The database.
  /// - Returns: The run with it.
  func withEvaluations(
    _ run: RunRecord, _ backends: [any EvalBackend], _ store: ResultStore
  ) throws(SessionFailure) -> RunRecord {
    var evaluations: [String: EvaluationUse] = [:]
    for backend in backends {
      guard let use = backend.evaluations, use.evaluatedTokens > 0 else { continue }
      evaluations[backend.record.id] = use
      context.console.notes("\(backend.record.id): \(use.words)\n")
    }
    if evaluations.isEmpty { return run }
    return try perform { try store.add(evaluations: evaluations, toRun: run.id) }
  }
}
