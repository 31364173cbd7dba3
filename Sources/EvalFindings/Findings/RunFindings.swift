import EvalRecords

/// The slices of a run that regressed, broke or missed their gate, as the run's history entry
/// records them.
///
/// The entry keeps the results of the run's comparisons and gates, so the dashboard doesn't judge
/// the run again.
package struct RunFindings {
  /// The slices that regressed against their reference.
  package let regressed: [SliceKey]
  /// The slices whose comparison is broken, because too many attempts ended in a backend error.
  package let broken: [SliceKey]
  /// The slices that missed their gate, but neither regressed nor broke.
  package let missed: [SliceKey]

  package init(_ entry: HistoryEntry) {
    func keys(_ isWanted: (HistoryEntry.Slice) -> Bool) -> [SliceKey] {
      entry.slices.filter(isWanted).map(\.key)
    }
    regressed = keys { $0.verdict == .regressed }
    broken = keys { $0.verdict == .broken }
    missed = keys {
      $0.isReached == false && $0.verdict != .regressed && $0.verdict != .broken
    }
  }
}
