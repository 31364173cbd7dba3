import EvalRecords

/// Finds the reference of a slice: the same slice of the baseline run or, if two variants were
/// compared, the slice of the baseline's variant.
extension ReportDocument {
  /// The reference of a slice: a slice of this run or of the baseline run.
  package struct Counterpart {
    package let run: RunSummary
    package let key: SliceKey
  }

  /// Returns the reference of a slice, or `nil` if there is none.
  package func counterpart(of key: SliceKey) -> Counterpart? {
    for comparison in comparisons {
      guard let old = comparison.baselineVariant, let new = comparison.candidateVariant,
        old.id != new.id, summary.slice(key)?.variant == new
      else { continue }
      let before = SliceKey(suite: key.suite, variant: old.id, backend: key.backend)
      for run in [baseline, summary] {
        guard let run, let slice = run.slice(before), slice.tally.attempts > 0 else { continue }
        return Counterpart(run: run, key: before)
      }
    }
    return baseline.flatMap { $0.slice(key) == nil ? nil : Counterpart(run: $0, key: key) }
  }

  /// Whether any slice has a reference.
  package var hasBaseline: Bool {
    baseline != nil || summary.slices.contains { counterpart(of: $0.key) != nil }
  }

  /// The slices that the figures at the top of the page summarize.
  ///
  /// They are the candidates of a comparison of variants. If there are none, they are the slices
  /// that a gate judges, and all slices with attempts of the backends that no gate judges.
  package var judgedSlices: [SliceSummary] {
    let made = summary.slices.filter { $0.tally.attempts > 0 }
    let candidates = made.filter { slice in
      counterpart(of: slice.key).map { $0.key != slice.key } ?? false
    }
    if !candidates.isEmpty { return candidates }
    let gated = Set(summary.slices.filter { $0.gate != nil }.map(\.key.backend))
    return summary.slices.filter { slice in
      slice.gate != nil || slice.tally.attempts > 0 && !gated.contains(slice.key.backend)
    }
  }

  /// The counts of a slice's reference, or `nil` if there is none.
  package func before(_ key: SliceKey) -> SliceSummary? {
    counterpart(of: key).flatMap { $0.run.slice($0.key) }
  }

  /// The lengths of the same array in the slice's reference, or `nil` if there is no reference.
  package func lengthsBefore(_ lengths: LengthSummary) -> [LengthSummary]? {
    counterpart(of: lengths.slice).map { other in
      other.run.lengths.filter { $0.slice == other.key && $0.path == lengths.path }
    }
  }

  /// Returns how often the reference chose each branch at the same place, or `nil` if it never
  /// chose one.
  package func confusionBefore(_ confusion: ConfusionSummary) -> ConfusionSummary? {
    counterpart(of: confusion.slice).flatMap { other in
      other.run.confusions.first { $0.slice == other.key && $0.path == confusion.path }
    }
  }

  /// The decisions in a slice's reference, or `nil` if there are none.
  package func decisionsBefore(_ key: SliceKey) -> DecisionSummary? {
    counterpart(of: key).flatMap { other in
      other.run.decisions.first { $0.slice == other.key }
    }
  }

  /// The reference's attempt at the same test case with the same repeat number, or `nil` if there
  /// is none.
  package func attemptBefore(_ attempt: AttemptRecord) -> AttemptRecord? {
    let key = attempt.key.slice
    guard let other = counterpart(of: key), let slice = other.run.slice(other.key),
      let range = slice.cases.first(where: { $0.id == attempt.key.caseID })?.range
    else { return nil }
    return other.run.attempts[range].first { $0.key.repeatIndex == attempt.key.repeatIndex }
  }

  /// The number of similar failures in the reference, among the attempts that the two have in
  /// common, or `nil` if there are none, or if the reference was judged by other rules.
  package func countBefore(_ cluster: FailureCluster) -> EarlierCount? {
    guard paired.has(cluster.slice), let other = counterpart(of: cluster.slice),
      comparisons.allSatisfy({ $0.record.isJudgedAlike(at: cluster.slice) })
    else { return nil }
    let earlier = other.run.clusters.first {
      $0.slice == other.key && $0.reason == cluster.reason
    }
    let compared = paired.count(cluster, in: summary, of: cluster.slice)
    guard compared > 0 else { return nil }
    return EarlierCount(
      before: earlier.map { paired.count($0, in: other.run, of: cluster.slice) } ?? 0,
      compared: compared, all: cluster.attempts.count)
  }
}
