import EvalRecords

extension ComparisonUnit {
  /// The chance of a false alarm about the attempts that the comparison leaves out.
  private static let outsideLevel = 0.001

  /// The attempts at one test case: those that the comparison leaves out, and all others.
  private struct CaseParts {
    var outside = CaseCount()
    var inside = CaseCount()
  }

  /// The test cases that fail in attempts of the candidate that the comparison leaves out, although
  /// they pass in all other attempts of both sides, or `nil` if there are none.
  ///
  /// If answers are sampled, a few such test cases are chance. So all test cases together must fail
  /// more often in these attempts than in the others, by an exact test within test cases.
  var failingOutside: [String]? {
    struct Place: Hashable {
      let id: String
      let repeatIndex: Int
    }
    let made = Set(
      baseline.attempts.map { Place(id: $0.key.caseID, repeatIndex: $0.key.repeatIndex) })
    let isOutside = { (attempt: AttemptRecord) in
      !made.contains(Place(id: attempt.key.caseID, repeatIndex: attempt.key.repeatIndex))
    }
    let left = candidate.fresh + candidate.attempts.filter(isOutside)
    guard left.contains(where: { $0.outcome != .pass && !$0.isBackendError }) else { return nil }
    let compared = Set(candidate.attempts.filter { !isOutside($0) }.map(\.key.caseID))
    let sampling = candidate.sampling
    var parts: [String: CaseParts] = [:]
    func add(
      _ attempts: [AttemptRecord], of slice: ComparisonSlice,
      to part: WritableKeyPath<CaseParts, CaseCount>
    ) {
      let attempts = attempts.filter { !$0.isBackendError && compared.contains($0.key.caseID) }
      var seen: Set<Draw> = []
      for (attempt, draw) in zip(attempts, slice.draws(of: attempts))
      where seen.insert(draw).inserted {
        parts[attempt.key.caseID, default: CaseParts()][keyPath: part].add(
          attempt.outcome == .pass)
      }
    }
    add(left, of: candidate, to: \.outside)
    add(candidate.attempts.filter { !isOutside($0) }, of: candidate, to: \.inside)
    // With equal seeds, the baseline's attempts are no further draws.
    let tested = parts
    add(baseline.attempts + baseline.fresh, of: baseline, to: \.inside)
    let failing = candidate.suite.cases.map(\.id).filter { id in
      guard let part = parts[id] else { return false }
      return part.outside.hits < part.outside.count && part.inside.count > 0
        && part.inside.hits == part.inside.count
    }
    let fixed = failing.filter { sampling.samplesNothing(in: $0) || sampling.followsScript(in: $0) }
    let tables = (hasEqualSeeds ? tested : parts).values.map { part in
      TwoByTwo(
        part.outside.count - part.outside.hits, part.outside.hits,
        part.inside.count - part.inside.hits, part.inside.hits)
    }
    let isChance = Stratified.exact(tables, .greater) >= Self.outsideLevel
    let certain = isChance ? fixed : failing
    return certain.isEmpty ? nil : certain
  }
}
