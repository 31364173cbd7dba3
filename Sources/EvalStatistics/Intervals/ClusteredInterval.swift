import SystemBasics

/// The confidence interval for a rate over inputs like those of a suite, where the test cases are
/// the sample and the repeats of a test case form a cluster.
///
/// This is Wilson's interval with an effective sample size in place of the number of attempts. Let
/// p be the rate and v the variance of its estimate between test cases (a ratio estimate, with the
/// factor C / (C − 1) for C test cases). A sample of p (1 − p) / v independent attempts would have
/// the same variance, so this is the effective sample size, limited to at most the number of
/// attempts and at least Kish's effective number of clusters. Kish's number is right if the repeats
/// of a test case are copies of each other.
///
/// With few test cases, v is itself uncertain, especially if the rate is near 1. So Kish's number
/// keeps 15 % of the weight, and Student's t distribution with C − 1 degrees of freedom replaces
/// the normal distribution.
///
/// The variance can't be estimated if there is only one test case, or if all attempts or none are
/// hits. The result is then Wilson's interval with Kish's number as the sample size.
public enum ClusteredInterval {
  /// The weight that Kish's effective number of clusters always keeps, whatever the repeats show.
  static let weightOfCases = 0.15

  /// Returns the confidence interval for the rate.
  ///
  /// - Parameters:
  ///   - cases: The draws of each test case; those without draws are left out.
  ///   - confidence: The confidence level, between 0 and 1.
  /// - Returns: The interval, which is 0…1 if there are no draws.
  public static func rate(
    _ cases: [CaseCount], confidence: Double = 0.95
  ) -> ConfidenceInterval {
    let drawn = cases.filter { $0.count > 0 }
    let count = drawn.reduce(0.0) { $0 + Double($1.count) }
    guard count > 0 else { return ConfidenceInterval(low: 0, high: 1) }
    let rate = drawn.reduce(0.0) { $0 + Double($1.hits) } / count
    // Kish's effective number of clusters. If all test cases have the same number of repeats, this
    // is the number of test cases.
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
