import Foundation

/// Tests of paired outcomes: only the pairs that differ carry information.
///
/// Under "the edit does nothing" the two answers of a pair could be swapped, so each flip is a fair
/// coin. At least five one-way flips are needed for p < 0.05 on one side, six on two sides.
package enum McNemar {
  /// The exact two-sided p-value.
  ///
  /// - Parameters:
  ///   - first: Flips one way.
  ///   - second: Flips the other way.
  package static func exact(_ first: Int, _ second: Int) -> Double {
    let flips = first + second
    guard flips > 0 else { return 1 }
    return min(1, 2 * Binomial.cumulative(min(first, second), of: flips, rate: 0.5))
  }

  /// The exact one-sided p-value that flips the first way are the more frequent ones.
  package static func exactOneSided(more first: Int, than second: Int) -> Double {
    let flips = first + second
    guard flips > 0 else { return 1 }
    return Binomial.cumulative(second, of: flips, rate: 0.5)
  }

  /// The two-sided mid-p-value: half of the probability of what was seen is not counted.
  package static func midP(_ first: Int, _ second: Int) -> Double {
    let flips = first + second
    guard flips > 0, first != second else { return 1 }
    let seen = Binomial.probability(min(first, second), of: flips, rate: 0.5)
    return min(1, exact(first, second) - seen)
  }

  /// The evidence against fair flips that may be looked at after every pair: 1/α rejects at level α.
  ///
  /// B(a + first, a + second) / B(a, a) · 2^(flips), a mixture of likelihood ratios.
  package static func evidence(_ first: Int, _ second: Int, mixture a: Double = 0.5) -> Double {
    exp(
      BetaDistribution.logBeta(a + Double(first), a + Double(second))
        - BetaDistribution.logBeta(a, a) + Double(first + second) * log(2))
  }
}
