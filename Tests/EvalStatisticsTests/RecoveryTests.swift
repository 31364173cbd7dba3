import EvalRecords
import Testing

@testable import EvalStatistics

@Suite("A history is about tonight, and about the test cases that both sides have")
struct RecoveryTests {
  /// Creates nights of twelve test cases with three draws each, from the number of failed draws.
  private func nights(_ failed: [Int]) -> [DriftScan.Night] {
    failed.map { failed in
      Dictionary(
        uniqueKeysWithValues: (0..<12).map { index in
          // Spread the failures evenly.
          let own = failed / 12 + (index < failed % 12 ? 1 : 0)
          return ("c\(index)", CaseCount(hits: own, count: 3))
        })
    }
  }

  /// The level of the comparison with the history.
  private static let level = 0.01

  @Test(
    "a worsening counts on every night that it lasts, and no longer once it is over",
    arguments: [
      // The bad night itself, and the nights after it.
      ([0, 0, 0, 36], true), ([0, 0, 0, 36, 0], false), ([0, 0, 0, 36, 0, 0, 0], false),
      ([0, 0, 36, 35, 36, 0], false), ([0, 0, 0, 36, 1, 0, 1], false),
      // A few failures, as before the bad night, are no worsening.
      ([2, 1, 3, 2, 36, 2], false), ([2, 1, 3, 2, 36, 3, 2, 1, 3], false),
      ([2, 1, 3, 2, 20, 18, 3], false),
      // A worsening that lasts, even if one of its nights is milder.
      ([0, 0, 0, 6, 6, 6], true), ([0, 0, 0, 6, 5, 7, 3], true),
      ([2, 1, 3, 2, 12, 11, 13, 9], true), ([0, 0, 0, 36, 18, 18], true),
      // A second worsening after a bad night.
      ([0, 0, 36, 0, 0, 0, 0, 9, 9, 9], true),
      // Nothing happened.
      ([0, 0, 0, 0], false), ([2, 1, 3, 2, 3, 2], false),
    ])
  func lasts(failed: [Int], isWorse: Bool) {
    let scan = DriftScan(nights(failed))
    #expect((scan.pValue <= Self.level) == isWorse, "\(failed): p = \(scan.pValue)")
  }

  @Test("tonight's numbers are shown, unless an earlier night began a clear worsening")
  func shownNights() {
    #expect(DriftScan(nights([2, 1, 3, 2, 3])).since == 4)
    let scan = DriftScan(nights([0, 0, 0, 36, 0]))
    #expect(scan.since == 4 && scan.leftOut == [3] && scan.lasting == 0)
    #expect(
      scan.cases.allSatisfy { $0.baseline.hits == 0 && $0.baseline.count == 9 },
      "the bad night is left out, so tonight doesn't look better than usual")
    let lasting = DriftScan(nights([0, 0, 0, 6, 6, 6]))
    #expect(lasting.since == 3 && lasting.leftOut == [] && lasting.lasting == 2)
  }

  private func count(_ id: String, _ before: (Int, Int), _ after: (Int, Int)) -> CountedTest.Case {
    CountedTest.Case(
      id: id, baseline: CaseCount(hits: before.0, count: before.1),
      candidate: CaseCount(hits: after.0, count: after.1))
  }

  @Test("both sides have the weights of the newest attempts")
  func weights() throws {
    // A hard test case with 600 attempts, of which 570 fail, and an easy one with 20, of which one
    // fails. Tonight each has ten attempts, of which nine and three fail.
    let change = try #require(
      StratifiedChange(
        [count("hard", (570, 600), (9, 10)), count("easy", (1, 20), (3, 10))], confidence: 0.95))
    #expect(abs(change.before.value - (0.05 + 0.95) / 2) < 1e-12)
    #expect(change.before.hits == nil && change.before.count == 2)
    #expect(change.after.hits == 8 && change.after.count == 20)
    #expect(abs(change.change - -0.1) < 1e-12)
    // Wilson's intervals by scipy.stats: of 8 in 20, and of a rate of one half in 1 / (1/4/600 +
    // 1/4/20) = 77.419 attempts. Newcombe's interval combines them.
    let (low, high) = (0.2188065, 0.6134185)
    let (oldLow, oldHigh) = (0.3912880, 0.6087120)
    let ends = (
      -0.1 - ((0.4 - low) * (0.4 - low) + (oldHigh - 0.5) * (oldHigh - 0.5)).squareRoot(),
      -0.1 + ((high - 0.4) * (high - 0.4) + (0.5 - oldLow) * (0.5 - oldLow)).squareRoot()
    )
    #expect(abs(change.interval.low - ends.0) < 1e-5, "\(change.interval)")
    #expect(abs(change.interval.high - ends.1) < 1e-5, "\(change.interval)")
  }

  @Test("if every test case has the same share on both sides, the counts are shown")
  func plainCounts() throws {
    let change = try #require(
      StratifiedChange(
        [count("a", (1, 20), (3, 10)), count("b", (2, 20), (0, 10))], confidence: 0.95))
    #expect(change.before.hits == 37 && change.before.count == 40)
    #expect(change.after.hits == 17 && change.after.count == 20)
  }
}
