import EvalRecords

extension ComparisonUnit {
  /// The fewest separate draws of a test case that show more than chance if all of them flipped.
  private static let fewestDraws = 5

  /// The test cases whose result flipped for certain, or `nil` if there are none.
  var flipped: FlippedCases? {
    let (before, after) = (results(baseline), results(candidate))
    let common = baseline.suite.cases.map(\.id).filter { before[$0] != nil && after[$0] != nil }
    let failing = common.filter { before[$0]?.allPass == true && after[$0]?.allFail == true }
    let passing = common.filter { before[$0]?.allFail == true && after[$0]?.allPass == true }
    guard !failing.isEmpty || !passing.isEmpty else { return nil }
    let flips = Set(failing + passing)
    let sure = sureCases(baseline, flips).intersection(sureCases(candidate, flips))
    let flipped = FlippedCases(
      place: place, newlyFailing: failing.filter(sure.contains),
      newlyPassing: passing.filter(sure.contains), count: common.count)
    return flipped.newlyFailing.isEmpty && flipped.newlyPassing.isEmpty ? nil : flipped
  }

  /// The outcomes of a test case, without backend errors.
  private struct Results {
    var allPass = true
    var allFail = true
  }

  private func results(_ slice: ComparisonSlice) -> [String: Results] {
    var results: [String: Results] = [:]
    for attempt in slice.attempts where !attempt.isBackendError {
      if attempt.outcome == .pass {
        results[attempt.key.caseID, default: Results()].allFail = false
      } else {
        results[attempt.key.caseID, default: Results()].allPass = false
      }
    }
    return results
  }

  /// Returns the test cases in which one side's result doesn't depend on chance: either nothing is
  /// sampled and the answers agree, or there are several separate draws.
  private func sureCases(_ slice: ComparisonSlice, _ ids: Set<String>) -> Set<String> {
    let attempts = slice.attempts.filter { ids.contains($0.key.caseID) && !$0.isBackendError }
    var draws: [String: Set<Draw>] = [:]
    for (attempt, draw) in zip(attempts, slice.draws(of: attempts)) {
      draws[attempt.key.caseID, default: []].insert(draw)
    }
    let sampling = slice.sampling
    return ids.filter { id in
      let count = draws[id]?.count ?? 0
      return count >= Self.fewestDraws || count == 1 && sampling.samplesNothing(in: id)
    }
  }
}
