import EvalStatistics

/// The failure rates of test cases on two real models, counted over four runs with different seeds.
///
/// The test cases are those of the suites `cocktail` and `flashcards`, with 8 or 12 attempts each.
/// Simulations draw the rates of their test cases from these pools.
private enum MeasuredRates {
  static let pools: [(model: String, rates: [Double])] = [
    (
      "SmolLM2-135M-Instruct",
      rates(
        eighths: [4, 4, 6, 4, 4, 2, 4],
        twelfths: [5, 9, 9, 6, 9, 6, 10, 11, 12, 8, 9, 6, 12, 10, 9, 8, 9, 9, 7, 10])
    ),
    (
      "Gemma 3 270M",
      rates(
        eighths: [4, 2, 5, 2, 2, 3, 2],
        twelfths: [11, 8, 7, 12, 11, 9, 11, 9, 11, 11, 12, 6, 12, 11, 11, 12, 12, 9, 10, 11])
    ),
  ]

  private static func rates(eighths: [Int], twelfths: [Int]) -> [Double] {
    eighths.map { Double($0) / 8 } + twelfths.map { Double($0) / 12 }
  }
}

extension AlarmTable {
  /// Returns the simulated alarm rates of nights whose test cases fail as often as on two real
  /// models.
  static func models(_ cases: Int, _ trials: Int, _ alpha: Double) -> Section {
    let repeats = 3
    let engines: [(String, SimulatedWorld.Engine)] = [
      ("70 % of the draws shared", .paired(shared: 0.7)), ("other seeds", .unpaired),
    ]
    var jobs: [@Sendable () -> [Cell]] = []
    for (model, pool) in MeasuredRates.pools {
      for (engine, kind) in engines {
        jobs.append {
          var world = SimulatedWorld()
          (world.cases, world.repeats, world.engine) = (cases, repeats, kind)
          (world.alpha, world.rates) = (alpha, pool)
          // The rate of false alarms must be precise; the other rates needn't be.
          func rates(_ change: SimulatedWorld.Change, _ trials: Int) -> NightSimulation.Rates {
            NightSimulation(world, change: change, trials: max(1, trials)).rates(.secondLook)
          }
          let unchanged = rates(.none, trials)
          return [
            .text(model), .text(engine), .rate(unchanged.falseAlarms),
            .number(rates(.moves(1), trials / 10).found, digits: 2),
            .number(rates(.spread(0.5), trials / 10).found, digits: 2),
            .number(rates(.spread(0.8), trials / 10).found, digits: 2),
            .number(unchanged.cleared, digits: 2), .number(unchanged.drewAgain, digits: 2),
          ]
        }
      }
    }
    return Section(
      id: "models",
      title:
        "A night of ten suites (\(cases) test cases × \(repeats) repeats each) with the failure "
        + "rates of real models; apparent regressions get a second look", trials: trials,
      columns: [
        "model", "engine", "false alarms",
        "alarms if log odds change at random, standard deviation 1",
        "half of the passes become failures",
        "80 % of the passes become failures",
        "unchanged suites without a regression",
        "unchanged suites with a second look",
      ], rows: rows(jobs))
  }

  /// Returns how often simulated comparisons report no regression, both if nothing changes and if
  /// the pass rate falls.
  static func equivalence(_ trials: Int, _ alpha: Double) -> Section {
    let samples = [(12, 2), (20, 3), (30, 3), (20, 10)]
    let engines: [(String, SimulatedWorld.Engine)] = [
      ("70 % of the draws shared", .paired(shared: 0.7)), ("other seeds", .unpaired),
    ]
    let losses = [0.1, 0.2, 0.4]
    var jobs: [@Sendable () -> [Cell]] = []
    for (engine, kind) in engines {
      for (cases, repeats) in samples {
        jobs.append {
          var world = SimulatedWorld()
          (world.suites, world.cases, world.repeats) = (1, cases, repeats)
          (world.engine, world.alpha) = (kind, alpha)
          func called(_ change: SimulatedWorld.Change) -> Double {
            let rates = NightSimulation(world, change: change, trials: trials).rates(.night)
            return change == .none ? rates.cleared : rates.dismissed
          }
          let meanPass = 1 - CoverageSimulation.meanRate(of: world, sample: 20_000)
          return [
            .text(engine), .text("\(cases) × \(repeats)"), .number(called(.none), digits: 2),
          ] + losses.map { .number(called(.spread($0 / meanPass)), digits: 2) }
        }
      }
    }
    return Section(
      id: "equivalence", title: "Share of comparisons that report no regression",
      trials: trials,
      columns: [
        "engine", "test cases × repeats",
        "nothing changes",
      ]
        + losses.map {
          let points = Int(($0 * 100).rounded())
          return "the pass rate falls by \(points) points"
        }, rows: rows(jobs))
  }
}
