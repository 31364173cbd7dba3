import EvalRecords

extension ComparisonUnit {
  /// The fewest separate draws of a test case that show more than chance if all of them flipped.
  private static let fewestDraws = 5

  /// The chance of a false alarm over all test cases, for test cases that only changed their rates.
  private static let shiftLevel = 0.05

  /// The test cases whose result flipped for certain, and those whose opposite changes may cancel
  /// out, or `nil` if there are none.
  var flipped: FlippedCases? {
    let (before, after) = (results(baseline), results(candidate))
    let common = baseline.suite.cases.map(\.id).filter { before[$0] != nil && after[$0] != nil }
    let failing = common.filter { before[$0]?.allPass == true && after[$0]?.allFail == true }
    let passing = common.filter { before[$0]?.allFail == true && after[$0]?.allPass == true }
    let flips = Set(failing + passing)
    let sure = sureCases(baseline, flips).intersection(sureCases(candidate, flips))
    var flipped = FlippedCases(
      place: place, newlyFailing: failing.filter(sure.contains),
      newlyPassing: passing.filter(sure.contains), failingOutside: failingOutside,
      count: common.count)
    let (worse, better) = shifted(common.filter { !sure.contains($0) }, of: common.count)
    let isWorse = !worse.isEmpty || !flipped.newlyFailing.isEmpty
    let isBetter = !better.isEmpty || !flipped.newlyPassing.isEmpty
    if isWorse, isBetter, !worse.isEmpty || !better.isEmpty {
      (flipped.oftenFailing, flipped.oftenPassing) = (worse, better)
    }
    let isEmpty = flipped.failing.isEmpty && flipped.newlyPassing.isEmpty
    return isEmpty && flipped.oftenFailing == nil ? nil : flipped
  }

  /// Returns the test cases whose rate of separate draws fell or rose clearly, by Fisher's exact
  /// test, with a level that is shared by all test cases.
  private func shifted(_ ids: [String], of count: Int) -> (worse: [String], better: [String]) {
    let (before, after) = (tallies(baseline), tallies(candidate))
    let level = Self.shiftLevel / Double(max(1, count))
    var (worse, better): ([String], [String]) = ([], [])
    for id in ids {
      guard let left = before[id], let right = after[id] else { continue }
      let table = TwoByTwo(
        left.hits, left.count - left.hits, right.hits, right.count - right.hits)
      if FisherExact.pValue(table, .greater) < level { worse.append(id) }
      if FisherExact.pValue(table, .less) < level { better.append(id) }
    }
    return (worse, better)
  }

  /// Returns the separate draws of each test case, and how many of them passed.
  private func tallies(_ slice: ComparisonSlice) -> [String: CaseCount] {
    let attempts = slice.attempts.filter { !$0.isBackendError }
    var seen: Set<Draw> = []
    var tallies: [String: CaseCount] = [:]
    for (attempt, draw) in zip(attempts, slice.draws(of: attempts))
    where seen.insert(draw).inserted {
      tallies[attempt.key.caseID, default: CaseCount()].add(attempt.outcome == .pass)
    }
    return tallies
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

  /// Returns the test cases in which one side's result doesn't depend on chance: nothing is sampled
  /// and the answers agree, a script gives each repeat its answer, or there are several separate
  /// draws.
  private func sureCases(_ slice: ComparisonSlice, _ ids: Set<String>) -> Set<String> {
    let attempts = slice.attempts.filter { ids.contains($0.key.caseID) && !$0.isBackendError }
    var draws: [String: Set<Draw>] = [:]
    for (attempt, draw) in zip(attempts, slice.draws(of: attempts)) {
      draws[attempt.key.caseID, default: []].insert(draw)
    }
    let sampling = slice.sampling
    return ids.filter { id in
      let count = draws[id]?.count ?? 0
      return count >= Self.fewestDraws || sampling.followsScript(in: id)
        || count == 1 && sampling.samplesNothing(in: id)
    }
  }
}
