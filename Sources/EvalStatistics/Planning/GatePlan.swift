import Foundation

/// What a number of attempts can show, before any of them is made.
public struct GatePlan: Sendable, Hashable {
  /// The cases.
  public var cases: Int
  /// Attempts per case.
  public var repeats: Int
  /// The pass rate that the gate needs.
  public var neededRate: Double
  /// The attempts of the baseline; 0 if there is none.
  public var baselineCount: Int
  /// The pass rate of the baseline.
  public var baselineRate: Double
  /// The chance of a false alarm, one-sided.
  public var alpha: Double
  /// The wanted chance to find what is there.
  public var power: Double
  /// What the gate judges where that is not every attempt of every case: cases with repeats of their
  /// own, a reducer.
  public var judged: GateChance?
  /// The attempts where cases have repeats of their own; nil for repeats in each case.
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

  /// The attempts.
  public var count: Int { attempts ?? cases.multipliedClamped(by: repeats) }

  /// The gate.
  public var gate: GateChance {
    judged
      ?? GateChance(repeats: Array(repeating: repeats, count: cases), neededRate: neededRate)
  }

  /// The chance that a suite whose true pass rate is `rate` reaches the gate.
  public func chanceToPass(rate: Double) -> Double { gate.chanceToPass(rate: rate) }

  /// The true pass rate from which on the gate is reached with a chance of 1 − α; nil if no rate
  /// is.
  public var safeRate: Double? { rate(reaching: 1 - alpha) }

  /// The true pass rate below which the gate is missed with the wanted power; nil if none is.
  public var caughtRate: Double? {
    gate.chanceToPass(rate: 0) >= 1 ? nil : rate(reaching: 1 - power)
  }

  /// The lowest rate that reaches the gate with a chance of at least `chance`.
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

  /// The attempts up to which the power of Fisher's exact test is counted out; beyond, it is
  /// approximated.
  static let exactLimit = 400

  /// Whether numbers against the baseline are approximations.
  public var isApproximate: Bool { count > Self.exactLimit || baselineCount > Self.exactLimit }

  /// The smallest drop below the baseline's rate that counting finds with the wanted power; nil
  /// where there is no baseline, or not even a drop to zero is found.
  public var minimumDetectableDrop: Double? {
    guard baselineCount > 0, count > 0 else { return nil }
    guard isApproximate else {
      return FisherPower.minimumDetectableDrop(
        baselineCount: baselineCount, baselineRate: baselineRate, candidateCount: count,
        alpha: alpha, power: power)
    }
    return drop { approximatePower(drop: $0, count: count) >= power }
  }

  /// The chance to find a drop by counting.
  public func powerToFind(drop: Double) -> Double {
    guard baselineCount > 0, count > 0 else { return 0 }
    guard isApproximate else {
      return FisherPower.oneSided(
        baselineCount: baselineCount, baselineRate: baselineRate, candidateCount: count,
        candidateRate: max(0, baselineRate - drop), alpha: alpha)
    }
    return approximatePower(drop: drop, count: count)
  }

  /// The repeats of each case with which a drop is found by counting with the wanted power; nil where
  /// a thousand don't suffice.
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

  /// The repeats of each case with which a failure of a given rate is seen at least once with a chance
  /// of 1 − α; nil for a rate of zero.
  public func repeatsToSee(failureRate: Double) -> Int? {
    guard cases > 0 else { return nil }
    return SampleSize.toSeeFailure(rate: failureRate, confidence: 1 - alpha).map {
      max(1, ($0 + cases - 1) / cases)
    }
  }

  /// The fewest cases with which the test of decision probabilities can say anything: with n cases no
  /// p-value is below 2⁻ⁿ.
  ///
  /// - Parameter tests: The tests in the gate's family, over which α is shared.
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

  /// The normal approximation for two independent rates, one-sided.
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
  /// The product, at most the largest number.
  fileprivate func multipliedClamped(by other: Int) -> Int {
    let (product, isOver) = multipliedReportingOverflow(by: other)
    return isOver ? .max : product
  }
}
