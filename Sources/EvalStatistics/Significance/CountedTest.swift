import SystemBasics

/// The test of whether bad attempts have become more frequent, based on counts.
///
/// A change counts only if the answers to two questions are yes:
///
/// 1. *Is the change more than chance in the draws?* The null hypothesis is that the edit has no
///    effect on any test case. With equal seeds, the two answers of each pair are then exchangeable
///    (McNemar's exact test). With different seeds, all answers of a test case are exchangeable
///    between the sides (the exact permutation test with one stratum per test case).
/// 2. *Is the change more than random movement of the test cases?* A harmless edit moves each test
///    case a little, up or down, and with many repeats the first test detects even that. So one of
///    these conditions must hold:
///    - The mean change exceeds the margin, with the test cases as the sample (sign-flip test).
///    - A few test cases rose further than others fell (``ConcentratedRise``).
///    - The rate over exactly these test cases rose by more than ``leastRise(cases:)``. This is the
///      only condition that one to four test cases can meet with a moderate rise, because no
///      p-value of the sign-flip test is below 2⁻ⁿ.
///
/// The p-value is the larger of the two questions' p-values. For a concentrated rise, it is the
/// p-value of the first question. Each test keeps its level under its own null hypothesis, so the
/// combination keeps the level of the first question.
package struct CountedTest: Sendable {
  /// The counts of bad attempts of one test case on both sides.
  package struct Case: Sendable, Hashable {
    /// The test case's id.
    package var id: String
    /// The baseline's draws.
    package var baseline = CaseCount()
    /// The candidate's draws.
    package var candidate = CaseCount()

    /// The increase in the rate of bad attempts.
    package var rise: Double { candidate.rate - baseline.rate }
  }

  /// The discordant pairs: the pairs with equal seeds in which only one answer is bad.
  package struct Flips: Sendable, Hashable {
    /// The number of pairs in which only the candidate's answer is bad.
    package var toWorse = 0
    /// The number of pairs in which only the baseline's answer is bad.
    package var toBetter = 0
  }

  /// The test cases with draws on both sides.
  package let cases: [Case]
  /// The one-sided p-value of "worse".
  package let worseP: Double
  /// The one-sided p-value of "better".
  package let betterP: Double
  /// The smallest attainable p-value, over all possible results of the draws.
  package let leastP: Double
  /// The statistic for a concentrated rise.
  package let rise: ConcentratedRise
  /// The statistic for a concentrated fall.
  package let fall: ConcentratedRise
  /// The p-values of the first question.
  package let exact: (worse: Double, better: Double)
  /// The p-values of the sign-flip test over test cases.
  ///
  /// Both are 0 if only the first question is asked. A p-value is 1 if the first question's p-value
  /// in the same direction is at least 0.5.
  package let overCases: (worse: Double, better: Double)
  /// Whether each p-value rests on exactly these test cases, because the test over test cases alone
  /// would give a larger one.
  package let isAboutTheseCases: (worse: Bool, better: Bool)

  /// Returns the rise of the rate over a few test cases that a harmless edit hardly ever causes.
  ///
  /// If an edit moves the log odds of every test case at random, with a standard deviation of 0.4,
  /// it moves a rate by at most about 0.1, and the mean of n rates by 0.1 / √n. The result is 1.5
  /// times that, but at least 0.1; see docs/research/statistics-design.md.
  package static func leastRise(cases: Int) -> Double {
    max(0.1, 0.15 / Double(max(1, cases)).squareRoot())
  }

  /// Creates the test of a change.
  ///
  /// - Parameters:
  ///   - cases: The draws of each test case; test cases without draws on one side are left out.
  ///   - flips: The discordant pairs if all draws are pairs with equal seeds, or `nil` otherwise.
  ///   - drawn: Returns the confidence interval, at a given confidence level, for the rise of the
  ///     rate over exactly these test cases, or `nil` to ignore such rises.
  ///   - margin: The tolerated mean change.
  ///   - seed: The seed of the random sign flips, which are drawn if there are more than 20 test
  ///     cases.
  ///   - asksCases: Whether to ask the second question too; for screening many quantities, the
  ///     first question is enough.
  package init(
    _ cases: [Case], flips: Flips? = nil, drawn: ((Double) -> ConfidenceInterval)? = nil,
    margin: Double, seed: UInt64 = 1, asksCases: Bool = true
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
      isAboutTheseCases = (false, false)
      (worseP, betterP) = exact
      return
    }
    // The test over test cases is the most expensive one, so it is skipped if the first question's
    // p-value is so large that the result can't matter.
    let flipped = min(exact.worse, exact.better) < 0.5 ? SignFlip(rises, seed: seed) : nil
    overCases = (
      exact.worse < 0.5 ? flipped?.pValue(above: margin) ?? 1 : 1,
      exact.better < 0.5 ? flipped?.pValue(below: -margin) ?? 1 : 1
    )
    let least = Self.leastRise(cases: cases.count)
    let overDraws = (
      worse: exact.worse < 0.5
        ? drawn.map { draws in Self.error { draws($0).low > least } } ?? 1 : 1,
      better: exact.better < 0.5
        ? drawn.map { draws in Self.error { draws($0).high < -least } } ?? 1 : 1
    )
    worseP =
      rise.isAlarm ? exact.worse : max(exact.worse, min(overCases.worse, overDraws.worse))
    betterP =
      fall.isAlarm ? exact.better : max(exact.better, min(overCases.better, overDraws.better))
    // Without an error of simulation, the two p-values are often equal, so a difference within the
    // error doesn't count.
    func isLarger(_ over: Double, than pValue: Double) -> Bool {
      let error = flipped?.isExact == false ? 3 * (over / Double(SignFlip.draws)).squareRoot() : 0
      return over - error > pValue * (1 + 1e-9)
    }
    isAboutTheseCases = (
      isLarger(max(exact.worse, overCases.worse), than: worseP),
      isLarger(max(exact.better, overCases.better), than: betterP)
    )
  }

  /// Returns the smallest one-sided error at which a confidence interval still has a property that
  /// narrower intervals have too, or 1 if no interval with an error below 0.5 has it.
  private static func error(_ holds: (_ confidence: Double) -> Bool) -> Double {
    guard holds(0) else { return 1 }
    // The bisection is on the logarithm, because the errors are often tiny.
    var (low, high) = (log(1e-12), log(0.5))
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if holds(1 - 2 * exp(middle)) { high = middle } else { low = middle }
    }
    return exp(high)
  }
}
