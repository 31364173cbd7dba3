import Foundation

/// The test of whether counted bad attempts have become more frequent.
///
/// A change counts only if the answers to two questions are yes:
///
/// 1. *Is the change more than chance in the draws?* If nothing changed, the answers of a test case
///   could be redistributed over both sides. With equal seeds, each pair could be swapped
///   (McNemar's exact test); with different seeds, every distribution within the test cases is
///   equally likely (the exact permutation test within test cases).
/// 2. *Is the change more than random movement of the test cases?* A harmless edit moves each test
///   case a little, up or down; with many repeats, the first test detects even that. So either the
///   mean change must exceed the margin, with the test cases as a sample (sign-flip test), or a few
///   test cases must have risen further than others fell (``ConcentratedRise``).
///
/// The p-value is the larger of the p-values of the two questions; for a concentrated rise, it is
/// the p-value of the first question. The test of each question keeps the level under its own
/// assumptions, so the combination keeps it under both.
package struct CountedTest: Sendable {
  /// One test case on both sides, with counts of bad attempts.
  package struct Case: Sendable, Hashable {
    /// The test case's id.
    package var id: String
    /// The baseline's draws.
    package var baseline: CaseCount
    /// The candidate's draws.
    package var candidate: CaseCount

    /// Creates the counts of a test case.
    package init(id: String, baseline: CaseCount = .init(), candidate: CaseCount = .init()) {
      self.id = id
      self.baseline = baseline
      self.candidate = candidate
    }

    /// The increase in the rate of bad attempts.
    package var rise: Double { candidate.rate - baseline.rate }
  }

  /// The numbers of pairs with equal seeds in which only one answer is bad.
  package struct Flips: Sendable, Hashable {
    /// The number of pairs in which only the candidate's answer is bad.
    package var toWorse: Int
    /// The number of pairs in which only the baseline's answer is bad.
    package var toBetter: Int

    /// Creates the numbers.
    package init(toWorse: Int = 0, toBetter: Int = 0) {
      self.toWorse = toWorse
      self.toBetter = toBetter
    }
  }

  /// The test cases with draws on both sides.
  package let cases: [Case]
  /// The p-value of "worse".
  package let worseP: Double
  /// The p-value of "better".
  package let betterP: Double
  /// The smallest p-value that the draws could have given, whatever their results.
  package let leastP: Double
  /// The largest rises, and whether they are an alarm.
  package let rise: ConcentratedRise
  /// The largest falls, and whether they are an alarm.
  package let fall: ConcentratedRise
  /// The p-values of the first question.
  package let exact: (worse: Double, better: Double)
  /// The p-values of the sign-flip test over test cases; 0 if only the first question is asked, and
  /// 1 if the p-value of the first question is at least 0.5.
  package let overCases: (worse: Double, better: Double)

  /// Creates the test of a change.
  ///
  /// - Parameters:
  ///   - cases: The draws of each test case; those without draws on one side are left out.
  ///   - flips: The flips of pairs, if all draws are pairs of equal seeds; nil otherwise.
  ///   - margin: The mean change that is tolerated.
  ///   - seed: The seed of the random sign flips, which are drawn for more than 20 test cases.
  ///   - asksCases: True to ask the second question too; a screen of many quantities needs only the
  ///     first.
  package init(
    _ cases: [Case], flips: Flips? = nil, margin: Double, seed: UInt64 = 1, asksCases: Bool = true
  ) {
    let cases = cases.filter { $0.baseline.count > 0 && $0.candidate.count > 0 }
    self.cases = cases
    let rises = cases.map(\.rise)
    rise = ConcentratedRise(rises)
    fall = ConcentratedRise(rises.map { 0 - $0 })
    if let flips {
      exact = (
        McNemar.exactOneSided(more: flips.toWorse, than: flips.toBetter),
        McNemar.exactOneSided(more: flips.toBetter, than: flips.toWorse)
      )
      leastP = exp2(-Double(flips.toWorse + flips.toBetter))
    } else {
      let tables = cases.map {
        TwoByTwo(
          $0.candidate.hits, $0.candidate.count - $0.candidate.hits, $0.baseline.hits,
          $0.baseline.count - $0.baseline.hits)
      }
      let distribution = Stratified.distribution(tables)
      exact = (
        Stratified.exact(tables, distribution, .greater),
        Stratified.exact(tables, distribution, .less)
      )
      leastP = min(
        distribution.probabilities.first ?? 1, distribution.probabilities.last ?? 1)
    }
    guard asksCases else {
      overCases = (0, 0)
      (worseP, betterP) = exact
      return
    }
    // The test over test cases is the most expensive one. If the p-value of the first question is
    // large, the result of this test can't matter.
    let flipped = min(exact.worse, exact.better) < 0.5 ? SignFlip(rises, seed: seed) : nil
    overCases = (
      exact.worse < 0.5 ? flipped?.pValue(above: margin) ?? 1 : 1,
      exact.better < 0.5 ? flipped?.pValue(below: -margin) ?? 1 : 1
    )
    worseP = rise.isAlarm ? exact.worse : max(exact.worse, overCases.worse)
    betterP = fall.isAlarm ? exact.better : max(exact.better, overCases.better)
  }
}
