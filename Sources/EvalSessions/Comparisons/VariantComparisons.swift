import EvalRecords
import EvalReports
import EvalStatistics
import ResultStore

/// The comparisons for a run that was started to compare variants.
package enum VariantComparisons {
  /// Compares the variants of a run on each backend, after pooling the base with its earlier runs.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - attempts: Its attempts.
  ///   - store: The database with the earlier runs.
  /// - Returns: One comparison for each backend and candidate; empty if the run doesn't compare
  ///   variants.
  package static func comparisons(
    of run: RunRecord, _ attempts: [AttemptRecord], pooling store: ResultStore
  ) throws(SessionFailure) -> [ReportComparison] {
    guard let comparison = run.comparison, let suite = run.suites.first else { return [] }
    var rules = ComparisonRules()
    rules.margin = comparison.margin
    rules.alpha = comparison.alpha
    var comparisons: [ReportComparison] = []
    for backend in run.backends {
      func side(_ variant: String) -> ComparisonSide {
        ComparisonSide(
          run: run, attempts: attempts,
          selection: ComparisonSelection(
            suite: suite.id, variant: variant, backend: backend.id))
      }
      let baseline = try side(comparison.baseline).pooling(store, before: run.id)
      comparisons += comparison.candidates.map { candidate in
        ReportComparison(
          Comparison.compare(baseline: baseline, candidate: side(candidate), rules: rules),
          baselineVariant: suite.variants.first { $0.id == comparison.baseline },
          candidateVariant: suite.variants.first { $0.id == candidate })
      }
    }
    return comparisons
  }
}
