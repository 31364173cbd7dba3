import EvalRecords

/// The change of a pass rate between earlier nights and the newest ones, over the test cases that
/// both have.
///
/// Each test case has the same weight on both sides: its share of the newest attempts. So neither a
/// test case that only one side has, nor one with more attempts on one side than on the other, can
/// look like a change.
///
/// ```
///                     earlier     newest    weight
/// easy test case       10 of 10   9 of 10     ½
/// hard test case       2 of 20    1 of 10     ½
///                        55 %       50 %            a fall of 5 points, not a rise of 10
/// ```
struct StratifiedChange {
  /// The earlier nights' rate, with the weights of the newest attempts.
  let before: EstimateRecord
  /// The newest rate.
  let after: EstimateRecord
  /// The newest rate minus the earlier one.
  let change: Double
  /// Newcombe's interval for the change.
  let interval: ConfidenceInterval

  /// The number of the newest attempts.
  var count: Int { after.count }

  /// Creates a change, or returns `nil` if the sides have no test case in common.
  ///
  /// - Parameters:
  ///   - cases: The test cases that both sides have; hits are failed attempts, and the candidate is
  ///     the newest side.
  ///   - confidence: The confidence level of the intervals.
  init?(_ cases: [CountedTest.Case], confidence: Double) {
    let count = cases.reduce(0) { $0 + $1.candidate.count }
    guard count > 0, cases.allSatisfy({ $0.baseline.count > 0 }) else { return nil }
    let passed = count - cases.reduce(0) { $0 + $1.candidate.hits }
    let earlier = cases.reduce(0) { $0 + $1.baseline.count }
    let earlierPassed = earlier - cases.reduce(0) { $0 + $1.baseline.hits }
    // The number of attempts with equal weights that would estimate the rate equally well.
    let weights = cases.map { Double($0.candidate.count) / Double(count) }
    let rate = 1 - zip(weights, cases).reduce(0) { $0 + $1.0 * $1.1.baseline.rate }
    let effective =
      1 / zip(weights, cases).reduce(0) { $0 + $1.0 * $1.0 / Double($1.1.baseline.count) }
    let deviations = Normal.quantile(0.5 + confidence / 2)
    let (old, new) = (
      ProportionInterval.wilson(rate: rate, count: effective, deviations: deviations),
      ProportionInterval.wilson(hits: passed, count: count, confidence: confidence)
    )
    // If the weights don't matter, the reader sees the counts.
    let plain = Double(earlierPassed) / Double(earlier)
    let isPlain = abs(plain - rate) < 1e-9
    before = EstimateRecord(
      value: isPlain ? plain : rate, hits: isPlain ? earlierPassed : nil,
      count: isPlain ? earlier : cases.count, low: old.low, high: old.high)
    let value = Double(passed) / Double(count)
    after = EstimateRecord(
      value: value, hits: passed, count: count, low: new.low, high: new.high)
    change = value - before.value
    interval = DifferenceInterval.newcombe(
      first: (value, new), second: (before.value, old), correlation: 0)
  }
}
