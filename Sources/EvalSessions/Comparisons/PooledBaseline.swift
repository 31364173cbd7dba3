import EvalRecords
import EvalStatistics
import ResultStore

extension ComparisonSide {
  /// Returns this side, extended by the attempts of earlier runs with the same guides, model,
  /// engine, options and assertions but different seeds.
  ///
  /// - Parameters:
  ///   - store: The database with the runs.
  ///   - run: The run to compare; only runs before this run are pooled. If it is `nil`, all runs
  ///     are pooled.
  ///   - isFirst: Whether the history begins with this side's run. A reference replaces what was
  ///     before it: otherwise, somebody who accepts worse results would still be told every night
  ///     that earlier results were better.
  /// - Returns: The side; unchanged if nothing can be pooled.
  package func pooling(
    _ store: ResultStore, before run: Int?, isFirst: Bool
  ) throws(SessionFailure) -> ComparisonSide {
    guard let suite = self.run.suites.first(where: { $0.id == selection.suite }),
      let variant = selection.variant
    else { return self }
    let earlier = try perform {
      try store.runIDs(matching: RunFilter(suite: suite.id, status: .complete, before: run))
    }
    guard !earlier.isEmpty else { return self }
    var side = self
    for backend in self.run.backends where selection.backend.map({ $0 == backend.id }) ?? true {
      let own = attempts.filter {
        $0.key.suite == suite.id && $0.key.variant == variant && $0.key.backend == backend.id
          && $0.outcome != .skipped && !$0.isBackendError
      }
      let sampling = SliceSampling(
        run: self.run, suite: suite, variant: variant, backend: backend)
      side.histories[backend.id] = try Self.history(
        suite, own, of: self.run, sampling, in: store, before: run, isFirst: isFirst)
    }
    return side
  }

  /// Returns the baseline's attempts pooled with those of earlier runs, or `nil` if no earlier run
  /// has the same requests.
  private static func history(
    _ suite: SuiteRecord, _ own: [AttemptRecord], of base: RunRecord, _ sampling: SliceSampling,
    in store: ResultStore, before run: Int?, isFirst: Bool
  ) throws(SessionFailure) -> PooledHistory? {
    let fingerprints = Dictionary(
      own.compactMap { attempt in
        attempt.details.fingerprint.map { (attempt.key.caseID, $0) }
      }, uniquingKeysWith: { first, _ in first })
    guard !fingerprints.isEmpty else { return nil }
    let found = try perform {
      try store.earlierAttempts(
        like: suite, fingerprints, before: run, except: base, isFirst: isFirst)
    }
    // A history is in the order of its runs' numbers. A reference from another database can have a
    // number that a later run of this database has, too.
    let first = found.attempts.first.map { min(base.id, $0.run - 1) } ?? base.id
    let number = isFirst ? first : base.id
    let entries =
      found.attempts.map { attempt in
        PooledHistory.Entry(
          DrawnAttempt(
            caseID: attempt.caseID, fingerprint: attempt.fingerprint, run: attempt.run,
            seed: attempt.seed, isCached: attempt.isCached, sampling: sampling,
            answer: DrawnAttempt.answer(attempt.outputDigest, attempt.outcome)),
          passed: attempt.outcome == .pass)
      }
      + own.filter { $0.details.fingerprint != nil }.map { attempt in
        PooledHistory.Entry(
          DrawnAttempt(attempt, run: number, sampling: sampling),
          passed: attempt.outcome == .pass)
      }
    // The sort is stable, so attempts keep their order within a run. With a significance level of
    // 0, the history keeps the runs from before a change of the pass rate, so that later runs are
    // compared with those runs too.
    let history = PooledHistory(
      entries.sorted { $0.attempt.run < $1.attempt.run }, omissions: found.omissions, alpha: 0)
    return history.nights > 1 ? history : nil
  }
}

extension EarlierAttempts {
  /// The runs that are not pooled, with the reasons.
  fileprivate var omissions: [HistorySummary.Omission] {
    (otherRuns.isEmpty ? [] : [.otherRequest(runs: otherRuns)])
      + (otherwiseJudged.isEmpty ? [] : [.otherJudgement(runs: otherwiseJudged)])
      + (parts.isEmpty ? [] : [.part(runs: parts)])
  }
}
