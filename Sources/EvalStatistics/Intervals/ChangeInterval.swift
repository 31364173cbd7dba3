import EvalRecords
import SystemBasics

/// The confidence interval for the mean change of a rate over inputs like those of a suite.
///
/// It combines two intervals: each end comes from whichever interval reaches further. Newcombe's
/// interval over the attempts allows for chance in a handful of draws, even if no result changed.
/// Student's t interval over the test cases allows for the variation between test cases.
package enum ChangeInterval {
  /// Returns the confidence interval for the mean change.
  ///
  /// - Parameters:
  ///   - attempts: The interval computed as if all attempts were independent.
  ///   - changes: The change of each test case's rate.
  ///   - confidence: The confidence level of both intervals, between 0 and 1.
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

  /// Returns the confidence interval for the change of the rate over exactly the given test cases,
  /// or `nil` if it includes zero.
  ///
  /// It is the interval whose standard error gives the p-value of the exact test (Miettinen's
  /// test-based interval), so it excludes zero if and only if the test is significant. As the tests
  /// are one-sided, the end that is nearer to zero has the error of the test, and the other end has
  /// the rest.
  ///
  /// - Parameters:
  ///   - change: The estimated change.
  ///   - pValue: The one-sided p-value of the exact test, in the direction of the change.
  ///   - rules: The significance level.
  static func ofTheseCases(
    change: Double, pValue: Double, rules: ComparisonRules
  ) -> ConfidenceInterval? {
    let error = rules.level(against: .baseline)
    guard pValue < error else { return nil }
    let deviation = abs(change) / -Normal.quantile(max(pValue, 1e-300))
    let near = abs(change) + deviation * Normal.quantile(error)
    let far = min(1, abs(change) - deviation * Normal.quantile(rules.alpha - error))
    return change > 0
      ? ConfidenceInterval(low: near, high: far) : ConfidenceInterval(low: -far, high: -near)
  }
}
