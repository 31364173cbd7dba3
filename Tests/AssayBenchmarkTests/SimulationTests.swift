import Testing

@testable import assay_benchmark

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

  @Test("40 attempts against a pooled history of 1,000 usually find a planted 1-in-15 failure")
  func countingSimulation() {
    let simulation = PooledSimulation(trials: 60, alpha: 0.05, seed: 3)
    #expect(simulation.pooledRate(failureRate: 1.0 / 15, runs: 40, history: 1_000) >= 0.9)
  }

  @Test("with one repeat of 20 test cases, rewordings raise few alarms, and a planted bug is found")
  func wholeComparison() {
    let simulation = AlarmSimulation(cases: 20, trials: 30, seed: 5)
    // In 30 trials, three standard errors are 0.12 for a rate of 0.05, and 0.16 for a rate of 0.9.
    // `scripts/benchmark alarms` runs more trials.
    #expect(simulation.gateRate(.rewording) <= 0.05 + 0.12)
    #expect(simulation.gateRate(.planted) >= 0.9 - 0.16)
  }
}
