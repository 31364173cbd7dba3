import Foundation

/// The interval of the mean change of a rate over inputs similar to those of a suite.
///
/// It combines two intervals and takes the wider one at each end. The interval of the attempts
/// (Newcombe's) allows for chance in a handful of draws, even if no draw differs. Student's t
/// interval for the mean of the test cases' changes allows for differences between test cases.
package enum ChangeInterval {
  /// Returns the interval.
  ///
  /// - Parameters:
  ///   - attempts: The interval under the assumption that all attempts are independent.
  ///   - changes: The change of each test case's rate.
  ///   - confidence: The confidence of both intervals, between 0 and 1.
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
