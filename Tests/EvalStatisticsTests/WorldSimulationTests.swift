import EvalRecords
import EvalStatistics
import Testing

/// Small simulations with fixed seeds, so that each result is the same on every machine.
///
/// The expected bounds on false alarms in one night include three standard errors.
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
