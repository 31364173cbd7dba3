import SystemBasics

/// The test of whether the probability of a few test cases rose further than a harmless edit could
/// explain.
///
/// Under the null hypothesis, the log odds of each test case change by independent amounts with a
/// normal distribution around zero. Its standard deviation is at least ``leastScale``. If most test
/// cases moved further, the median of their changes gives the standard deviation, so that an edit
/// that moves everything is no alarm. With u₁ ≤ u₂ the smallest tail probabilities of the changes
/// of n test cases,
///
///     P(at least one of n is ≤ u₁) = 1 − (1 − u₁)ⁿ
///     P(at least two of n are ≤ u₂) = I(u₂; 2, n − 1)     (regularized incomplete beta function)
///
/// The p-value is twice the smaller of the two, because two questions are asked. It is 1 unless the
/// rise is also far in absolute terms (``ConcentratedRise``) and the mean rise exceeds the margin.
package struct FewCasesTest: Sendable {
  /// The standard deviation of harmless changes of log odds that the test always allows for.
  package static let leastScale = 1.0
  /// The probabilities closer to 0 or 1 than this count as equally close.
  package static let leastProbability = 0.001
  /// The number of moving test cases from which the standard deviation is estimated.
  private static let leastMoving = 5

  /// The statistic in absolute terms.
  package let rise: ConcentratedRise
  /// The standard deviation of harmless changes of log odds.
  package let scale: Double
  /// The p-value of the rise, whatever its mean is; 1 if the rise isn't far.
  package let pValueOfRise: Double
  /// Whether the mean rise exceeds the margin.
  package let exceedsMargin: Bool

  /// The p-value.
  package var pValue: Double { exceedsMargin ? pValueOfRise : 1 }

  /// Creates the test of a rise.
  ///
  /// - Parameters:
  ///   - before: The probability of each test case in the baseline.
  ///   - after: The probability of each test case in the candidate.
  ///   - margin: The tolerated mean rise.
  package init(before: [Double], after: [Double], margin: Double) {
    let rises = zip(before, after).map { $1 - $0 }
    rise = ConcentratedRise(rises)
    exceedsMargin = rises.reduce(0, +) > margin * Double(rises.count)
    let changes = zip(before, after).map { Self.logOdds($1) - Self.logOdds($0) }
    let moving = changes.map(abs).filter { $0 > 0 }.sorted()
    // The median of the absolute values of a standard normal distribution is 0.6745.
    let median =
      moving.isEmpty ? 0 : (moving[(moving.count - 1) / 2] + moving[moving.count / 2]) / 2
    let scale =
      moving.count < Self.leastMoving
      ? Self.leastScale : max(Self.leastScale, median / Normal.quantile(0.75))
    self.scale = scale
    guard rise.isAlarm, let first = changes.max() else {
      pValueOfRise = 1
      return
    }
    let count = Double(changes.count)
    let tails = changes.sorted(by: >).prefix(2).map { Normal.cumulative(-$0 / scale) }
    let one = 0 - expm1(count * log1p(-Normal.cumulative(-first / scale)))
    let two = tails.count > 1 ? BetaDistribution.cumulative(2, count - 1, tails[1]) : 1
    pValueOfRise = min(1, 2 * min(one, two))
  }

  /// Returns the log odds of a probability, ln(p / (1 − p)).
  ///
  /// - Parameters:
  ///   - probability: The probability.
  ///   - least: The probabilities closer to 0 or 1 than this count as equally close.
  package static func logOdds(_ probability: Double, least: Double = leastProbability) -> Double {
    let value = min(1 - least, max(least, probability))
    return log(value / (1 - value))
  }
}
