import EvalRecords
import EvalStatistics
import EvalSuites

/// Counts the attempts and passes of each test case, for the suite's gate and for the test cases'
/// own gates.
struct CaseTallies {
  private let suite: SuiteRecord
  private var counts: [String: (attempts: Int, passed: Int)] = [:]

  init(_ suite: SuiteRecord) { self.suite = suite }

  mutating func add(_ attempt: AttemptRecord) {
    var count = counts[attempt.key.caseID] ?? (0, 0)
    count.attempts += 1
    if attempt.outcome == .pass { count.passed += 1 }
    counts[attempt.key.caseID] = count
  }

  /// Returns the pass rate for the suite's gate or, if the gate has a reducer, the mean score.
  ///
  /// Test cases with their own gates are excluded.
  ///
  /// - Parameter needed: The required rate or mean score.
  /// - Returns: The rate or mean score, and whether it is high enough. If every test case with
  ///   attempts has its own gate, the rate is `nil` and counts as high enough. If there are no
  ///   attempts at all, the rate is `nil` and isn't high enough.
  func score(needed: Double) -> (score: Double?, isEnough: Bool) {
    let own = suite.details.cases ?? [:]
    let judged = suite.cases.compactMap { suiteCase in
      own[suiteCase.id]?.passRate == nil ? counts[suiteCase.id] : nil
    }
    guard !judged.isEmpty else { return (nil, !counts.isEmpty) }
    if let reducer = suite.gate.reducer {
      let scores = judged.map { reducer.score(passed: $0.passed, of: $0.attempts) ?? 0 }
      let mean = scores.reduce(0, +) / Double(scores.count)
      return (mean, isAtLeast(mean, needed))
    }
    // Compare without a tolerance: equal rates give equal doubles, because a quotient of integers
    // and the decimal number in the suite file are both rounded to the nearest double.
    let attempts = judged.reduce(0) { $0 + $1.attempts }
    let rate = Double(judged.reduce(0) { $0 + $1.passed }) / Double(attempts)
    return (rate, rate >= needed)
  }

  /// The test cases that miss their own gates, and the test cases with too few repeats for a score.
  var misses: [GateMiss] {
    suite.cases.compactMap { suiteCase in
      guard let count = counts[suiteCase.id] else { return nil }
      let own = suite.details.cases?[suiteCase.id]
      guard let needed = own?.passRate else {
        guard let reducer = suite.gate.reducer, count.attempts < reducer.neededRepeats else {
          return nil
        }
        return .tooFewRepeats(
          caseID: suiteCase.id, attempts: count.attempts, reducer: reducer)
      }
      let reducer = own?.reducer ?? suite.gate.reducer ?? .mean
      guard let score = reducer.score(passed: count.passed, of: count.attempts) else {
        return .tooFewRepeats(
          caseID: suiteCase.id, attempts: count.attempts, reducer: reducer)
      }
      if isAtLeast(score, needed) { return nil }
      return .caseScore(
        caseID: suiteCase.id, passed: count.passed, attempts: count.attempts, score: score,
        needed: needed, reducer: reducer == .mean ? nil : reducer)
    }
  }
}

/// The means of a suite's metrics, for gates that bound them.
struct MetricMeans {
  private let metrics: [MetricRecord]
  private var sums: [String: (sum: Double, count: Int)] = [:]
  /// The number of attempts without a backend error, keyed by test case.
  private var values: [String: Int] = [:]

  init(_ suite: SuiteRecord) {
    let ids = Set(suite.cases.map(\.id))
    metrics = (suite.details.metrics ?? []).filter { $0.caseID.map(ids.contains) ?? true }
  }

  mutating func add(_ attempt: AttemptRecord) {
    guard !metrics.isEmpty, attempt.outcome != .error else { return }
    values[attempt.key.caseID, default: 0] += 1
    for (name, value) in attempt.details.metrics ?? [:] {
      let old = sums[name] ?? (0, 0)
      sums[name] = (old.sum + value, old.count + 1)
    }
  }

  /// The results of the metrics that are formulas over means, keyed by metric name.
  var derived: [String: Result<Double, FormulaOverMeans.Failure>] {
    let means = sums.mapValues { $0.sum / Double($0.count) }
    var values: [String: Result<Double, FormulaOverMeans.Failure>] = [:]
    for metric in metrics {
      guard let formula = metric.formula else { continue }
      values[metric.name] = FormulaOverMeans.value(of: formula, means)
    }
    return values
  }

  /// The metrics that have no value although there are answers, and the metrics whose value is out
  /// of bounds.
  var misses: [GateMiss] {
    metrics.compactMap { metric in
      if metric.formula != nil {
        switch derived[metric.name] {
        case .success(let value)?:
          return miss(metric, value, of: nil)
        case .failure(let failure)?:
          return values.isEmpty
            ? nil : .metricWithoutValue(metric: metric.name, reason: failure.reason)
        case nil: return nil
        }
      }
      let attempts = metric.caseID.map { values[$0] ?? 0 } ?? values.values.reduce(0, +)
      guard let (sum, count) = sums[metric.name], count > 0 else {
        return attempts > 0 ? .metricWithoutData(metric: metric.name, attempts: attempts) : nil
      }
      return miss(metric, sum / Double(count), of: count)
    }
  }

  /// Returns the miss for a value outside a metric's bounds, or `nil` if the value is within the
  /// bounds.
  ///
  /// - Parameters:
  ///   - metric: The metric.
  ///   - value: The metric's mean, or the value of its formula.
  ///   - values: The number of attempts in the mean, or `nil` for a formula.
  private func miss(_ metric: MetricRecord, _ value: Double, of values: Int?) -> GateMiss? {
    func outOfBounds(_ bound: MetricBound) -> GateMiss {
      .metricOutOfBounds(
        metric: metric.name, value: value, values: values, isShare: metric.isShare, bound: bound)
    }
    if let minimum = metric.minimum, !isAtLeast(value, minimum) {
      return outOfBounds(.atLeast(minimum))
    }
    if let maximum = metric.maximum, !isAtLeast(maximum, value) {
      return outOfBounds(.atMost(maximum))
    }
    return nil
  }
}

/// Returns whether one number is greater than or equal to another, allowing for rounding errors of
/// sums.
private func isAtLeast(_ value: Double, _ needed: Double) -> Bool {
  value >= needed - 1e-12 * max(1, abs(needed))
}
