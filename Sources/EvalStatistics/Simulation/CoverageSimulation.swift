import EvalRecords

/// Simulates how often the confidence interval for a rate covers the true rate over inputs like
/// those of the suite.
package struct CoverageSimulation: Sendable {
  /// The parameters of each simulated suite.
  ///
  /// Only the number of test cases, the number of repeats and the failure rates matter.
  package var world: SimulatedWorld
  /// The number of simulated suites.
  package var trials: Int
  /// The seed.
  package var seed: UInt64

  /// Creates a simulation.
  package init(_ world: SimulatedWorld, trials: Int, seed: UInt64 = 1) {
    self.world = world
    self.trials = trials
    self.seed = seed
  }

  /// Returns the mean failure rate over the population of test cases.
  ///
  /// - Parameter sample: The number of test cases to draw from the population.
  package static func meanRate(of world: SimulatedWorld, sample: Int = 100_000) -> Double {
    var generator = SplitMix(seed: 2)
    let sum = (0..<sample).reduce(0.0) { sum, _ in sum + world.failure(&generator) }
    return sum / Double(max(1, sample))
  }

  /// Returns the coverage: the share of 95 % confidence intervals that contain the true rate.
  ///
  /// - Parameter mean: The true rate.
  package func coverage(of mean: Double) -> Double {
    var generator = SplitMix(seed: seed)
    let covered = (0..<trials).count { _ in
      let counts = (0..<world.cases).map { _ in
        let rate = world.failure(&generator)
        let hits = (0..<world.repeats).count { _ in generator.unit() < rate }
        return CaseCount(hits: hits, count: world.repeats)
      }
      let interval = ClusteredInterval.rate(counts)
      return interval.low <= mean && mean <= interval.high
    }
    return Double(covered) / Double(max(1, trials))
  }
}
