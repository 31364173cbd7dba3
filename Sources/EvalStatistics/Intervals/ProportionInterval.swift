import Foundation

/// Intervals of one rate: `hits` of `count`.
///
/// Wilson's is for display, Clopper–Pearson's for guardrails ("never empty"). The normal
/// approximation is not offered: below some hundred attempts it is far too narrow (Bowyer, Aitchison
/// and Ivanova 2025, arXiv 2503.01747). With a count of zero nothing is known: 0…1.
public enum ProportionInterval {
  /// Wilson's score interval.
  ///
  /// - Parameters:
  ///   - hits: How many counted; from 0 to `count`.
  ///   - count: How many there were.
  ///   - confidence: The confidence, between 0 and 1.
  public static func wilson(
    hits: Int, count: Int, confidence: Double = 0.95
  ) -> ConfidenceInterval {
    guard let (k, n, p) = parts(hits, count) else { return everything }
    let z = deviations(confidence)
    let scale = 1 + z * z / n
    let middle = (p + z * z / (2 * n)) / scale
    let half = z / scale * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
    return ConfidenceInterval(
      low: k > 0 ? max(0, middle - half) : 0, high: k < n ? min(1, middle + half) : 1)
  }

  /// Wilson's score interval with continuity correction (Newcombe 1998).
  public static func wilsonCorrected(
    hits: Int, count: Int, confidence: Double = 0.95
  ) -> ConfidenceInterval {
    guard let (k, n, p) = parts(hits, count) else { return everything }
    let z = deviations(confidence)
    let scale = 2 * (n + z * z)
    let centre = 2 * n * p + z * z
    let lowRoot = max(0, z * z - 2 - 1 / n + 4 * p * (n * (1 - p) + 1)).squareRoot()
    let highRoot = max(0, z * z + 2 - 1 / n + 4 * p * (n * (1 - p) - 1)).squareRoot()
    return ConfidenceInterval(
      low: k > 0 ? max(0, (centre - 1 - z * lowRoot) / scale) : 0,
      high: k < n ? min(1, (centre + 1 + z * highRoot) / scale) : 1)
  }

  /// Clopper and Pearson's exact interval: covers with at least the stated confidence.
  public static func clopperPearson(
    hits: Int, count: Int, confidence: Double = 0.95
  ) -> ConfidenceInterval {
    guard let (k, n, _) = parts(hits, count) else { return everything }
    let tail = (1 - confidence) / 2
    return ConfidenceInterval(
      low: k > 0 ? BetaDistribution.quantile(k, n - k + 1, tail) : 0,
      high: k < n ? BetaDistribution.quantile(k + 1, n - k, 1 - tail) : 1)
  }

  /// Jeffreys' interval: the middle of the posterior under a Beta(½, ½) prior.
  public static func jeffreys(
    hits: Int, count: Int, confidence: Double = 0.95
  ) -> ConfidenceInterval {
    guard let (k, n, _) = parts(hits, count) else { return everything }
    let tail = (1 - confidence) / 2
    return ConfidenceInterval(
      low: k > 0 ? BetaDistribution.quantile(k + 0.5, n - k + 0.5, tail) : 0,
      high: k < n ? BetaDistribution.quantile(k + 0.5, n - k + 0.5, 1 - tail) : 1)
  }

  /// An interval that may be looked at after every attempt: the chance that it ever misses the true
  /// rate, over all looks together, is at most `alpha`.
  ///
  /// A beta-binomial mixture with Ville's inequality: the rates p with
  /// B(a + k, b + n − k) / B(a, b) < pᵏ (1 − p)ⁿ⁻ᵏ / α.
  ///
  /// - Parameters:
  ///   - hits: How many counted so far.
  ///   - count: How many there were so far.
  ///   - alpha: The chance of ever missing.
  ///   - a: The first shape of the mixture.
  ///   - b: The second shape of the mixture.
  public static func confidenceSequence(
    hits: Int, count: Int, alpha: Double = 0.05, a: Double = 0.5, b: Double = 0.5
  ) -> ConfidenceInterval {
    guard let (k, n, p) = parts(hits, count) else { return everything }
    let threshold =
      BetaDistribution.logBeta(a + k, b + n - k) - BetaDistribution.logBeta(a, b) + log(alpha)
    func isInside(_ rate: Double) -> Bool {
      let likelihood = (k > 0 ? k * log(rate) : 0) + (n > k ? (n - k) * log1p(-rate) : 0)
      return likelihood > threshold
    }
    // Bisection between the observed rate, which is inside, and the end, which is outside.
    func border(from inside: Double, to outside: Double) -> Double {
      var (inside, outside) = (inside, outside)
      for _ in 0..<1100 {
        let middle = (inside + outside) / 2
        if middle == inside || middle == outside { break }
        if isInside(middle) { inside = middle } else { outside = middle }
      }
      return (inside + outside) / 2
    }
    return ConfidenceInterval(
      low: k > 0 ? border(from: p, to: 0) : 0, high: k < n ? border(from: p, to: 1) : 1)
  }

  private static let everything = ConfidenceInterval(low: 0, high: 1)

  private static func deviations(_ confidence: Double) -> Double {
    Normal.quantile(1 - (1 - confidence) / 2)
  }

  /// Hits, count and rate as doubles; nil where nothing was counted.
  private static func parts(_ hits: Int, _ count: Int) -> (Double, Double, Double)? {
    guard count > 0 else { return nil }
    let clamped = Double(min(max(hits, 0), count))
    return (clamped, Double(count), clamped / Double(count))
  }
}
