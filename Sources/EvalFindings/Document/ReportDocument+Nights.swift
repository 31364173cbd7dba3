import EvalRecords

extension ReportDocument {
  /// Returns whether a group of similar failures is old news: it belongs to a suite with known
  /// findings and without new ones, and each of its test cases failed in the previous night as
  /// well.
  package func isKnown(_ cluster: FailureCluster) -> Bool {
    guard let novelty, let nights, let newest = nights.history.entries.last,
      novelty.known.contains(where: { $0.finding.slice == cluster.slice }),
      !novelty.hasNews(of: cluster.slice),
      let before = nights.history.entries.dropLast().last(where: {
        $0.status == .complete && $0.has(cluster.slice, onModelOf: newest)
      })?.slice(cluster.slice)
    else { return false }
    let failed = before.failingCases
    return cluster.attempts.allSatisfy { failed.contains(summary.attempts[$0].key.caseID) }
  }
}
