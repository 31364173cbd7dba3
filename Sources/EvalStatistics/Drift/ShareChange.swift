import EvalRecords

/// A counted share before and after a change, with the interval and the test of the difference.
package struct ShareChange: Sendable {
  /// The share before the change.
  package let before: Share
  /// The share after the change.
  package let after: Share
  /// The share after the change minus the share before it.
  package let change: Double
  /// The lower end of the 95 % interval of the change.
  package let low: Double
  /// The upper end of the interval.
  package let high: Double
  /// The two-sided p-value from Fisher's exact test or, if a comparison found the change, from the
  /// comparison's test.
  package let pValue: Double

  /// Creates the change between two shares.
  ///
  /// If the counts at each test case are known, the interval is ``ChangeInterval``.
  package init(from before: Share, to after: Share) {
    self.before = before
    self.after = after
    change = after.value - before.value
    let interval = ChangeInterval.widest(
      attempts: DifferenceInterval.newcombe(
        firstHits: after.hits, firstCount: after.count, secondHits: before.hits,
        secondCount: before.count), changes: after.changes(from: before), confidence: 0.95)
    pValue = FisherExact.pValue(
      TwoByTwo(after.hits, after.count - after.hits, before.hits, before.count - before.hits),
      .twoSided)
    // The interval excludes zero only if the test does.
    low = pValue < 0.05 ? interval.low : min(0, interval.low)
    high = pValue < 0.05 ? interval.high : max(0, interval.high)
  }

  /// Creates a change from a comparison's effect, or returns `nil` if the effect is measured from
  /// probabilities and has no counts.
  package init?(_ effect: EffectRecord) {
    guard let before = effect.baseline.hits, let after = effect.candidate.hits else { return nil }
    func share(_ hits: Int, _ estimate: EstimateRecord) -> Share {
      (0...1).contains(estimate.low) && (0...1).contains(estimate.high)
        ? Share(hits, of: estimate.count, in: .init(low: estimate.low, high: estimate.high))
        : Share(hits, of: estimate.count)
    }
    (self.before, self.after) = (share(before, effect.baseline), share(after, effect.candidate))
    (change, low, high) = (effect.change, effect.changeLow, effect.changeHigh)
    pValue = effect.pValue ?? 1
  }

  /// The tolerance: two shares count as equal if the interval of their difference lies within this
  /// distance of 0.
  package static let tolerance = 0.05

  /// The verdict, given the adjusted p-value.
  ///
  /// “Better” and “worse” need a small p and an interval that excludes 0. “No change” needs equal
  /// shares or an interval within the tolerance. Otherwise there are too few attempts to tell.
  package func verdict(adjustedP: Double, higherIsBetter: Bool) -> ComparisonVerdict {
    guard before.count > 0, after.count > 0 else { return .inconclusive }
    guard adjustedP < 0.05, low > 0 || high < 0 else {
      return change == 0 || max(-low, high) <= Self.tolerance ? .ok : .inconclusive
    }
    return (change > 0) == higherIsBetter ? .improved : .regressed
  }
}
