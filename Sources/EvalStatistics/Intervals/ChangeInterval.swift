import Foundation

/// The interval of the mean change of a rate over inputs similar to those of a suite.
///
/// Two intervals are computed, and at each end the wider one counts: the interval of the attempts
/// (Newcombe's), which covers chance in a handful of draws even if none differs, and Student's t
/// interval of the test cases' mean changes, which covers how differently the test cases moved.
package enum ChangeInterval {
  /// Returns the interval.
  ///
  /// - Parameters:
  ///   - attempts: The interval if all attempts are independent.
  ///   - changes: The change of each test case's rate.
  ///   - confidence: The confidence of both, between 0 and 1.
  package static func widest(
    attempts: ConfidenceInterval, changes: [Double], confidence: Double
  ) -> ConfidenceInterval {
    guard changes.count > 1 else { return attempts }
    let count = Double(changes.count)
    let mean = changes.reduce(0, +) / count
    let squares = changes.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let error = (squares / (count - 1) / count).squareRoot()
    let half = error * StudentT.quantile(0.5 + confidence / 2, degrees: changes.count - 1)
    return ConfidenceInterval(
      low: max(-1, min(attempts.low, mean - half)),
      high: min(1, max(attempts.high, mean + half)))
  }
}
