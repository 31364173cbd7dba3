import Foundation

/// The interval of the mean change of a rate over inputs like those of a suite.
///
/// Two intervals are asked, and at each end the wider one counts: that of the attempts (Newcombe's),
/// which knows what chance does to a handful of draws even where none differs, and Student's t
/// interval of the cases' mean changes, which knows how differently the cases moved.
package enum ChangeInterval {
  /// The interval.
  ///
  /// - Parameters:
  ///   - attempts: The interval that takes all attempts as independent.
  ///   - changes: The change of each case's rate.
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
