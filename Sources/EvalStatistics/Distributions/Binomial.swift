import SystemBasics

/// The binomial distribution: the number of hits in `n` independent trials.
package enum Binomial {
  /// Returns the probability of exactly `k` hits.
  package static func probability(_ k: Int, of n: Int, rate: Double) -> Double {
    guard k >= 0, k <= n else { return 0 }
    if rate <= 0 { return k == 0 ? 1 : 0 }
    if rate >= 1 { return k == n ? 1 : 0 }
    return exp(
      Gamma.logBinomial(n, k) + Double(k) * log(rate) + Double(n - k) * log1p(-rate))
  }

  /// Returns the cumulative distribution function: the probability of at most `k` hits.
  package static func cumulative(_ k: Int, of n: Int, rate: Double) -> Double {
    guard k >= 0 else { return 0 }
    guard k < n else { return 1 }
    return BetaDistribution.cumulative(Double(n - k), Double(k) + 1, 1 - rate)
  }
}
