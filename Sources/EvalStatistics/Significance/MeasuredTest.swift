/// A measured probability of one test case on one side.
package struct MeasuredCase: Sendable, Hashable {
  /// The probability from all draws together.
  package var probability: Double
  /// The probability in each draw.
  package var draws: [Double]

  package init(probability: Double, draws: [Double]) {
    self.probability = probability
    self.draws = draws
  }

  /// Creates the mean of some draws, at least one.
  package init(draws: [Double]) {
    self.init(probability: draws.reduce(0, +) / Double(draws.count), draws: draws)
  }
}

/// The test of whether a measured probability rose or fell.
///
/// A probability changed if its mean over the test cases changed by more than the margin, or if it
/// changed far in a few test cases. Each of these two tests gets a share of the level, so the
/// p-value is the smaller of their p-values, each divided by its share.
///
/// ```
///                                mean change                       a few test cases
/// a harmless edit moves cases    sign flips, beyond the margin     changes of log odds
/// sampled text varies            permutation of the draws          permutation of the draws
/// ```
/// If the text before the decision is fixed, only the first line applies, and one draw of each test
/// case is enough. Otherwise, the second line needs at least two draws of most test cases on both
/// sides; without them, the test can't decide. In a few test cases, the larger p-value of the two
/// lines counts. For the mean change, the permutation alone keeps the level if nothing changed, so
/// it gives the p-value; the first line is a second condition, with a level of its own that other
/// tests don't share. If it isn't met, the larger p-value counts here too.
///
/// After sampled text, both tests of the mean compare log odds: a harmless edit moves them by
/// similar amounts in all test cases, while the probabilities themselves move far more in some test
/// cases than in others. Probabilities within the margin of 0 or 1 count as equal. That finds so
/// many more edits that the permutation needs only a share of the level (``shareOfDraws``).
package struct MeasuredTest: Sendable {
  /// The share of the level for the mean change.
  package static let shareOfMean = 0.8
  /// The share of the level for the change in a few test cases.
  package static let shareOfFew = 1 - shareOfMean

  /// The share of the level for the permutation of the draws.
  package static let shareOfDraws = 0.5

  /// The test of the mean change of the probabilities.
  package let mean: ShiftTest
  /// The one-sided p-values of the test of the mean over the test cases.
  package let overCases: (worse: Double, better: Double)
  /// The tests of a rise and of a fall in a few test cases.
  package let few: (rise: FewCasesTest, fall: FewCasesTest)
  /// Whether the test can find that something changed, because its text is fixed or there are
  /// enough draws.
  package let canDecide: Bool
  /// The one-sided p-value of "worse".
  package let worseP: Double
  /// The one-sided p-value of "better".
  package let betterP: Double
  /// Whether the few test cases, and not the mean, gave the p-value.
  package let isFew: (worse: Bool, better: Bool)
  /// The smallest attainable p-value, over all exchanges of the two sides of a test case.
  package let leastP: Double

  /// Creates the test.
  ///
  /// - Parameters:
  ///   - cases: The probabilities of each test case.
  ///   - isFixed: Whether the text before the decision is fixed on both sides.
  ///   - margin: The tolerated mean change.
  ///   - level: The level of the second condition.
  ///   - seed: The seed for random sign flips and assignments.
  package init(
    _ cases: [(baseline: MeasuredCase, candidate: MeasuredCase)], isFixed: Bool, margin: Double,
    level: Double, seed: UInt64 = 1
  ) {
    let (before, after) = (cases.map(\.baseline.probability), cases.map(\.candidate.probability))
    let shifts = zip(before, after).map { $1 - $0 }
    mean = ShiftTest(shifts, margin: margin, seed: seed)
    few = (
      FewCasesTest(before: before, after: after, margin: margin),
      FewCasesTest(before: after, after: before, margin: margin)
    )
    let draws = cases.map {
      DrawPermutation.Case(baseline: $0.baseline.draws, candidate: $0.candidate.draws)
    }
    canDecide = isFixed || Self.showsSpread(draws)
    overCases =
      isFixed
      ? (mean.worseP, mean.betterP)
      : (
        mean.sample.mean > margin
          ? Self.riseP(draws.map { ($0.baseline, $0.candidate) }, margin: margin, seed: seed) : 1,
        mean.sample.mean < -margin
          ? Self.riseP(draws.map { ($0.candidate, $0.baseline) }, margin: margin, seed: seed) : 1
      )
    var (ofMean, ofFew) = (
      overCases,
      (worse: few.rise.pValue, better: few.fall.pValue)
    )
    // If these p-values are large, the permutation can't make one significant, so it is skipped.
    let smallest = min(
      Self.combined(ofMean.worse, ofFew.worse), Self.combined(ofMean.better, ofFew.better))
    if !isFixed, canDecide, smallest < 0.5 {
      let permutation = DrawPermutation(draws, least: Self.least(margin), seed: seed)
      func both(_ overCases: Double, _ permuted: Double) -> Double {
        max(overCases <= level ? 0 : overCases, permuted / Self.shareOfDraws)
      }
      ofMean.worse = both(ofMean.worse, permutation.mean.worse)
      ofMean.better = both(ofMean.better, permutation.mean.better)
      ofFew.worse = max(ofFew.worse, permutation.few.worse / Self.shareOfDraws)
      ofFew.better = max(ofFew.better, permutation.few.better / Self.shareOfDraws)
    }
    worseP = Self.combined(ofMean.worse, ofFew.worse)
    betterP = Self.combined(ofMean.better, ofFew.better)
    isFew = (
      Self.fewDecide(ofMean.worse, ofFew.worse), Self.fewDecide(ofMean.better, ofFew.better)
    )
    guard canDecide, shifts.contains(where: { abs($0) > margin }) else {
      leastP = 1
      return
    }
    let permuted = isFixed ? 0 : DrawPermutation.leastP(draws) / Self.shareOfDraws
    let furthest = FewCasesTest(
      before: zip(before, after).map { min($0, $1) },
      after: zip(before, after).map { max($0, $1) }, margin: margin)
    let leastOfMean = !isFixed && mean.leastP <= level ? permuted : max(mean.leastP, permuted)
    leastP = Self.combined(leastOfMean, max(furthest.pValue, permuted))
  }

  /// Returns the p-value of the sign-flip test of whether log odds rose further than a rise of all
  /// probabilities by the margin.
  private static func riseP(
    _ cases: [(before: [Double], after: [Double])], margin: Double, seed: UInt64
  ) -> Double {
    let least = least(margin)
    func mean(_ draws: [Double], less margin: Double) -> Double {
      draws.reduce(0) { $0 + FewCasesTest.logOdds($1 - margin, least: least) }
        / Double(max(1, draws.count))
    }
    return SignFlip(
      cases.map { mean($0.after, less: margin) - mean($0.before, less: 0) }, seed: seed
    ).pValue(above: 0)
  }

  /// Returns how close to 0 or 1 probabilities after sampled text count as equally close.
  private static func least(_ margin: Double) -> Double {
    max(margin, FewCasesTest.leastProbability)
  }

  /// Returns a confidence interval for the mean change without the changes that the test excludes.
  ///
  /// If the test over the test cases shows a change beyond the margin, the interval begins at the
  /// margin. So an interval never contradicts the test.
  ///
  /// - Parameters:
  ///   - interval: The interval.
  ///   - level: The one-sided level of the test.
  func cut(_ interval: ConfidenceInterval, level: Double) -> ConfidenceInterval {
    ConfidenceInterval(
      low: overCases.worse <= level ? max(interval.low, mean.margin) : interval.low,
      high: overCases.better <= level ? min(interval.high, -mean.margin) : interval.high)
  }

  private static func combined(_ ofMean: Double, _ ofFew: Double) -> Double {
    min(1, ofMean / shareOfMean, ofFew / shareOfFew)
  }

  private static func fewDecide(_ ofMean: Double, _ ofFew: Double) -> Bool {
    ofFew / shareOfFew < min(1, ofMean / shareOfMean)
  }

  /// Returns whether most test cases have at least two draws on both sides, so that the spread of
  /// the draws is known.
  static func showsSpread(_ draws: [DrawPermutation.Case]) -> Bool {
    2 * draws.count { min($0.baseline.count, $0.candidate.count) > 1 } > draws.count
  }
}
