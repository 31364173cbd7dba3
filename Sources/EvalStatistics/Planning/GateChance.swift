public import EvalRecords
import SystemBasics

/// The probability that a suite passes its gate, calculated before any attempt is made.
///
/// The calculation assumes that all attempts have the same probability of passing. A gate without a
/// reducer counts attempts; a gate with a reducer uses the mean of the test cases' scores.
public struct GateChance: Sendable, Hashable {
  /// The number of attempts that the gate judges, for each test case.
  public var repeats: [Int]
  /// The rule that combines the repeats of a test case, or `nil` if the gate counts attempts.
  public var reducer: CaseReducer?
  /// The pass rate, or the mean score, that the gate needs.
  public var neededRate: Double

  /// Creates the calculation for a gate.
  public init(repeats: [Int], reducer: CaseReducer? = nil, neededRate: Double) {
    self.repeats = repeats.map { max(0, $0) }
    self.reducer = reducer
    self.neededRate = neededRate
  }

  /// Whether any test case has too few repeats for the reducer, so that the suite can't pass the
  /// gate.
  public var hasTooFewRepeats: Bool {
    reducer.map { reducer in repeats.contains { $0 < reducer.neededRepeats } } ?? false
  }

  /// Whether ``chanceToPass(rate:)`` uses a normal approximation, because scores can lie between 0
  /// and 1.
  public var isApproximate: Bool {
    guard let reducer, reducer != .mean || Set(repeats).count > 1 else { return false }
    return !repeats.allSatisfy(reducer.isCount)
  }

  /// The number of attempts or test cases that the gate counts, or `nil` if the gate takes the mean
  /// of scores instead.
  ///
  /// A gate counts test cases if its reducer gives each of them a score of 0 or 1. If the reducer
  /// is `mean` and all test cases have the same number of repeats, the mean score is the pass rate,
  /// so the gate counts attempts.
  public var count: Int? {
    guard let reducer, !(reducer == .mean && Set(repeats).count <= 1) else {
      return repeats.reduce(0, +)
    }
    return repeats.allSatisfy(reducer.isCount) ? repeats.count : nil
  }

  /// The minimum number of passes out of ``count`` that the gate requires, or `nil` if the gate
  /// takes the mean of scores.
  ///
  /// The number is larger than ``count`` if the suite can't pass the gate.
  public var needed: Int? {
    guard let count else { return nil }
    guard count > 0 else { return 1 }
    var needed = Int((neededRate * Double(count)).rounded(.down))
    while Double(needed) / Double(count) < neededRate - 1e-12 { needed += 1 }
    return needed
  }

  /// Returns the probability that the suite passes the gate if each attempt passes with the
  /// probability `rate`.
  ///
  /// - Complexity: O(cases²) if the gate counts test cases.
  public func chanceToPass(rate: Double) -> Double {
    guard !repeats.isEmpty, !hasTooFewRepeats else { return 0 }
    guard let count, let needed else { return approximate(rate) }
    guard needed <= count else { return 0 }
    if needed <= 0 { return 1 }
    guard let reducer, reducer != .mean else {
      return 1 - Binomial.cumulative(needed - 1, of: count, rate: rate)
    }
    let chances = repeats.map { chance(of: reducer, repeats: $0, rate: rate) }
    if let only = chances.first, chances.allSatisfy({ $0 == only }) {
      return 1 - Binomial.cumulative(needed - 1, of: count, rate: only)
    }
    // The distribution of the number of test cases that pass, extended by one test case at a time.
    var distribution = [1.0]
    for chance in chances {
      var next = [Double](repeating: 0, count: distribution.count + 1)
      for (passed, share) in distribution.enumerated() {
        next[passed] += share * (1 - chance)
        next[passed + 1] += share * chance
      }
      distribution = next
    }
    return min(1, distribution[needed...].reduce(0, +))
  }

  /// Returns the probability that a test case passes under a reducer whose scores are 0 and 1.
  private func chance(of reducer: CaseReducer, repeats: Int, rate: Double) -> Double {
    (0...repeats).reduce(0) { sum, passed in
      reducer.score(passed: passed, of: repeats) == 1
        ? sum + Binomial.probability(passed, of: repeats, rate: rate) : sum
    }
  }

  /// Returns the normal approximation of the probability that the mean of the scores reaches the
  /// gate.
  private func approximate(_ rate: Double) -> Double {
    guard let reducer else { return 0 }
    var (mean, variance) = (0.0, 0.0)
    for count in repeats {
      var (first, second) = (0.0, 0.0)
      for passed in 0...count {
        let score = reducer.score(passed: passed, of: count) ?? 0
        let share = Binomial.probability(passed, of: count, rate: rate)
        first += share * score
        second += share * score * score
      }
      mean += first
      variance += max(0, second - first * first)
    }
    let distance = mean - neededRate * Double(repeats.count)
    guard variance > 1e-15 else { return distance >= -1e-9 ? 1 : 0 }
    return Normal.cumulative(distance / variance.squareRoot())
  }
}
