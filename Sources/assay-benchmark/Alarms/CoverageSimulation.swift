import EvalRecords
import EvalStatistics

/// Simulates how often the confidence interval for a rate covers the true rate over inputs like
/// those of the suite.
struct CoverageSimulation: Sendable {
  /// The parameters of each simulated suite.
  ///
  /// Only the number of test cases, the number of repeats and the failure rates matter.
  var world: SimulatedWorld
  /// The number of simulated suites.
  var trials: Int
  /// The seed.
  var seed: UInt64 = 1

  /// Returns the mean failure rate over the population of test cases.
  ///
  /// - Parameter sample: The number of test cases to draw from the population.
  static func meanRate(of world: SimulatedWorld, sample: Int = 100_000) -> Double {
    var generator = SplitMix(seed: 2)
    let sum = (0..<sample).reduce(0.0) { sum, _ in sum + world.failure(&generator) }
    return sum / Double(max(1, sample))
  }

  /// Returns the coverage: the share of 95 % confidence intervals that contain the true rate.
  ///
  /// - Parameter mean: The true rate.
  func coverage(of mean: Double) -> Double {
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
