import EvalRecords

/// The number of similar failures before, among the attempts that a comparison compares.
package struct EarlierCount: Sendable, Hashable {
  /// The number of failures in the reference.
  package let before: Int
  /// The number of failures in this run that have a counterpart in the reference.
  package let compared: Int
  /// The number of all these failures in this run.
  package let all: Int

  /// The number in words: `none in the baseline`, `5 in the baseline`, or
  /// `2 of them compared with 5 in the baseline`.
  package var words: String {
    let was = "\(before == 0 ? "none" : NumberText.grouped(before)) in the baseline"
    return compared == all ? was : "\(NumberText.grouped(compared)) of them compared with \(was)"
  }
}

/// The attempts of each slice that have a counterpart in the slice's reference: an attempt with the
/// same repeat number at the same test case.
///
/// As in comparisons, fresh repeats are left out, and test cases whose requests or expectations
/// differ.
package struct PairedAttempts: Sendable {
  private struct Place: Hashable {
    let caseID: String
    let repeatIndex: Int
  }

  private var places: [SliceKey: Set<Place>] = [:]

  /// Creates an empty set, for runs without a reference.
  init() {}

  /// Finds the pairs of a document.
  init(_ document: ReportDocument) {
    for slice in document.summary.slices {
      guard let other = document.counterpart(of: slice.key),
        let before = other.run.slice(other.key), before.tally.attempts > 0
      else { continue }
      let leftOut = Set(document.comparisons.flatMap { $0.record.leftOutCases(at: slice.key) })
      let isOneNight = slice.suite?.details.fresh == before.suite?.details.fresh
      func made(_ slice: SliceSummary, in run: RunSummary) -> Set<Place> {
        Set(
          run.attempts[slice.range].lazy.filter { attempt in
            attempt.outcome != .skipped && !leftOut.contains(attempt.key.caseID)
              && (isOneNight || slice.suite?.isFresh(repeatIndex: attempt.key.repeatIndex) != true)
          }.map { Place(caseID: $0.key.caseID, repeatIndex: $0.key.repeatIndex) })
      }
      places[slice.key] = made(slice, in: document.summary).intersection(
        made(before, in: other.run))
    }
  }

  /// Returns the number of a cluster's attempts that belong to the pairs of a slice.
  ///
  /// The cluster and `run` may be those of the slice or those of its reference.
  package func count(_ cluster: FailureCluster, in run: RunSummary, of slice: SliceKey) -> Int {
    guard let own = places[slice] else { return 0 }
    return cluster.attempts.count { index in
      let key = run.attempts[index].key
      return own.contains(Place(caseID: key.caseID, repeatIndex: key.repeatIndex))
    }
  }

  /// Returns whether an attempt belongs to the pairs of a slice.
  package func contains(_ attempt: AttemptRecord, of slice: SliceKey) -> Bool {
    let place = Place(caseID: attempt.key.caseID, repeatIndex: attempt.key.repeatIndex)
    return places[slice]?.contains(place) == true
  }

  /// Whether a slice has any pairs.
  package func has(_ slice: SliceKey) -> Bool { places[slice]?.isEmpty == false }
}
