import EvalRecords

/// Simulates nightly runs of several suites ("nights") and counts how often the decision rule of
/// `assay run` raises an alarm.
///
/// At most one suite has a change. Each trial draws the attempts of both sides and compares all
/// suites.
package struct NightSimulation: Sendable {
  /// The rule that decides which suites of a night regressed.
  package enum Rule: Sendable, Hashable {
    /// Each suite is compared separately, as in version 0.1.
    case separate
    /// All suites of the night share one significance level, and the existing draws decide.
    case night
    /// Like ``night``, but each suspected suite that hasn't regressed gets a second look: the
    /// simulation draws both sides again (``SecondLookRule``).
    ///
    /// Only the new draws decide.
    case secondLook
  }

  /// The shares of nights or suites with each result.
  package struct Rates: Sendable, Hashable {
    /// The share of nights in which any unchanged suite is reported as regressed.
    package var falseAlarms = 0.0
    /// The share of nights in which the changed suite is reported as regressed.
    package var found = 0.0
    /// The share of unchanged suites whose comparison says that nothing got worse.
    package var cleared = 0.0
    /// The share of nights in which the changed suite's comparison says that nothing got worse.
    package var dismissed = 0.0
    /// The share of suites that get a second look.
    package var drewAgain = 0.0
  }

  /// The suites.
  package var world: SimulatedWorld
  /// The change of the first suite.
  package var change: SimulatedWorld.Change
  /// The number of nights.
  package var trials: Int
  /// The seed.
  package var seed: UInt64

  package init(
    _ world: SimulatedWorld, change: SimulatedWorld.Change = .none, trials: Int, seed: UInt64 = 1
  ) {
    self.world = world
    self.change = change
    self.trials = trials
    self.seed = seed
  }

  /// Simulates the nights under a rule.
  package func rates(_ rule: Rule) -> Rates {
    var generator = SplitMix(seed: seed)
    var rates = Rates()
    let quiet = change == .none ? world.suites : world.suites - 1
    for trial in 0..<trials {
      var suites = (0..<world.suites).map { number in
        SimulatedSuite(
          number, world, change: number == 0 ? change : .none, &generator)
      }
      let rules = ComparisonRules(alpha: world.alpha, seed: UInt64(trial))
      var verdicts: [ComparisonRecord]
      switch rule {
      case .separate:
        verdicts = suites.map {
          Comparison.compare(baseline: $0.baseline.side, candidate: $0.candidate.side, rules: rules)
        }
      case .night, .secondLook:
        verdicts = Comparison.night(
          suites.map { ($0.baseline.side, $0.candidate.side) }, rules: rules)
      }
      if rule == .secondLook {
        let suspected = verdicts.indices.filter {
          verdicts[$0].verdict != .regressed && !verdicts[$0].suspectedEffects.isEmpty
        }
        rates.drewAgain += Double(suspected.count) / Double(world.suites)
        let repeats = SecondLookRule.repeats(after: world.repeats)
        for index in suspected { suites[index].drawAnew(repeats, world, &generator) }
        // Each second look is a separate run.
        let rules = ComparisonRules(
          alpha: SecondLookRule.alpha(of: world.alpha), seed: UInt64(trial))
        for index in suspected {
          verdicts[index] = Comparison.compare(
            baseline: suites[index].baseline.side, candidate: suites[index].candidate.side,
            rules: rules)
        }
      }
      let unchanged = verdicts.dropFirst(world.suites - quiet)
      if unchanged.contains(where: { $0.verdict == .regressed }) { rates.falseAlarms += 1 }
      if quiet < world.suites {
        if verdicts[0].verdict == .regressed { rates.found += 1 }
        if verdicts[0].reportsNoRegression { rates.dismissed += 1 }
      }
      rates.cleared +=
        Double(unchanged.count(where: \.reportsNoRegression)) / Double(max(1, quiet))
    }
    let count = Double(max(1, trials))
    return Rates(
      falseAlarms: rates.falseAlarms / count, found: rates.found / count,
      cleared: rates.cleared / count, dismissed: rates.dismissed / count,
      drewAgain: rates.drewAgain / count)
  }
}

extension ComparisonRecord {
  /// Whether the comparison says that nothing got worse.
  fileprivate var reportsNoRegression: Bool { verdict == .ok || verdict == .improved }
}

/// The two sides of one simulated suite, which can be drawn again.
private struct SimulatedSuite {
  var baseline: SimulatedRun
  var candidate: SimulatedRun
  private let failing: [(before: Double, after: Double)]
  private let name: String
  private let isPaired: Bool
  /// The draws of the test cases that sample nothing, keyed by index.
  private var fixed: [Int: (before: Double, after: Double)] = [:]

  init(
    _ number: Int, _ world: SimulatedWorld, change: SimulatedWorld.Change,
    _ generator: inout SplitMix
  ) {
    failing = (0..<world.cases).map { world.failures(at: $0, change, &generator) }
    isPaired = world.engine != .unpaired
    name = "suite-\(number)"
    (baseline, candidate) = (Self.run(name, world, 1), Self.run(name, world, 1))
    drawAnew(world.repeats, world, &generator)
  }

  private static func run(_ name: String, _ world: SimulatedWorld, _ seed: UInt64) -> SimulatedRun {
    SimulatedRun(
      suite: name, cases: world.cases, repeats: 0, seed: seed,
      isDeterministic: world.engine != .unpaired)
  }

  /// Draws all repeats of both sides again.
  mutating func drawAnew(_ repeats: Int, _ world: SimulatedWorld, _ generator: inout SplitMix) {
    baseline = Self.run(name, world, 1)
    candidate = Self.run(name, world, isPaired ? 1 : 1_000_000)
    for (index, rates) in failing.enumerated() {
      let isFixed = world.fixedCases.contains(index)
      for attempt in 0..<(isFixed ? min(1, repeats) : repeats) {
        let draw = fixed[index] ?? Self.draw(world, &generator)
        if isFixed { fixed[index] = draw }
        baseline.add(case: index, repeat: attempt, isEmpty: draw.before < rates.before)
        candidate.add(case: index, repeat: attempt, isEmpty: draw.after < rates.after)
      }
    }
    baseline.repeats = repeats
    candidate.repeats = repeats
  }

  /// Draws the numbers that decide one attempt on each side.
  private static func draw(
    _ world: SimulatedWorld, _ generator: inout SplitMix
  ) -> (before: Double, after: Double) {
    let draw = generator.unit()
    switch world.engine {
    case .unpaired: return (draw, generator.unit())
    case .paired(let shared):
      return generator.unit() >= shared ? (draw, generator.unit()) : (draw, draw)
    }
  }
}
