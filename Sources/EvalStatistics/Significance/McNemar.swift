/// McNemar's test of paired outcomes, in which only the discordant pairs (flips) carry information.
///
/// If the edit has no effect, the two answers of a pair are exchangeable, so each flip is like the
/// toss of a fair coin. At least five flips, all in the same direction, are needed for p < 0.05.
package enum McNemar {
  /// Returns the exact one-sided p-value of "flips in the first direction are more frequent".
  package static func exactOneSided(more first: Int, than second: Int) -> Double {
    let flips = first + second
    guard flips > 0 else { return 1 }
    return Binomial.cumulative(second, of: flips, rate: 0.5)
  }
}
