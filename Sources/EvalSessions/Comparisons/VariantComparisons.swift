import EvalFindings
import EvalRecords
import EvalStatistics
import EvalSuites
import ResultStore

/// Compares the variants in a run of `assay compare` or `assay lab`, or in a second look.
package enum VariantComparisons {
  /// Compares the variants of a run on each backend, after adding attempts from earlier runs to the
  /// baseline variant.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - attempts: The run's attempts.
  ///   - store: The database with the earlier runs, or `nil` to pool none.
  ///   - decisionsOnly: Whether the attempts stopped after their decisions.
  /// - Returns: One comparison for each backend and candidate; empty if the run doesn't compare
  ///   variants.
  package static func comparisons(
    of run: RunRecord, _ attempts: [AttemptRecord], pooling store: ResultStore? = nil,
    decisionsOnly: Bool = false
  ) throws(SessionFailure) -> [ReportComparison] {
    guard let comparison = run.comparison, let suite = run.suites.first else { return [] }
    var rules = ComparisonRules()
    rules.margin = comparison.margin
    rules.comparesDecisionsOnly = decisionsOnly
    var comparisons: [ReportComparison] = []
    let compared = run.withFixedDecisions
    for backend in run.backends {
      func side(_ variant: String) -> ComparisonSide {
        ComparisonSide(
          run: compared, attempts: attempts,
          selection: ComparisonSelection(
            suite: suite.id, variant: variant, backend: backend.id))
      }
      var baseline = side(comparison.baseline)
      if let store { baseline = try baseline.pooling(store, before: run.id, isFirst: false) }
      comparisons += comparison.candidates.map { candidate in
        let lab = run.details.lab
        rules.alpha =
          candidate == lab?.together ? lab?.togetherAlpha ?? comparison.alpha : comparison.alpha
        return ReportComparison(
          Comparison.compare(baseline: baseline, candidate: side(candidate), rules: rules),
          baselineVariant: suite.variants.first { $0.id == comparison.baseline },
          candidateVariant: suite.variants.first { $0.id == candidate })
      }
    }
    return comparisons
  }

  /// Returns the comparisons from the second looks at a run.
  ///
  /// - Parameters:
  ///   - run: The number of the run.
  ///   - store: The database.
  package static func secondLooks(
    of run: Int, in store: ResultStore
  ) throws(SessionFailure) -> [ReportComparison] {
    let looks = try perform {
      try store.runs(matching: RunFilter(status: .complete, secondLookOf: run))
    }
    var comparisons: [ReportComparison] = []
    for look in looks {
      let attempts = try perform { try store.attempts(run: look.id) }
      comparisons += try Self.comparisons(of: look, attempts)
    }
    return comparisons
  }
}
