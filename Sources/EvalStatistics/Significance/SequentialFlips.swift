import SystemBasics

/// A sequential test of paired outcomes, which keeps its level even if earlier results decide when
/// the attempts stop.
///
/// As in McNemar's test, each flip is like the toss of a fair coin if the edit has no effect. The
/// evidence is a likelihood ratio: the likelihood of the flips under a coin that favors one side,
/// averaged evenly over all such coins, divided by their likelihood under a fair coin:
///
///     E = ∫ (2θ)ʷ (2 − 2θ)ᵇ 2 dθ,  θ from ½ to 1,  w flips to worse and b flips to better
///
/// This is the evidence for "worse"; the evidence for "better" swaps w and b.
///
/// Under a fair coin, E is a martingale that starts at 1. So the chance that it ever reaches 1/α is
/// at most α (Ville's inequality), and 1/E is a p-value at any time.
package enum SequentialFlips {
  /// Returns the one-sided p-value of "flips in the first direction are more frequent".
  package static func pValue(more first: Int, than second: Int) -> Double {
    let flips = Double(first + second)
    guard flips > 0 else { return 1 }
    let (a, b) = (Double(first) + 1, Double(second) + 1)
    let share = BetaDistribution.cumulative(b, a, 0.5)
    guard share > 0 else { return 1 }
    let evidence = (flips + 1) * log(2) + BetaDistribution.logBeta(a, b) + log(share)
    return min(1, exp(-evidence))
  }
}
