import EvalRecords

extension CommonPart {
  /// Returns the pairs without those that repeat an earlier draw.
  ///
  /// A deterministic engine always gives the same greedy answer, and a stub always gives the same
  /// fixed answer, so ten copies of one answer count once.
  ///
  /// - Parameter pairs: All pairs; the pairs of a test case are adjacent.
  func distinctDraws(of pairs: [ComparisonUnit.Pair]) -> [ComparisonUnit.Pair] {
    guard baseline.backend.isDeterministic, candidate.backend.isDeterministic else { return pairs }
    var stretches: [ArraySlice<ComparisonUnit.Pair>] = []
    var start = 0
    for index in pairs.indices
    where index + 1 == pairs.count || caseID(pairs[index + 1]) != caseID(pairs[index]) {
      stretches.append(pairs[start...index])
      start = index + 1
    }
    let isFixedStub =
      baseline.isOfStub && candidate.isOfStub && stretches.allSatisfy(areCopies)
    return stretches.flatMap { stretch -> ArraySlice<ComparisonUnit.Pair> in
      guard stretch.count > 1, let first = stretch.first else { return stretch }
      let id = caseID(first)
      let isGreedy = baseline.isGreedy(in: id) && candidate.isGreedy(in: id)
      return isFixedStub || isGreedy && areCopies(stretch) ? stretch.prefix(1) : stretch
    }
  }

  private func caseID(_ pair: ComparisonUnit.Pair) -> String {
    baseline.attempts[pair.baseline].key.caseID
  }

  /// Returns whether, on each side separately, all attempts at a test case gave the same answer.
  private func areCopies(_ stretch: ArraySlice<ComparisonUnit.Pair>) -> Bool {
    guard let first = stretch.first else { return true }
    func isSame(_ left: AttemptRecord, _ right: AttemptRecord) -> Bool {
      left.outcome == right.outcome && left.output == right.output
    }
    return stretch.allSatisfy {
      isSame(baseline.attempts[$0.baseline], baseline.attempts[first.baseline])
        && isSame(candidate.attempts[$0.candidate], candidate.attempts[first.candidate])
    }
  }
}

extension ComparisonSlice {
  /// Whether a stub answered.
  fileprivate var isOfStub: Bool { backend.engine.hasPrefix("stub") }

  /// Returns whether attempts at a test case always take the most likely token.
  func isGreedy(in caseID: String) -> Bool {
    if let own = suite.details.cases?[caseID]?.options { return own.isGreedy }
    return suite.details.variantOptions?[variant]?.isGreedy ?? suite.options.isGreedy
  }
}
