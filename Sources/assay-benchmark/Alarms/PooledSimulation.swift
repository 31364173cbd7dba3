import EvalRecords
import EvalStatistics

/// Simulates how often the count of failures tells a run apart from a long pooled history.
struct PooledSimulation: Sendable {
  /// The number of trials.
  var trials: Int
  /// The significance level, one-sided.
  var alpha: Double
  /// The seed.
  var seed: UInt64 = 1

  /// Returns the power: the share of trials in which the failures of `runs` attempts are
  /// significantly more frequent than those of a pooled history.
  ///
  /// - Parameters:
  ///   - failureRate: The probability that an attempt of the candidate fails.
  ///   - runs: The number of the candidate's attempts.
  ///   - history: The number of attempts in the pooled history.
  ///   - historyRate: The failure rate in the history.
  func pooledRate(
    failureRate: Double, runs: Int, history: Int, historyRate: Double = 0
  ) -> Double {
    var generator = SplitMix(seed: seed)
    // The p-value depends only on the two failure counts, so it is cached.
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
