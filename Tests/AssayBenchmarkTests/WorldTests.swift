import EvalStatistics
import Testing

@testable import assay_benchmark

/// Small versions of the tables that `scripts/benchmark alarms` prints.
///
/// The seeds are fixed, so each result is the same on every machine. The expected bounds on the
/// coverage of intervals include three standard errors.
@Suite("Simulated months, intervals and comparisons without a regression")
struct WorldTests {
  private static func world(
    _ engine: SimulatedWorld.Engine, cases: Int = 20, repeats: Int = 3, suites: Int = 4
  ) -> SimulatedWorld {
    var world = SimulatedWorld()
    (world.engine, world.cases, world.repeats, world.suites) = (engine, cases, repeats, suites)
    return world
  }

  @Test("if the pass rate falls by 40 points, a comparison rarely reports that nothing got worse")
  func equivalence() {
    for engine in [SimulatedWorld.Engine.paired(shared: 0.7), .unpaired] {
      let world = Self.world(engine, suites: 1)
      let passing = 1 - CoverageSimulation.meanRate(of: world, sample: 20_000)
      let fall = NightSimulation(world, change: .spread(0.4 / passing), trials: 20, seed: 3)
      #expect(fall.rates(.night).dismissed <= 0.05 + 0.15, "\(engine)")
      let none = NightSimulation(world, trials: 20, seed: 3)
      #expect(none.rates(.night).cleared >= 0.7, "\(engine)")
    }
  }

  @Test(
    "about 95 % of confidence intervals contain the true failure rate, with any number of repeats",
    arguments: [1, 5, 40])
  func coverage(repeats: Int) {
    let world = Self.world(.unpaired, repeats: repeats)
    let mean = CoverageSimulation.meanRate(of: world, sample: 20_000)
    // Three standard errors of 0.95 in 500 trials are 0.029.
    #expect(CoverageSimulation(world: world, trials: 500).coverage(of: mean) >= 0.94 - 0.029)
  }

  @Test("a drift is reported almost every night once it is found; a steady suite raises few alarms")
  func drift() {
    let world = Self.world(.unpaired, suites: 1)
    for (suites, trials) in [(1, 4), (2, 2)] {
      let world = Self.world(.unpaired, suites: suites)
      let steady = DriftSimulation(world: world, path: .steady, nights: 12, trials: trials).rates()
      #expect(steady.newFalseAlarms <= 0.1)
    }
    let step = DriftSimulation(
      world: world, path: .step(night: 4, share: 0.4), nights: 12, trials: 3
    ).rates()
    #expect(step.found == 1)
    #expect(step.lasting > 0.9)
  }
}
