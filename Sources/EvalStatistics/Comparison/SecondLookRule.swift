/// The size and the level of a second look at a suspected suite.
package enum SecondLookRule {
  /// The factor by which the second look multiplies the suite's repeats, on both sides.
  private static let factor = 3
  /// The minimum number of repeats.
  private static let leastRepeats = 9
  /// The share of the night's α at which the second look tests.
  ///
  /// The new draws don't depend on the draws that raised the suspicion. But several suites of a
  /// night can be suspected, so a second look at the full α would add too many false alarms to
  /// those of the first look; see docs/research/statistics-design.md.
  private static let shareOfAlpha = 0.3

  /// Returns the number of repeats of a second look at a suite with the given number of repeats.
  package static func repeats(after repeats: Int) -> Int { max(leastRepeats, factor * repeats) }

  /// Returns the significance level of a second look on a night with the given level.
  package static func alpha(of night: Double) -> Double { shareOfAlpha * night }
}
