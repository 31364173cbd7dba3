import EvalRecords

/// The number of similar failures before, among the attempts that a comparison compares.
struct EarlierCount: Sendable, Hashable {
  /// The number of failures in the reference.
  let before: Int
  /// The number of failures in this run that have a counterpart in the reference.
  let compared: Int
  /// The number of all these failures in this run.
  let all: Int

  /// The number in words: `new`, `was 5`, `2 among the compared attempts, was 5`.
  var words: String {
    let was = before == 0 ? "new" : "was \(NumberText.grouped(before))"
    return compared == all
      ? was : "\(NumberText.grouped(compared)) among the compared attempts, \(was)"
  }
}

/// The attempts of each slice that have a counterpart in the slice's reference: an attempt with the
/// same repeat number at the same test case.
///
/// As in comparisons, fresh repeats are left out, and test cases whose requests or expectations
/// differ.
struct PairedAttempts: Sendable {
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
  /// - Parameters:
  ///   - cluster: The cluster, in the slice's run or in the reference's.
  ///   - run: The cluster's run.
  ///   - slice: The slice of this run.
  func count(_ cluster: FailureCluster, in run: RunSummary, of slice: SliceKey) -> Int {
    guard let own = places[slice] else { return 0 }
    return cluster.attempts.count { index in
      let key = run.attempts[index].key
      return own.contains(Place(caseID: key.caseID, repeatIndex: key.repeatIndex))
    }
  }

  /// Returns whether an attempt belongs to the pairs of a slice.
  func contains(_ attempt: AttemptRecord, of slice: SliceKey) -> Bool {
    let place = Place(caseID: attempt.key.caseID, repeatIndex: attempt.key.repeatIndex)
    return places[slice]?.contains(place) == true
  }

  /// Whether a slice has any pairs.
  func has(_ slice: SliceKey) -> Bool { places[slice]?.isEmpty == false }
}

extension ComparisonRecord {
  /// Returns whether both runs judged a slice's answers by the same rules, so that their counts of
  /// failures can stand side by side.
  func isJudgedAlike(at slice: SliceKey) -> Bool {
    !differences.contains { difference in
      guard difference.place.map({ $0.candidate == slice }) ?? true else { return false }
      switch difference.fact {
      case .guardrails, .setting(.threshold, _, _, _), .assertions(.reweighted, _), .scoring,
        .judgedAnew:
        return true
      default: return false
      }
    }
  }

  /// Returns the test cases of a slice that the comparison leaves out, although both sides have
  /// them.
  func leftOutCases(at slice: SliceKey) -> [String] {
    let own = differences.filter { $0.place.map { $0.candidate == slice } ?? true }
    return own.flatMap { difference -> [String] in
      switch difference.fact {
      case .cases(.input, let ids), .cases(.assertions, let ids): return ids
      case .setting(let name, _, _, let cases) where name != .repeats && !name.isOfJudging:
        return cases
      default: return []
      }
    }
  }
}
