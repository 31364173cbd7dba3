import EvalStatistics
import Testing

/// Small versions of the tables that `scripts/benchmark alarms` prints.
///
/// The seeds are fixed, so each result is the same on every machine. The expected bounds on false
/// alarms in one night, and on the coverage of intervals, include three standard errors.
@Suite("False alarms and found bugs in simulated nights")
struct WorldSimulationTests {
  private static func world(
    _ engine: SimulatedWorld.Engine, cases: Int = 20, repeats: Int = 3, suites: Int = 4
  ) -> SimulatedWorld {
    var world = SimulatedWorld()
    (world.engine, world.cases, world.repeats, world.suites) = (engine, cases, repeats, suites)
    return world
  }

  @Test(
    "a night of unchanged suites rarely raises an alarm, with or without a second look",
    arguments: [
      (SimulatedWorld.Engine.paired(shared: 0.7), NightSimulation.Rule.night),
      (.paired(shared: 0.7), .secondLook), (.unpaired, .night),
    ])
  func unchangedNights(engine: SimulatedWorld.Engine, rule: NightSimulation.Rule) {
    let rates = NightSimulation(Self.world(engine), trials: 12, seed: 4).rates(rule)
    #expect(rates.falseAlarms <= 0.05 + 0.19)
    #expect(rates.cleared > 0.5, "most unchanged suites are reported as not worse")
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

  @Test("a deterministic engine repeats its answers, so there are no alarms and no second looks")
  func deterministic() {
    let rates = NightSimulation(Self.world(.paired(shared: 1)), trials: 10)
      .rates(.secondLook)
    #expect(rates.falseAlarms == 0 && rates.drewAgain == 0 && rates.cleared == 1)
  }

  @Test("a bug is found on more simulated nights with a second look than without one")
  func secondLook() {
    let night = NightSimulation(
      Self.world(.paired(shared: 0.7)), change: .spread(0.15), trials: 12, seed: 6)
    let (one, two) = (night.rates(.night), night.rates(.secondLook))
    #expect(two.found > one.found)
    #expect(two.drewAgain > 0 && two.drewAgain < 0.5)
  }

  @Test("with ten repeats, a bug in 2 of 20 test cases is found if the other 18 rarely fail")
  func fewCases() {
    var world = Self.world(.paired(shared: 0.7), repeats: 10, suites: 1)
    world.rates = [0.02]
    let bug = SimulatedWorld.Change.concentrated(cases: 2, probability: 0.67)
    #expect(NightSimulation(world, change: bug, trials: 20).rates(.night).found >= 0.9)
  }

  @Test(
    "about 95 % of confidence intervals contain the true failure rate, with any number of repeats",
    arguments: [1, 5, 40])
  func coverage(repeats: Int) {
    let world = Self.world(.unpaired, repeats: repeats)
    let mean = CoverageSimulation.meanRate(of: world, sample: 20_000)
    // Three standard errors of 0.95 in 500 trials are 0.029.
    #expect(CoverageSimulation(world, trials: 500).coverage(of: mean) >= 0.94 - 0.029)
  }

  @Test("a drift is reported almost every night once it is found; a steady suite raises few alarms")
  func drift() {
    let world = Self.world(.unpaired, suites: 1)
    for (suites, trials) in [(1, 4), (2, 2)] {
      let world = Self.world(.unpaired, suites: suites)
      let steady = DriftSimulation(world, path: .steady, nights: 12, trials: trials).rates()
      #expect(steady.newFalseAlarms <= 0.1)
    }
    let step = DriftSimulation(
      world, path: .step(night: 4, share: 0.4), nights: 12, trials: 3
    ).rates()
    #expect(step.found == 1)
    #expect(step.lasting > 0.9)
  }
}
