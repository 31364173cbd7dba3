import Foundation

/// How many attempts a question takes.
public enum SampleSize {
  /// How many attempts show a failure of a given rate at least once.
  ///
  /// - Parameters:
  ///   - rate: The rate of the failure, above 0.
  ///   - confidence: The wanted chance to see it, between 0 and 1.
  /// - Returns: The number; nil for a rate of zero or numbers outside their range.
  public static func toSeeFailure(rate: Double, confidence: Double = 0.95) -> Int? {
    guard rate > 0, confidence > 0, confidence < 1 else { return nil }
    guard rate < 1 else { return 1 }
    return whole(log(1 - confidence) / log1p(-rate))
  }

  /// How many attempts a side must have to tell two rates apart (Fleiss, without continuity
  /// correction; exact tests need a little more).
  ///
  /// - Returns: The number; nil for equal rates.
  public static func perSide(
    _ first: Double, _ second: Double, alpha: Double = 0.05, power: Double = 0.8
  ) -> Int? {
    guard first != second, (0...1).contains(first), (0...1).contains(second) else { return nil }
    let middle = (first + second) / 2
    let spread =
      Normal.quantile(1 - alpha / 2) * (2 * middle * (1 - middle)).squareRoot()
      + Normal.quantile(power) * (first * (1 - first) + second * (1 - second)).squareRoot()
    return whole(spread * spread / ((first - second) * (first - second)))
  }

  /// How many cases tell a mean difference from zero (Miller 2024, arXiv 2411.00640, equation 9).
  ///
  /// - Parameters:
  ///   - betweenCases: The variance of the case means' difference, ω².
  ///   - firstWithin: The variance within a case on the first side.
  ///   - firstRepeats: The repeats of a case on the first side.
  ///   - secondWithin: The variance within a case on the second side.
  ///   - secondRepeats: The repeats of a case on the second side.
  ///   - difference: The difference that is to be found.
  ///   - alpha: The two-sided significance level.
  ///   - power: The wanted power.
  public static func cases(
    betweenCases: Double, firstWithin: Double, firstRepeats: Int, secondWithin: Double,
    secondRepeats: Int, difference: Double, alpha: Double = 0.05, power: Double = 0.8
  ) -> Double {
    let deviations = Normal.quantile(1 - alpha / 2) + Normal.quantile(power)
    let variance =
      betweenCases + firstWithin / Double(max(1, firstRepeats))
      + secondWithin / Double(max(1, secondRepeats))
    return deviations * deviations * variance / (difference * difference)
  }

  /// Rounds up; nil where the number is none.
  private static func whole(_ value: Double) -> Int? {
    guard value.isFinite else { return nil }
    return Int(exactly: value.rounded(.up))
  }
}
