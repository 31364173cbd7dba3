import EvalStatistics

extension AlarmTable {
  /// Returns the simulated alarm rates of one comparison of one suite.
  static func comparisons(_ cases: Int, _ trials: Int, _ alpha: Double) -> Section {
    let shifts = AlarmSimulation(cases: cases, trials: trials, alpha: alpha, seed: 1)
    let counts = PooledSimulation(trials: trials, alpha: alpha, seed: 1)
    let quiet = "at most α"
    typealias Job = @Sendable () -> [Cell]
    func row(
      _ what: String, _ repeats: Int, _ bound: String, _ rate: @escaping @Sendable () -> Double
    ) -> Job {
      { [.text(what), .text("\(cases) × \(repeats)"), .text(bound), .rate(rate())] }
    }
    func shift(_ what: String, _ arm: AlarmSimulation.Arm, _ bound: String) -> [Job] {
      [
        row("\(what): test of P(empty)", 1, bound) { shifts.alarmRate(arm) },
        row("\(what): whole comparison", 1, bound) { shifts.gateRate(arm) },
      ]
    }
    func counted(
      _ what: String, _ change: SimulatedWorld.Change, repeats: Int, _ bound: String,
      _ engine: SimulatedWorld.Engine = .paired(shared: 0.7), rates: [Double] = []
    ) -> Job {
      var world = SimulatedWorld()
      (world.suites, world.cases, world.repeats) = (1, cases, repeats)
      (world.engine, world.alpha, world.rates) = (engine, alpha, rates)
      let night = NightSimulation(world, change: change, trials: max(1, trials / 2))
      return row("counts: \(what)", repeats, bound) {
        let rates = night.rates(.night)
        return change == .none ? rates.falseAlarms : rates.found
      }
    }
    let few = SimulatedWorld.Change.concentrated(cases: 2, probability: 0.67)
    return Section(
      id: "comparisons", title: "One comparison", trials: trials,
      columns: [
        "comparison", "test cases × repeats", "should be",
        "alarms",
      ],
      rows: rows(
        shift("identical guides", .identical, quiet)
          + shift("harmless rewording", .rewording, quiet)
          + shift("mean shift at the margin", .atMargin, quiet)
          + shift("planted bug, one more array in 15 is empty", .planted, "at least 0.9")
          + shift(
            "planted bug, arrays of 2 test cases empty with probability 0.67", .concentrated,
            "at least 0.9")
          + [
            counted("nothing changed, equal seeds", .none, repeats: 3, quiet),
            counted("nothing changed, other seeds", .none, repeats: 3, quiet, .unpaired),
            counted("nothing changed, other seeds", .none, repeats: 40, quiet, .unpaired),
            counted(
              "log odds change at random, standard deviation 1", .moves(1), repeats: 3, quiet),
            counted(
              "log odds change at random, standard deviation 1", .moves(1), repeats: 40, quiet),
            counted(
              "2 test cases fail with probability 0.67, the others with 0.02", few, repeats: 3,
              "0.35", rates: [0.02]),
            counted(
              "2 test cases fail with probability 0.67, the others with 0.02", few, repeats: 10,
              "1",
              rates: [0.02]),
            counted(
              "2 test cases fail with probability 0.67, the others at different rates", few,
              repeats: 10, ""),
            row(
              "counts: a bug in 1 attempt of 15, against 1,000 clean attempts", 2, "at least 0.9",
              { counts.pooledRate(failureRate: 1.0 / 15, runs: 40, history: 1_000) }),
            row(
              "counts: nothing changed, against 1,000 attempts", 2, quiet,
              {
                counts.pooledRate(
                  failureRate: 0.03, runs: 40, history: 1_000, historyRate: 0.03)
              }),
          ]))
  }

  /// Returns the simulated alarm rates of a night of ten suites, under each rule.
  static func nights(_ cases: Int, _ trials: Int, _ alpha: Double) -> Section {
    let repeats = 3
    let engines: [(String, SimulatedWorld.Engine)] = [
      ("deterministic, equal seeds", .paired(shared: 1)),
      ("sampling, 70 % of the draws shared", .paired(shared: 0.7)), ("other seeds", .unpaired),
    ]
    let rules: [(String, NightSimulation.Rule)] = [
      ("each suite separately", .separate), ("adjusted for the whole night, one look", .night),
      ("adjusted for the whole night, second look", .secondLook),
    ]
    var jobs: [@Sendable () -> [Cell]] = []
    for (engine, kind) in engines {
      for (name, rule) in rules {
        jobs.append {
          var world = SimulatedWorld()
          (world.cases, world.repeats, world.engine, world.alpha) = (cases, repeats, kind, alpha)
          // The rate of false alarms must be precise; the other rates needn't be.
          func rates(
            _ change: SimulatedWorld.Change, _ trials: Int = trials
          ) -> NightSimulation.Rates {
            NightSimulation(world, change: change, trials: trials).rates(rule)
          }
          let unchanged = rates(.none, 4 * trials)
          return [
            .text(engine), .text(name), .rate(unchanged.falseAlarms),
            .number(rates(.spread(0.15)).found, digits: 2),
            .number(rates(.spread(1.0 / 15)).found, digits: 2),
            .number(rates(.concentrated(cases: 2, probability: 0.67)).found, digits: 2),
            .number(unchanged.cleared, digits: 2), .number(unchanged.drewAgain, digits: 2),
          ]
        }
      }
    }
    return Section(
      id: "nights",
      title:
        "A night of ten suites (\(cases) test cases × \(repeats) repeats each), "
        + "one of which may have a bug", trials: trials,
      columns: [
        "engine", "rule", "false alarms",
        "15 % of passes become failures",
        "1 pass in 15 becomes a failure",
        "2 test cases fail with probability 0.67",
        "unchanged suites without a regression",
        "unchanged suites with a second look",
      ], rows: rows(jobs))
  }

  /// Returns the simulated alarm rates of sixty nights, of one suite and of ten suites.
  static func months(
    _ cases: Int, _ trials: Int, _ alpha: Double, nights: Int = 60
  ) -> Section {
    // The rate of false alarms must be precise, but a month of ten suites takes ten times as long.
    let (precise, slow) = (4 * trials, max(1, trials * 2 / 5))
    func step(_ share: Double) -> DriftSimulation.Path { .step(night: nights / 3, share: share) }
    let paths: [(String, Int, DriftSimulation.Path, Int)] = [
      ("nothing changes", 1, .steady, precise), ("nothing changes", 10, .steady, slow),
      ("10 % of passes become failures from night 21 on", 1, step(0.1), trials),
      ("20 % of passes become failures from night 21 on", 1, step(0.2), trials),
      ("more passes become failures every night, up to 25 %", 1, .ratchet(share: 0.25), trials),
    ]
    return Section(
      id: "months", title: "Sixty nights with fresh seeds and an accepted baseline",
      trials: trials,
      columns: [
        "change", "suites", "false alarm before the change",
        "new false alarms per night", "found",
        "nights until the alarm",
        "later nights with an alarm",
      ],
      rows: rows(
        paths.map { name, suites, path, trials in
          {
            var world = SimulatedWorld()
            (world.suites, world.cases, world.engine) = (suites, cases, .unpaired)
            world.alpha = alpha
            let rates = DriftSimulation(world: world, path: path, nights: nights, trials: trials)
              .rates()
            let hasChange = path != .steady
            return [
              .text(name), .text("\(suites)"), .number(rates.falseMonths, digits: 2),
              .rate(rates.newFalseAlarms),
              hasChange ? .number(rates.found, digits: 2) : .text(""),
              hasChange ? .number(rates.nightsToAlarm, digits: 1) : .text(""),
              hasChange ? .number(rates.lasting, digits: 2) : .text(""),
            ]
          }
        }))
  }

  /// Returns how often simulated intervals cover the pass rate over similar inputs.
  static func intervals(_ trials: Int) -> Section {
    let repeats = [1, 3, 5, 10, 40]
    let mean = CoverageSimulation.meanRate(
      of: SimulatedWorld(), sample: min(100_000, 500 * trials))
    return Section(
      id: "intervals", title: "Share of 95 % intervals that cover the rate over similar inputs",
      trials: max(1, trials / 4),
      columns: ["test cases"]
        + repeats.map { $0 == 1 ? "1 repeat" : "\($0) repeats" },
      rows: [12, 20, 50].map { cases in
        [.text("\(cases)")]
          + repeats.map { count in
            var world = SimulatedWorld()
            (world.cases, world.repeats) = (cases, count)
            return .number(
              CoverageSimulation(world: world, trials: max(1, trials / 4)).coverage(of: mean),
              digits: 3)
          }
      })
  }
}
