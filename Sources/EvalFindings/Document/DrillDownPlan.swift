import EvalRecords

/// The attempts that the page shows in full: first one of every cluster, then a second and a third,
/// until the page's budget is spent.
package struct DrillDownPlan: Sendable {
  /// The indices of the attempts to show, for each cluster.
  package let ofCluster: [[Int]]
  /// The indices of the attempts to show, for all clusters together.
  package let attempts: Set<Int>

  /// The maximum number of clusters on the page.
  package static let maximumClusters = 100
  static let perCluster = 3
  package static let maximum = 200
  /// The approximate maximum size of all drill-downs together, in bytes.
  static let byteBudget = 1_400_000
  /// The maximum number of steps of an attempt's trace to show.
  package static let traceRows = 40

  /// The maximum number of a cluster's attempts to look up in the baseline.
  package static let maximumLookups = 24

  /// Creates a plan.
  ///
  /// Failures that are new come first, because they tell readers more than old ones: the same
  /// repeat of the same test case passed in the baseline.
  init(_ summary: RunSummary, isNew: (Int) -> Bool) {
    let orders = summary.clusters.prefix(Self.maximumClusters).map { cluster in
      let first = cluster.attempts.prefix(Self.maximumLookups)
      let new = first.filter(isNew)
      return new + first.filter { !new.contains($0) }
        + cluster.attempts.dropFirst(Self.maximumLookups)
    }
    var ofCluster = [[Int]](repeating: [], count: summary.clusters.count)
    var attempts: Set<Int> = []
    var bytes = 0
    for round in 0..<Self.perCluster {
      for (number, order) in orders.enumerated() {
        // Different test cases are more telling than repeats of one test case.
        let shown = Set(ofCluster[number].map { summary.attempts[$0].key.caseID })
        let candidates = order.filter { !attempts.contains($0) }
        guard ofCluster[number].count == round,
          let next = candidates.first(where: { !shown.contains(summary.attempts[$0].key.caseID) })
            ?? candidates.first
        else { continue }
        let cost = Self.cost(of: summary.attempts[next])
        guard attempts.count < Self.maximum, bytes + cost <= Self.byteBudget else { continue }
        bytes += cost
        ofCluster[number].append(next)
        attempts.insert(next)
      }
    }
    self.ofCluster = ofCluster
    self.attempts = attempts
  }

  /// The approximate size of an attempt's HTML in bytes.
  private static func cost(of attempt: AttemptRecord) -> Int {
    let texts =
      min(attempt.renderedPrompt.utf8.count, 4000) + 3 * min(attempt.output.utf8.count, 4000)
    let rows =
      260 * attempt.verdicts.count + 420 * min(attempt.decisions.count, 24)
      + 700 * min(attempt.trace.count, traceRows)
    return 2500 + texts + rows
  }
}
