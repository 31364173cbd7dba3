import EvalRecords
import EvalStatistics

/// Simulates suites that run every night on a sampling engine, with fresh seeds each night.
///
/// Each night is compared with the baseline, which was accepted before the first night, and with
/// all earlier nights. Only the first suite can have a change. One trial is called a month, however
/// many nights it has.
struct DriftSimulation: Sendable {
  /// The course of the failure rate over a month.
  enum Path: Sendable, Hashable {
    /// The rate stays the same.
    case steady
    /// From this night on, this share of the passes turns into failures.
    case step(night: Int, share: Double)
    /// The share of the passes that turn into failures grows by the same amount each night, up to
    /// this share on the last night.
    case ratchet(share: Double)
  }

  /// The results, averaged over the months.
  struct Rates: Sendable, Hashable {
    /// The share of months with a false alarm: an alarm before the change, or any alarm in a month
    /// without a change.
    var falseMonths = 0.0
    /// The share of the nights before any change on which a suite raises an alarm that raised none
    /// on the previous night.
    var newFalseAlarms = 0.0
    /// The share of the months with a change in which the change is found.
    var found = 0.0
    /// The mean number of nights from the change to its first alarm, over the months in which the
    /// change is found.
    ///
    /// An alarm on the night of the change itself counts as one night.
    var nightsToAlarm = 0.0
    /// The share of the nights after the first correct alarm that also raise an alarm.
    var lasting = 0.0
  }

  /// The suites.
  var world: SimulatedWorld
  /// The course of the failure rate.
  var path: Path
  /// The number of nights in a month.
  var nights = 60
  /// The number of months.
  var trials: Int
  /// The seed.
  var seed: UInt64 = 1

  /// Simulates the months and returns their results.
  func rates() -> Rates {
    var generator = SplitMix(seed: seed)
    var rates = Rates()
    var (quietNights, changedMonths, after, again) = (0, 0, 0, 0)
    for trial in 0..<trials {
      let nights = month(seed: UInt64(trial), &generator)
      let start = firstChangedNight
      let quiet = nights.prefix(start)
      quietNights += quiet.count
      if quiet.contains(where: { !$0.isEmpty }) { rates.falseMonths += 1 }
      rates.newFalseAlarms += Double(
        quiet.indices.count { night in
          let before: Set<Int> = night > 0 ? quiet[night - 1] : []
          return !quiet[night].isSubset(of: before)
        })
      guard start < nights.count else { continue }
      changedMonths += 1
      let alarms = nights.map { $0.contains(0) }
      guard let first = alarms[start...].firstIndex(of: true) else { continue }
      rates.found += 1
      rates.nightsToAlarm += Double(first - start + 1)
      after += nights.count - first - 1
      again += alarms[(first + 1)...].count { $0 }
    }
    rates.falseMonths /= Double(max(1, trials))
    rates.newFalseAlarms /= Double(max(1, quietNights))
    rates.nightsToAlarm /= max(1, rates.found)
    rates.found /= Double(max(1, changedMonths))
    rates.lasting = Double(again) / Double(max(1, after))
    return rates
  }

  private var firstChangedNight: Int {
    switch path {
    case .steady: nights
    case .step(let night, _): night
    case .ratchet: 0
    }
  }

  /// Simulates one month, and returns the suites that raise an alarm on each night.
  private func month(seed: UInt64, _ generator: inout SplitMix) -> [Set<Int>] {
    let failing = (0..<world.suites).map { _ in
      (0..<world.cases).map { _ in world.failure(&generator) }
    }
    var baselines = failing.indices.map { suite in
      let accepted = draw(failing[suite], changed: 0, &generator)
      var side = accepted.side(suite, from: self, at: -1)
      side.histories["local"] = PooledHistory(accepted.entries(at: -1), alpha: 0)
      return side
    }
    let rules = ComparisonRules(alpha: world.alpha, seed: seed)
    return (0..<nights).map { night in
      let tonight = failing.indices.map { suite in
        draw(failing[suite], changed: suite == 0 ? share(night) : 0, &generator)
      }
      let verdicts = Comparison.night(
        tonight.indices.map {
          (baselines[$0], tonight[$0].side($0, from: self, at: night))
        }, rules: rules)
      for suite in tonight.indices {
        baselines[suite].histories["local"]?.append(tonight[suite].entries(at: night))
      }
      return Set(verdicts.indices.filter { verdicts[$0].verdict == .regressed })
    }
  }

  /// Returns the share of the first suite's passes that turn into failures on a night.
  private func share(_ night: Int) -> Double {
    switch path {
    case .steady: 0
    case .step(let first, let share): night >= first ? share : 0
    case .ratchet(let share): share * Double(night + 1) / Double(nights)
    }
  }

  /// Draws the failures of one night, by test case and repeat.
  private func draw(
    _ failing: [Double], changed share: Double, _ generator: inout SplitMix
  ) -> Night {
    Night(
      failures: failing.map { rate in
        let tonight = rate + (1 - rate) * share
        return (0..<world.repeats).map { _ in generator.unit() < tonight }
      })
  }

  /// The failures of one night.
  private struct Night {
    var failures: [[Bool]]

    /// Returns the seed of a night's first repeat; each further repeat adds one.
    private static func seed(_ night: Int) -> UInt64 { UInt64(night + 2) * 1_000_000 }

    func entries(at night: Int) -> [PooledHistory.Entry] {
      failures.enumerated().flatMap { index, failures in
        failures.enumerated().map {
          PooledHistory.Entry(
            night: night, caseID: "case-\(index)", fingerprint: "f\(index)",
            seed: Self.seed(night) + UInt64($0.offset), passed: !$0.element)
        }
      }
    }

    func side(_ suite: Int, from simulation: DriftSimulation, at number: Int) -> ComparisonSide {
      var run = SimulatedRun(
        suite: "suite-\(suite)", cases: simulation.world.cases, repeats: simulation.world.repeats,
        seed: Self.seed(number), isDeterministic: false)
      for (index, failures) in failures.enumerated() {
        for (attempt, failed) in failures.enumerated() {
          run.add(case: index, repeat: attempt, isEmpty: failed, fingerprint: "f\(index)")
        }
      }
      return run.side
    }
  }
}
