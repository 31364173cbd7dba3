import EvalRecords
import EvalStatistics
import Foundation
import Testing

@Suite("Comparing runs that stopped early")
struct SequentialTests {
  /// Returns the exact chance that, at some point during a number of fair flips, the p-value is at
  /// most α.
  ///
  /// `chances[w]` is the chance that w flips so far were for the worse and none raised an alarm.
  private func chanceOfAlarm(
    flips: Int, alpha: Double, pValue: (_ worse: Int, _ better: Int) -> Double
  ) -> Double {
    var chances = [1.0]
    var alarm = 0.0
    for flip in 1...flips {
      var next = [Double](repeating: 0, count: flip + 1)
      for (worse, chance) in chances.enumerated() {
        next[worse] += chance / 2
        next[worse + 1] += chance / 2
      }
      for worse in next.indices where pValue(worse, flip - worse) <= alpha {
        alarm += next[worse]
        next[worse] = 0
      }
      chances = next
    }
    return alarm
  }

  @Test(
    "applied after each flip, the sequential test keeps false alarms within α; McNemar's doesn't")
  func level() {
    for alpha in [0.01, 0.05, 0.2] {
      let chance = chanceOfAlarm(flips: 200, alpha: alpha) {
        SequentialFlips.pValue(more: $0, than: $1)
      }
      #expect(chance <= alpha, "α = \(alpha)")
      #expect(chance > alpha / 10, "the test must be able to raise an alarm")
    }
    let fixed = chanceOfAlarm(flips: 200, alpha: 0.05) {
      McNemar.exactOneSided(more: $0, than: $1)
    }
    #expect(fixed > 0.15, "McNemar's test after every flip raises too many alarms")
  }

  @Test(
    "the p-value is the reciprocal of the mean likelihood ratio over all coins that favor “worse”",
    arguments: [(1, 0), (5, 0), (7, 0), (0, 4), (12, 3), (40, 41), (300, 200)])
  func integral(worse: Int, better: Int) {
    let steps = 200_000
    var sum = 0.0
    for step in 0..<steps {
      let theta = 0.5 + 0.5 * (Double(step) + 0.5) / Double(steps)
      sum += exp(Double(worse) * log(2 * theta) + Double(better) * log(2 - 2 * theta))
    }
    let expected = min(1, Double(steps) / sum)
    let found = SequentialFlips.pValue(more: worse, than: better)
    #expect(abs(found - expected) <= 1e-6 * expected)
    #expect(SequentialFlips.pValue(more: 0, than: 0) == 1)
  }

  /// Returns a run of 40 test cases.
  ///
  /// If `made` is below 40, the run stopped early after that many attempts.
  private func stopped(id: Int, made: Int, failing: Int) -> ComparisonSide {
    var builder = RunBuilder()
    builder.id = id
    builder.cases = 40
    builder.answer = { index, _ in
      index < failing
        ? RunBuilder.Answer(outcome: .fail, output: #"{"cards":[]}"#) : RunBuilder.Answer()
    }
    var side = builder.side()
    side.attempts.removeLast(40 - made)
    if made < 40 {
      side.run.details.earlyStops = [
        EarlyStopRecord(
          suite: "cards", backend: "local", outcome: .missed, alpha: 0.05, count: made,
          passed: made - failing, planned: 40)
      ]
    }
    return side
  }

  private func compare(failing: Int) -> ComparisonRecord {
    Comparison.compare(
      baseline: stopped(id: 1, made: 40, failing: 0),
      candidate: stopped(id: 2, made: 20, failing: failing))
  }

  @Test("if a run stopped early, only its pass rate is tested, with the sequential test")
  func stoppedCandidate() throws {
    let record = compare(failing: 12)
    #expect(record.verdict == .regressed)
    let effect = try #require(record.effects.first)
    #expect(record.effects.count == 1)
    #expect(effect.quantity == .passRate)
    #expect(effect.method.test == .sequential(flips: 12))
    #expect(
      record.differences.map(\.fact)
        == [.stoppedEarly(side: .candidate, run: 2, attempts: 20, planned: 40)])
  }

  @Test(
    "if McNemar's test finds a regression but the sequential test doesn't, runs aren't comparable"
  )
  func tooFew() {
    let record = compare(failing: 6)
    #expect(McNemar.exactOneSided(more: 6, than: 0) < 0.04)
    #expect(record.verdict == .notComparable)
    #expect(record.effects.map(\.verdict) == [.inconclusive])
  }

  @Test("if attempts are missing for a reason other than an early stop, the usual tests apply")
  func otherwiseMissing() {
    var side = stopped(id: 2, made: 20, failing: 12)
    side.run.details.earlyStops = nil
    let record = Comparison.compare(
      baseline: stopped(id: 1, made: 40, failing: 0), candidate: side)
    #expect(record.verdict == .regressed)
    #expect(record.effects.count > 1)
    #expect(
      record.differences.map(\.fact)
        == [.notMade(side: .candidate, attempts: 20, planned: 40)])
  }
}
