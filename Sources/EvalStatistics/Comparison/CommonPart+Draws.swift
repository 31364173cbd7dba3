import EvalRecords

extension CommonPart {
  /// Returns the pairs of which at least one attempt is a new draw, or two known draws are paired
  /// for the first time.
  ///
  /// ``Draws`` decides which draw an attempt is, for each side separately.
  ///
  /// - Parameter pairs: All pairs; the pairs of a test case are adjacent.
  func distinctDraws(of pairs: [ComparisonUnit.Pair]) -> [ComparisonUnit.Pair] {
    struct PairOfDraws: Hashable {
      var baseline: Draw
      var candidate: Draw
    }
    let left = baseline.draws(of: pairs.map { baseline.attempts[$0.baseline] })
    let right = candidate.draws(of: pairs.map { candidate.attempts[$0.candidate] })
    var seen: Set<PairOfDraws> = []
    return zip(pairs, zip(left, right)).filter { _, draws in
      seen.insert(PairOfDraws(baseline: draws.0, candidate: draws.1)).inserted
    }.map(\.0)
  }
}

extension ComparisonSlice {
  /// Returns the facts that decide which draws some of the slice's attempts are.
  func drawn(_ attempts: [AttemptRecord]) -> [DrawnAttempt] {
    let sampling = sampling
    return attempts.map { DrawnAttempt($0, run: run.id, sampling: sampling) }
  }

  /// Returns the draw of each attempt.
  func draws(of attempts: [AttemptRecord]) -> [Draw] {
    var draws = Draws()
    return draws.add(drawn(attempts)).map(\.draw)
  }
}
