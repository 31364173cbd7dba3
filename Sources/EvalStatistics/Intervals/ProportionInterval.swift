import SystemBasics

/// Confidence intervals for one rate: `hits` out of `count`.
///
/// There is no normal-approximation (Wald) interval here, because it is far too narrow for fewer
/// than a few hundred attempts (Bowyer, Aitchison and Ivanova 2025, arXiv 2503.01747). If the count
/// is zero, nothing is known, and the interval is 0…1.
public enum ProportionInterval {
  /// Returns Wilson's score interval.
  ///
  /// - Parameters:
  ///   - hits: The number of hits, from 0 to `count`.
  ///   - count: The number of trials.
  ///   - confidence: The confidence level, between 0 and 1.
  public static func wilson(
    hits: Int, count: Int, confidence: Double = 0.95
  ) -> ConfidenceInterval {
    guard count > 0 else { return ConfidenceInterval(low: 0, high: 1) }
    let hits = min(max(hits, 0), count)
    return wilson(
      rate: Double(hits) / Double(count), count: Double(count),
      deviations: Normal.quantile(1 - (1 - confidence) / 2))
  }

  /// Returns Wilson's score interval for a rate, where the number of attempts may be fractional.
  ///
  /// - Parameters:
  ///   - p: The rate, from 0 to 1.
  ///   - n: The number of attempts, above 0.
  ///   - z: The number of standard deviations for the confidence level.
  static func wilson(rate p: Double, count n: Double, deviations z: Double) -> ConfidenceInterval {
    let scale = 1 + z * z / n
    let middle = (p + z * z / (2 * n)) / scale
    let half = z / scale * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
    return ConfidenceInterval(
      low: p > 0 ? max(0, middle - half) : 0, high: p < 1 ? min(1, middle + half) : 1)
  }
}
