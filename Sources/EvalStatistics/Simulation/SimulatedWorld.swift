import EvalRecords
import SystemBasics

/// The parameters of one simulated night: its suites, how their test cases fail, how the engine
/// draws, and the significance level.
package struct SimulatedWorld: Sendable {
  /// The relation between the draws of the two sides.
  package enum Engine: Sendable, Hashable {
    /// Equal seeds on both sides: this share of the draws is the same on both sides, and the others
    /// are independent.
    ///
    /// The share is 1 if the engine is deterministic and nothing was edited.
    case paired(shared: Double)
    /// Independent draws, because the seeds don't determine the answers, as on most servers.
    case unpaired
  }

  /// The difference between the candidate and the baseline.
  package enum Change: Sendable, Hashable {
    /// Nothing changed.
    case none
    /// A harmless edit: each test case's log odds of failure shift by a normally distributed amount
    /// with this standard deviation.
    case moves(Double)
    /// A bug in all test cases: this share of the passes turns into failures.
    case spread(Double)
    /// A bug in a few test cases that hardly ever failed before, which now fail with this
    /// probability.
    case concentrated(cases: Int, probability: Double)
  }

  /// The number of suites.
  package var suites = 10
  /// The number of test cases in each suite.
  package var cases = 30
  /// The number of repeats of each test case.
  package var repeats = 3
  /// The failure rates of real test cases: one for each test case, or a pool from which each test
  /// case draws its rate.
  ///
  /// If the list is empty, the log odds of failure are normally distributed over the test cases,
  /// with a mean of −1.4 and a standard deviation of 2.
  package var rates: [Double] = []
  /// The indices of the test cases that sample nothing: all their repeats are one draw, which a
  /// second look only repeats.
  package var fixedCases: Set<Int> = []
  /// The relation between the draws of the two sides.
  package var engine = Engine.paired(shared: 0.7)
  /// The significance level of the night.
  package var alpha = 0.05

  /// Creates a world with default parameters.
  package init() {}

  /// Draws a test case's failure probability.
  package func failure(_ generator: inout SplitMix) -> Double {
    guard rates.isEmpty else {
      return possible(rates[Int(generator.next() % UInt64(rates.count))])
    }
    return Self.probability(-1.4 + 2 * Self.normal(&generator))
  }

  /// Limits a counted failure rate to plausible true rates, because a test case that never failed
  /// in a few repeats may still fail sometimes.
  private func possible(_ rate: Double) -> Double {
    min(0.98, max(0.02, rate))
  }

  /// Draws a test case's failure probability before and after a change.
  func failures(
    at index: Int, _ change: Change, _ generator: inout SplitMix
  ) -> (before: Double, after: Double) {
    let rate = rates.count == cases ? possible(rates[index]) : failure(&generator)
    switch change {
    case .none: return (rate, rate)
    case .moves(let deviation):
      let logOdds = log(rate / (1 - rate)) + deviation * Self.normal(&generator)
      return (rate, Self.probability(logOdds))
    case .spread(let share): return (rate, rate + (1 - rate) * share)
    case .concentrated(let cases, let probability):
      return index < cases ? (0.01, probability) : (rate, rate)
    }
  }

  /// Returns the probability with these log odds.
  package static func probability(_ logOdds: Double) -> Double { 1 / (1 + exp(-logOdds)) }

  /// Draws a number from the standard normal distribution.
  package static func normal(_ generator: inout SplitMix) -> Double {
    Normal.quantile(generator.unit() + 0x1p-54)
  }
}
