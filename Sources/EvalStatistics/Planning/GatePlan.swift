import Foundation

/// A calculation of what a number of attempts can show, before any of them is made.
public struct GatePlan: Sendable, Hashable {
  /// The number of test cases.
  public var cases: Int
  /// The number of attempts per test case.
  public var repeats: Int
  /// The pass rate that the gate needs.
  public var neededRate: Double
  /// The number of attempts of the baseline; 0 if there is none.
  public var baselineCount: Int
  /// The pass rate of the baseline.
  public var baselineRate: Double
  /// The one-sided chance of a false alarm.
  public var alpha: Double
  /// The desired chance of finding an effect.
  public var power: Double
  /// The attempts that the gate judges, if these are not all attempts: test cases with separate
  /// numbers of repeats, or a reducer.
  public var judged: GateChance?
  /// The number of attempts, if test cases have separate numbers of repeats; nil for `repeats` in
  /// each test case.
  public var attempts: Int?

  /// Creates a plan.
  public init(
    cases: Int, repeats: Int, neededRate: Double, baselineCount: Int = 0,
    baselineRate: Double = 1, alpha: Double = 0.05, power: Double = 0.8,
    judged: GateChance? = nil, attempts: Int? = nil
  ) {
    self.cases = max(0, cases)
    self.repeats = max(0, repeats)
    self.neededRate = neededRate
    self.baselineCount = max(0, baselineCount)
    self.baselineRate = baselineRate
    self.alpha = alpha
    self.power = power
    self.judged = judged
    self.attempts = attempts
  }

  /// The number of attempts.
  public var count: Int { attempts ?? cases.multipliedClamped(by: repeats) }

  /// The gate.
  public var gate: GateChance {
    judged
      ?? GateChance(repeats: Array(repeating: repeats, count: cases), neededRate: neededRate)
  }

  /// Returns the chance that a suite with the true pass rate `rate` reaches the gate.
  public func chanceToPass(rate: Double) -> Double { gate.chanceToPass(rate: rate) }

  /// The true pass rate from which the gate is reached with a chance of 1 − α; nil if there is
  /// none.
  public var safeRate: Double? { rate(reaching: 1 - alpha) }

  /// The true pass rate below which the gate is missed with the desired power; nil if there is
  /// none.
  public var caughtRate: Double? {
    gate.chanceToPass(rate: 0) >= 1 ? nil : rate(reaching: 1 - power)
  }

  /// Returns the lowest rate that reaches the gate with a chance of at least `chance`.
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

  /// The number of attempts up to which the power of Fisher's exact test is enumerated; above it,
  /// the power is approximated.
  static let exactLimit = 400

  /// True if the numbers against the baseline are approximations.
  public var isApproximate: Bool { count > Self.exactLimit || baselineCount > Self.exactLimit }

  /// The smallest drop below the baseline's rate that counting finds with the desired power; nil if
  /// there is no baseline or not even a drop to zero is found.
  public var minimumDetectableDrop: Double? {
    guard baselineCount > 0, count > 0 else { return nil }
    guard isApproximate else {
      return FisherPower.minimumDetectableDrop(
        baselineCount: baselineCount, baselineRate: baselineRate, candidateCount: count,
        alpha: alpha, power: power)
    }
    return drop { approximatePower(drop: $0, count: count) >= power }
  }

  /// Returns the chance of finding a drop by counting.
  public func powerToFind(drop: Double) -> Double {
    guard baselineCount > 0, count > 0 else { return 0 }
    guard isApproximate else {
      return FisherPower.oneSided(
        baselineCount: baselineCount, baselineRate: baselineRate, candidateCount: count,
        candidateRate: max(0, baselineRate - drop), alpha: alpha)
    }
    return approximatePower(drop: drop, count: count)
  }

  /// Returns the number of repeats per test case with which counting finds a drop with the desired
  /// power; nil if a thousand are not enough.
  public func repeatsNeeded(drop: Double) -> Int? {
    guard cases > 0 else { return nil }
    var plan = self
    plan.attempts = nil
    func reaches(_ repeats: Int) -> Bool {
      plan.repeats = repeats
      return plan.powerToFind(drop: drop) >= power
    }
    var (missed, found) = (0, 1)
    while !reaches(found) {
      guard found < 1_000 else { return nil }
      (missed, found) = (found, min(1_000, found * 2))
    }
    while found - missed > 1 {
      let middle = (missed + found) / 2
      if reaches(middle) { found = middle } else { missed = middle }
    }
    return found
  }

  /// Returns the number of repeats per test case with which a failure of a given rate is seen at
  /// least once with a chance of 1 − α; nil for a rate of zero.
  public func repeatsToSee(failureRate: Double) -> Int? {
    guard cases > 0 else { return nil }
    return SampleSize.toSeeFailure(rate: failureRate, confidence: 1 - alpha).map {
      max(1, ($0 + cases - 1) / cases)
    }
  }

  /// Returns the minimum number of test cases with which the test of decision probabilities can
  /// find anything: with n test cases, no p-value is below 2⁻ⁿ.
  ///
  /// - Parameter tests: The number of tests in the gate's family, which share α.
  public func casesForProbabilities(tests: Int = 3) -> Int {
    Int(log2(Double(max(1, tests)) / alpha).rounded(.up))
  }

  private func drop(_ reaches: (Double) -> Bool) -> Double? {
    guard baselineRate > 0, reaches(baselineRate) else { return nil }
    var (missed, found) = (0.0, baselineRate)
    while found - missed > 1e-4 {
      let middle = (missed + found) / 2
      if reaches(middle) { found = middle } else { missed = middle }
    }
    return found
  }

  /// Returns the one-sided normal approximation for two independent rates.
  private func approximatePower(drop: Double, count: Int) -> Double {
    let (first, second) = (baselineRate, max(0, baselineRate - drop))
    let (m, n) = (Double(baselineCount), Double(count))
    let pooled = (first * m + second * n) / (m + n)
    let null = (pooled * (1 - pooled) * (1 / m + 1 / n)).squareRoot()
    let real = (first * (1 - first) / m + second * (1 - second) / n).squareRoot()
    guard real > 0 else { return drop > 0 ? 1 : 0 }
    return Normal.cumulative((drop - Normal.quantile(1 - alpha) * null) / real)
  }
}

extension Int {
  /// Returns the product, clamped to the largest number.
  fileprivate func multipliedClamped(by other: Int) -> Int {
    let (product, isOver) = multipliedReportingOverflow(by: other)
    return isOver ? .max : product
  }
}
