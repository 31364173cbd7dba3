import SystemBasics

/// Calculates the number of attempts that are needed to see a rare failure.
public enum SampleSize {
  /// Returns the number of attempts that are needed to see a failure with the given rate at least
  /// once.
  ///
  /// - Parameters:
  ///   - rate: The rate of the failure, above 0.
  ///   - confidence: The desired chance of seeing the failure, between 0 and 1.
  /// - Returns: The number, or `nil` if the rate is zero or an argument is out of range.
  public static func toSeeFailure(rate: Double, confidence: Double = 0.95) -> Int? {
    guard rate > 0, confidence > 0, confidence < 1 else { return nil }
    guard rate < 1 else { return 1 }
    return whole(log(1 - confidence) / log1p(-rate))
  }

  /// Returns the value rounded up, or `nil` if it isn't a usable number.
  private static func whole(_ value: Double) -> Int? {
    guard value.isFinite else { return nil }
    return Int(exactly: value.rounded(.up))
  }
}
