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
package struct MeasuredTest: Sendable {
  /// The share of the level for the mean change.
  package static let shareOfMean = 0.8
  /// The share of the level for the change in a few test cases.
  package static let shareOfFew = 1 - shareOfMean

  /// The test of the mean change.
  package let mean: ShiftTest
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
    var (ofMean, ofFew) = (
      (worse: mean.worseP, better: mean.betterP),
      (worse: few.rise.pValue, better: few.fall.pValue)
    )
    // If these p-values are large, the permutation can't make one significant, so it is skipped.
    let smallest = min(
      Self.combined(ofMean.worse, ofFew.worse), Self.combined(ofMean.better, ofFew.better))
    if !isFixed, canDecide, smallest < 0.5 {
      let permutation = DrawPermutation(draws, seed: seed)
      func both(_ overCases: Double, _ permuted: Double) -> Double {
        overCases <= level ? permuted : max(overCases, permuted)
      }
      ofMean.worse = both(ofMean.worse, permutation.mean.worse)
      ofMean.better = both(ofMean.better, permutation.mean.better)
      ofFew.worse = max(ofFew.worse, permutation.few.worse)
      ofFew.better = max(ofFew.better, permutation.few.better)
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
    let permuted = isFixed ? 0 : DrawPermutation.leastP(draws)
    let furthest = FewCasesTest(
      before: zip(before, after).map { min($0, $1) },
      after: zip(before, after).map { max($0, $1) }, margin: margin)
    let leastOfMean = !isFixed && mean.leastP <= level ? permuted : max(mean.leastP, permuted)
    leastP = Self.combined(leastOfMean, max(furthest.pValue, permuted))
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
