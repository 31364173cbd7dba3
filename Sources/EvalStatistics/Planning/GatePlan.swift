import EvalRecords
import SystemBasics

/// Calculates what a planned number of attempts can show, before any attempt is made.
public struct GatePlan: Sendable, Hashable {
  /// The number of test cases.
  public var cases: Int
  /// The number of attempts per test case.
  public var repeats: Int
  /// The number of test cases that sample nothing, so that all their repeats are one draw.
  public var fixedCases: Int
  /// The pass rate that the gate needs.
  public var neededRate: Double
  /// The one-sided significance level.
  public var alpha: Double
  /// The desired power: the probability of finding an effect.
  public var power: Double
  /// The attempts that the gate judges, or `nil` if the gate counts `repeats` attempts of each test
  /// case.
  ///
  /// This is set if the number of repeats differs between test cases, or if the gate has a reducer.
  public var judged: GateChance?
  /// The total number of attempts if the number of repeats differs between test cases, or `nil` if
  /// each test case has `repeats` attempts.
  public var attempts: Int?

  /// Creates a plan.
  public init(
    cases: Int, repeats: Int, neededRate: Double, alpha: Double = 0.05, power: Double = 0.8,
    judged: GateChance? = nil, attempts: Int? = nil, fixedCases: Int = 0
  ) {
    self.cases = max(0, cases)
    self.fixedCases = min(self.cases, max(0, fixedCases))
    self.repeats = max(0, repeats)
    self.neededRate = neededRate
    self.alpha = alpha
    self.power = power
    self.judged = judged
    self.attempts = attempts
  }

  /// The total number of attempts.
  public var count: Int { attempts ?? cases.multipliedClamped(by: repeats) }

  /// The calculation of the probability of passing the gate.
  public var gate: GateChance {
    judged
      ?? GateChance(repeats: Array(repeating: repeats, count: cases), neededRate: neededRate)
  }

  /// The lowest true pass rate at which the suite passes the gate with a probability of 1 − α, or
  /// `nil` if there is none.
  public var safeRate: Double? { rate(reaching: 1 - alpha) }

  /// The true pass rate below which the suite misses the gate with the desired power, or `nil` if
  /// there is none.
  public var caughtRate: Double? {
    gate.chanceToPass(rate: 0) >= 1 ? nil : rate(reaching: 1 - power)
  }

  /// Returns the lowest rate at which the suite passes the gate with a probability of at least
  /// `chance`.
  private func rate(reaching chance: Double) -> Double? {
    let gate = gate
    guard count > 0, gate.chanceToPass(rate: 1) >= chance else { return nil }
    var (low, high) = (0.0, 1.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if gate.chanceToPass(rate: middle) >= chance { high = middle } else { low = middle }
    }
    return high
  }

  /// Returns how many repeats each test case needs so that a failure with the given rate occurs at
  /// least once with probability 1 − α, or `nil` if no number of repeats is enough.
  ///
  /// Repeats add no draws to test cases that sample nothing.
  public func repeatsToSee(failureRate: Double) -> Int? {
    guard cases > 0,
      let draws = SampleSize.toSeeFailure(rate: failureRate, confidence: 1 - alpha)
    else { return nil }
    guard draws > cases else { return 1 }
    let sampled = cases - fixedCases
    return sampled > 0 ? (draws - fixedCases + sampled - 1) / sampled : nil
  }

  /// Returns the minimum number of test cases with which the test of the mean of a decision
  /// probability can find anything.
  ///
  /// With n test cases, no p-value of the sign-flip test is below 2⁻ⁿ. The test of a few test cases
  /// needs no minimum.
  ///
  /// - Parameters:
  ///   - suites: The number of suites of the night whose tests share α.
  ///   - tests: The number of tests of each suite against a baseline.
  public func casesForProbabilities(suites: Int = 1, tests: Int = 3) -> Int {
    var rules = ComparisonRules(alpha: alpha)
    rules.isOneOfSeveral = suites > 1
    let level = rules.level(against: .baseline) * MeasuredTest.shareOfMean
    return Int(log2(Double(max(1, suites * tests)) / level).rounded(.up))
  }
}

extension Int {
  /// Returns the product, clamped to the largest integer.
  fileprivate func multipliedClamped(by other: Int) -> Int {
    let (product, isOver) = multipliedReportingOverflow(by: other)
    return isOver ? .max : product
  }
}
