public import EvalRecords
import SystemBasics

/// The probability that a suite passes its gate, calculated before any attempt is made.
///
/// The calculation assumes that all draws have the same probability of passing. A gate without a
/// reducer counts attempts; a gate with a reducer uses the mean of the test cases' scores. If a
/// test case samples nothing, all its attempts are copies of one draw, but the gate counts each of
/// them.
public struct GateChance: Sendable, Hashable {
  /// The number of attempts that the gate judges, for each test case.
  public var repeats: [Int]
  /// The indices of the test cases that sample nothing, so that their attempts pass or fail
  /// together.
  public var fixedCases: Set<Int>
  /// The rule that combines the repeats of a test case, or `nil` if the gate counts attempts.
  public var reducer: CaseReducer?
  /// The pass rate, or the mean score, that the gate needs.
  public var neededRate: Double

  /// Creates the calculation for a gate.
  public init(
    repeats: [Int], fixedCases: Set<Int> = [], reducer: CaseReducer? = nil, neededRate: Double
  ) {
    self.repeats = repeats.map { max(0, $0) }
    self.fixedCases = fixedCases
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
  public var isApproximate: Bool { count == nil }

  /// Whether the gate's rate is the share of attempts that pass.
  ///
  /// It is if there is no reducer, or if the reducer is `mean` and all test cases have the same
  /// number of repeats.
  private var countsAttempts: Bool {
    reducer == nil || (reducer == .mean && Set(repeats).count <= 1)
  }

  /// The number of attempts or test cases that the gate counts, or `nil` if the gate takes the mean
  /// of scores instead.
  ///
  /// A gate counts test cases if its reducer gives each of them a score of 0 or 1.
  public var count: Int? {
    guard let reducer, !countsAttempts else { return repeats.reduce(0, +) }
    return repeats.indices.allSatisfy {
      fixedCases.contains($0) || reducer.isCount(of: repeats[$0])
    } ? repeats.count : nil
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

  /// Returns the probability that the suite passes the gate if each draw passes with the
  /// probability `rate`.
  ///
  /// - Complexity: O(cases²) if the gate counts test cases; O(attempts · test cases) if it counts
  ///   attempts, and some test cases sample nothing.
  public func chanceToPass(rate: Double) -> Double {
    guard !repeats.isEmpty, !hasTooFewRepeats else { return 0 }
    guard let count, let needed else { return approximate(rate) }
    guard needed <= count else { return 0 }
    if needed <= 0 { return 1 }
    guard let reducer, !countsAttempts else { return chance(toPass: needed, of: count, rate) }
    let chances = repeats.indices.map { chance(of: reducer, at: $0, rate: rate) }
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

  /// Returns the probability that at least so many attempts pass, if each attempt counts.
  private func chance(toPass needed: Int, of count: Int, _ rate: Double) -> Double {
    // The number of test cases that sample nothing, keyed by their number of attempts.
    var fixed: [Int: Int] = [:]
    for index in fixedCases where repeats.indices.contains(index) {
      fixed[repeats[index], default: 0] += 1
    }
    let sampled = count - fixed.reduce(0) { $0 + $1.key * $1.value }
    func atLeast(_ least: Int, of size: Int) -> Double {
      least <= 0 ? 1 : least > size ? 0 : 1 - Binomial.cumulative(least - 1, of: size, rate: rate)
    }
    guard let (size, number) = fixed.first else { return atLeast(needed, of: count) }
    if fixed.count == 1 {
      if sampled == 0, size > 0 { return atLeast((needed + size - 1) / size, of: number) }
      return min(
        1,
        (0...number).reduce(0) {
          $0 + Binomial.probability($1, of: number, rate: rate)
            * atLeast(needed - $1 * size, of: sampled)
        })
    }
    // The distribution of the number of passes among the attempts that are copies.
    var copies = [1.0]
    for (size, number) in fixed.sorted(by: { $0.key < $1.key }) {
      var next = [Double](repeating: 0, count: copies.count + size * number)
      for passed in 0...number {
        let chance = Binomial.probability(passed, of: number, rate: rate)
        for (other, share) in copies.enumerated() { next[other + passed * size] += share * chance }
      }
      copies = next
    }
    return min(
      1,
      copies.enumerated().reduce(0) {
        $1.element == 0 ? $0 : $0 + $1.element * atLeast(needed - $1.offset, of: sampled)
      })
  }

  /// Returns the probability that a test case passes under a reducer whose scores are 0 and 1.
  private func chance(of reducer: CaseReducer, at index: Int, rate: Double) -> Double {
    outcomes(at: index, rate: rate).reduce(0) { sum, outcome in
      reducer.score(passed: outcome.passed, of: repeats[index]) == 1 ? sum + outcome.chance : sum
    }
  }

  /// Returns the possible numbers of passes of a test case, with their probabilities.
  private func outcomes(at index: Int, rate: Double) -> [(passed: Int, chance: Double)] {
    let count = repeats[index]
    if fixedCases.contains(index) { return [(0, 1 - rate), (count, rate)] }
    return (0...count).map { ($0, Binomial.probability($0, of: count, rate: rate)) }
  }

  /// Returns the normal approximation of the probability that the mean of the scores reaches the
  /// gate.
  private func approximate(_ rate: Double) -> Double {
    guard let reducer else { return 0 }
    var (mean, variance) = (0.0, 0.0)
    for (index, count) in repeats.enumerated() {
      var (first, second) = (0.0, 0.0)
      for (passed, share) in outcomes(at: index, rate: rate) {
        let score = reducer.score(passed: passed, of: count) ?? 0
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
