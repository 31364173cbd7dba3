import EvalRecords
import EvalStatistics
import Testing

@Suite("Alarm rates of simulated comparisons")
struct SimulationTests {
  @Test(
    "the share of harmless edits that raise an alarm is at most α, within random error",
    arguments: [AlarmSimulation.Arm.identical, .rewording, .atMargin])
  func harmlessEditsStayQuiet(arm: AlarmSimulation.Arm) {
    let simulation = AlarmSimulation(cases: 20, trials: 400, seed: 11)
    // Three standard errors of a rate of 0.05 in 400 trials are 0.033.
    #expect(simulation.alarmRate(arm) <= 0.05 + 0.033)
  }

  @Test("20 test cases with one repeat find a planted 1-in-15 bug at least nine times in ten")
  func plantedBugIsCaught() {
    #expect(AlarmSimulation(cases: 20, trials: 400, seed: 12).alarmRate(.planted) >= 0.9)
  }

  @Test("with new seeds, an unchanged suite's alarm rate is at most α, within random error")
  func countedNullStaysQuiet() {
    var generator = SplitMix(seed: 5)
    let trials = 200
    let alarms = (0..<trials).count { _ in
      var outcomes = (0..<2).map { _ in
        (0..<60).map { _ in generator.unit() < 0.8 ? Outcome.pass : .fail }
      }
      func side(_ seed: UInt64) -> ComparisonSide {
        let answers = outcomes.removeFirst()
        var builder = RunBuilder(cases: 20, repeats: 3)
        builder.seed = seed
        builder.answer = { RunBuilder.Answer(outcome: answers[$0 * 3 + $1], output: "\(seed)") }
        return builder.side()
      }
      let baseline = side(100)
      let candidate = side(200)
      return Comparison.compare(baseline: baseline, candidate: candidate).verdict == .regressed
    }
    // Three standard errors of a rate of 0.05 in 200 trials are 0.046.
    #expect(Double(alarms) / Double(trials) <= 0.05 + 0.046)
  }
}
