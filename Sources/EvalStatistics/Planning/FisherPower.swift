import Foundation

/// The exact power of Fisher's test, computed by enumerating all tables.
public enum FisherPower {
  /// Returns the chance that the one-sided test finds a candidate's lower rate.
  ///
  /// - Parameters:
  ///   - baselineCount: The number of attempts of the baseline, including the pooled history.
  ///   - baselineRate: The true pass rate of the baseline.
  ///   - candidateCount: The number of attempts of the candidate.
  ///   - candidateRate: The true pass rate of the candidate.
  ///   - alpha: The significance level.
  public static func oneSided(
    baselineCount: Int, baselineRate: Double, candidateCount: Int, candidateRate: Double,
    alpha: Double = 0.05
  ) -> Double {
    power(
      baselineCount, baselineRate, candidateCount, candidateRate, alpha: alpha, .greater)
  }

  /// Returns the smallest drop below a baseline rate that is found with the desired power at this
  /// size.
  ///
  /// - Returns: The drop, to within 0.0001; nil if not even a rate of zero is found.
  public static func minimumDetectableDrop(
    baselineCount: Int, baselineRate: Double, candidateCount: Int, alpha: Double = 0.05,
    power wanted: Double = 0.8
  ) -> Double? {
    func reaches(_ drop: Double) -> Bool {
      oneSided(
        baselineCount: baselineCount, baselineRate: baselineRate, candidateCount: candidateCount,
        candidateRate: baselineRate - drop, alpha: alpha) >= wanted
    }
    guard baselineRate > 0, reaches(baselineRate) else { return nil }
    var (missed, found) = (0.0, baselineRate)
    while found - missed > 1e-4 {
      let middle = (missed + found) / 2
      if reaches(middle) { found = middle } else { missed = middle }
    }
    return found
  }

  private static func power(
    _ firstCount: Int, _ first: Double, _ secondCount: Int, _ second: Double, alpha: Double,
    _ alternative: Alternative
  ) -> Double {
    guard firstCount > 0, secondCount > 0 else { return 0 }
    let left = (0...firstCount).map { Binomial.probability($0, of: firstCount, rate: first) }
    let right = (0...secondCount).map { Binomial.probability($0, of: secondCount, rate: second) }
    var power = 0.0
    // Tables with the same number of hits share a hypergeometric distribution.
    for hits in 0...(firstCount + secondCount) {
      let lowest = max(0, hits - secondCount)
      let highest = min(firstCount, hits)
      let likely = (lowest...highest).contains { left[$0] * right[hits - $0] > 1e-12 }
      guard likely else { continue }
      let table = TwoByTwo(
        lowest, firstCount - lowest, hits - lowest, secondCount - hits + lowest)
      let probabilities = table.hypergeometric.probabilities
      for i in lowest...highest where left[i] * right[hits - i] > 1e-12 {
        if exactP(probabilities, at: i - lowest, alternative) <= alpha {
          power += left[i] * right[hits - i]
        }
      }
    }
    return power
  }
}
