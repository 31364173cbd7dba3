import EvalRecords

/// A simulation of how often counting reports a regression, for engines that measure no
/// probabilities.
package struct CountingSimulation: Sendable {
  /// The number of test cases.
  package var cases: Int
  /// The number of attempts per test case.
  package var repeats: Int
  /// The number of trials.
  package var trials: Int
  /// The significance level, one-sided.
  package var alpha: Double
  /// The seed.
  package var seed: UInt64

  /// Creates a simulation.
  package init(
    cases: Int = 20, repeats: Int = 3, trials: Int = 10_000, alpha: Double = 0.05,
    seed: UInt64 = 1
  ) {
    self.cases = cases
    self.repeats = repeats
    self.trials = trials
    self.alpha = alpha
    self.seed = seed
  }

  /// Returns the share of comparisons of a suite with itself that say `regressed`.
  ///
  /// Each test case has a separate pass rate around 0.9, which is the same on both sides.
  ///
  /// - Parameter hasEqualSeeds: True if both sides have the same seeds, so that the two answers of
  ///   a pair usually agree; otherwise they are independent.
  package func nullRate(hasEqualSeeds: Bool) -> Double {
    var generator = SplitMix(seed: seed)
    return share { trial in
      var baseline = SimulatedRun(cases: cases, repeats: repeats, seed: 1)
      var candidate = SimulatedRun(cases: cases, repeats: repeats, seed: hasEqualSeeds ? 1 : 1000)
      for index in 0..<cases {
        let failing = 0.2 * generator.unit()
        for attempt in 0..<repeats {
          let draw = generator.unit()
          let isFresh = !hasEqualSeeds || generator.unit() < 0.3
          let other = isFresh ? generator.unit() : draw
          baseline.add(case: index, repeat: attempt, isEmpty: draw < failing)
          candidate.add(case: index, repeat: attempt, isEmpty: other < failing)
        }
      }
      return Comparison.compare(
        baseline: baseline.side, candidate: candidate.side,
        rules: ComparisonRules(alpha: alpha, seed: UInt64(trial))
      ).verdict == .regressed
    }
  }

  /// Returns the share of trials in which counting distinguishes `runs` attempts with a given
  /// failure rate from a pooled history.
  ///
  /// - Parameters:
  ///   - failureRate: The rate of the planted failure.
  ///   - runs: The number of the candidate's attempts.
  ///   - history: The number of attempts in the pooled history.
  ///   - historyRate: The failure rate in the history.
  package func pooledRate(
    failureRate: Double, runs: Int, history: Int, historyRate: Double = 0
  ) -> Double {
    var generator = SplitMix(seed: seed)
    // The p-value depends only on the two numbers of failures.
    var known: [[Int]: Bool] = [:]
    return share { _ in
      let failures = (0..<runs).count { _ in generator.unit() < failureRate }
      let earlier =
        historyRate > 0 ? (0..<history).count { _ in generator.unit() < historyRate } : 0
      if let isAlarm = known[[failures, earlier]] { return isAlarm }
      let table = TwoByTwo(failures, runs - failures, earlier, history - earlier)
      let isAlarm = Stratified.exact([table], .greater) <= alpha
      known[[failures, earlier]] = isAlarm
      return isAlarm
    }
  }

  private func share(_ isAlarm: (_ trial: Int) -> Bool) -> Double {
    Double((0..<trials).count(where: isAlarm)) / Double(max(1, trials))
  }
}
