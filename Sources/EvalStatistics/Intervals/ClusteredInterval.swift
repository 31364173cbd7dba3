import Foundation

/// The interval of a rate over inputs like those of a suite: the cases are the sample, and the
/// repeats of a case are a cluster.
///
/// It is Wilson's interval with an effective number of attempts in place of the number of attempts.
/// With p the rate and v the variance of its estimate over cases (a ratio estimate, with the factor
/// C / (C − 1) for C cases), p (1 − p) / v independent attempts would be as uncertain. That number is
/// kept between Kish's number of cases, which is what is left if the repeats of a case are copies of
/// each other, and the number of attempts. An estimate from few cases is itself uncertain, above all
/// near 1, so 15 % of the weight stays with the number of cases, and the deviations are those of
/// Student's t with C − 1 degrees of freedom.
///
/// If all attempts count, or none, the variance can't be estimated: Wilson's interval with one attempt
/// for each case.
public enum ClusteredInterval {
  /// The share of the weight that the number of cases has whatever the repeats say.
  static let weightOfCases = 0.15

  /// The interval of the rate.
  ///
  /// - Parameters:
  ///   - cases: The draws of each case; those without draws are left out.
  ///   - confidence: The confidence, between 0 and 1.
  /// - Returns: The interval; 0…1 without draws.
  public static func rate(
    _ cases: [CaseCount], confidence: Double = 0.95
  ) -> ConfidenceInterval {
    let drawn = cases.filter { $0.count > 0 }
    let count = drawn.reduce(0.0) { $0 + Double($1.count) }
    guard count > 0 else { return ConfidenceInterval(low: 0, high: 1) }
    let rate = drawn.reduce(0.0) { $0 + Double($1.hits) } / count
    // Kish's effective number of clusters; the number of cases where all have as many repeats.
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
