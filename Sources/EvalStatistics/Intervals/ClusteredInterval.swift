import Foundation

/// The interval of a rate over inputs similar to those of a suite: the test cases are the sample,
/// and the repeats of a test case form a cluster.
///
/// This is Wilson's interval with an effective number of attempts in place of the number of
/// attempts. Let p be the rate and v the variance of its estimate over test cases (a ratio
/// estimate, with the factor C / (C − 1) for C test cases). Then p (1 − p) / v independent attempts
/// would give an equally uncertain estimate. The effective number is at most the number of
/// attempts. It is at least Kish's effective number of test cases, which is right if the repeats of
/// a test case are copies of each other.
///
/// With few test cases, v is itself uncertain, especially if the rate is near 1. So 15 % of the
/// weight stays with the number of test cases, and Student's t with C − 1 degrees of freedom
/// replaces the normal distribution.
///
/// If there is only one test case, or if all attempts or none are hits, the variance can't be
/// estimated. The result is then Wilson's interval with Kish's effective number of test cases as
/// the number of attempts.
public enum ClusteredInterval {
  /// The weight that the number of test cases always has, whatever the repeats show.
  static let weightOfCases = 0.15

  /// Returns the interval of the rate.
  ///
  /// - Parameters:
  ///   - cases: The draws of each test case; those without draws are left out.
  ///   - confidence: The confidence, between 0 and 1.
  /// - Returns: The interval; 0…1 without draws.
  public static func rate(
    _ cases: [CaseCount], confidence: Double = 0.95
  ) -> ConfidenceInterval {
    let drawn = cases.filter { $0.count > 0 }
    let count = drawn.reduce(0.0) { $0 + Double($1.count) }
    guard count > 0 else { return ConfidenceInterval(low: 0, high: 1) }
    let rate = drawn.reduce(0.0) { $0 + Double($1.hits) } / count
    // Kish's effective number of clusters; the number of test cases if all have the same number of
    // repeats.
    let clusters = count * count / drawn.reduce(0.0) { $0 + Double($1.count) * Double($1.count) }
    guard drawn.count > 1, rate > 0, rate < 1 else {
      return ProportionInterval.wilson(
        rate: rate, count: clusters, deviations: Normal.quantile(0.5 + confidence / 2))
    }
    let freedom = Double(drawn.count)
    let squares = drawn.reduce(0.0) {
      let deviation = Double($1.hits) - rate * Double($1.count)
      return $0 + deviation * deviation
    }
    let variance = squares * freedom / (freedom - 1) / (count * count)
    let estimate = variance > 0 ? rate * (1 - rate) / variance : count
    let independent = min(max(estimate, clusters), count)
    let effective = 1 / ((1 - weightOfCases) / independent + weightOfCases / clusters)
    return ProportionInterval.wilson(
      rate: rate, count: effective,
      deviations: StudentT.quantile(0.5 + confidence / 2, degrees: drawn.count - 1))
  }
}
