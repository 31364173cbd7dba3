public import EvalRecords
import EvalStatistics

extension GateResultRecord {
  /// What the gates of a run's suites say, one result for each suite and backend.
  ///
  /// A gate asks of the suite's first variant that ran, which is the default where it was selected:
  /// the others are edits under test, which a comparison judges.
  ///
  /// If there are fresh repeats, the gate must be reached both with them and without them.
  ///
  /// - Parameters:
  ///   - suites: The suites as they ran.
  ///   - backends: The ids of the backends that were asked, in the order of the results.
  ///   - attempts: The attempts; skipped ones are not among those that count.
  /// - Returns: The results in the order of the suites, then of the backends.
  public static func results(
    suites: [SuiteRecord], backends: [String], attempts: [AttemptRecord]
  ) -> [GateResultRecord] {
    struct Slice: Hashable {
      var suite: String
      var backend: String
      var variant: String
    }
    let slices = Dictionary(grouping: attempts.indices) { index in
      let key = attempts[index].key
      return Slice(suite: key.suite, backend: key.backend, variant: key.variant)
    }
    return suites.flatMap { suite in
      backends.map { backend in
        let variant = suite.variants.first?.id ?? ""
        let indices = slices[Slice(suite: suite.id, backend: backend, variant: variant)] ?? []
        let made = indices.map { attempts[$0] }.filter { $0.outcome != .skipped }
        let all = result(suite, variant, backend, made)
        // Fresh repeats can make a gate miss; they never make it be reached.
        let planned = made.filter { !suite.isFresh(repeatIndex: $0.key.repeatIndex) }
        guard all.isPassed, !planned.isEmpty, planned.count < made.count else { return all }
        let fixed = result(suite, variant, backend, planned)
        return fixed.isPassed ? all : fixed
      }
    }
  }

  private static func result(
    _ suite: SuiteRecord, _ variant: String, _ backend: String,
    _ attempts: some Sequence<AttemptRecord>
  ) -> GateResultRecord {
    var count = 0
    var passed = 0
    var errors = 0
    var hits = [Int](repeating: 0, count: suite.gate.guardrails.count)
    var cases = CaseTallies(suite)
    var metrics = MetricMeans(suite)
    for attempt in attempts {
      count += 1
      cases.add(attempt)
      metrics.add(attempt)
      if attempt.outcome == .pass { passed += 1 }
      if attempt.outcome == .error { errors += 1 }
      for (index, name) in suite.gate.guardrails.enumerated()
      where attempt.verdicts.contains(where: { $0.assertion == name && $0.verdict == .fail }) {
        hits[index] += 1
      }
    }
    let needed = suite.gate.passRate(for: backend)
    let guardrailHits = zip(suite.gate.guardrails, hits).filter { $0.1 > 0 }
      .map { GuardrailHit(assertion: $0.0, count: $0.1) }
    let (score, isEnough) = cases.score(needed: needed)
    let misses = count > 0 ? cases.misses + metrics.misses : []
    return GateResultRecord(
      suite: suite.id, variant: variant, backend: backend, attempts: count, passed: passed,
      errors: errors, neededRate: needed, guardrailHits: guardrailHits, score: score,
      misses: misses, derivedMetrics: metrics.derived.compactMapValues { try? $0.get() },
      isPassed: count > 0 && isEnough && guardrailHits.isEmpty && misses.isEmpty)
  }
}

/// What a case came to over its repeats.
public struct CaseVerdict: Sendable, Hashable {
  /// The repeats that were made.
  public var attempts: Int
  /// Those that passed.
  public var passed: Int
  /// Whether the case passes: every repeat does, and there is one.
  public var isPassed: Bool { attempts > 0 && passed == attempts }

  /// Sums the attempts of one case up.
  public init(_ attempts: some Sequence<AttemptRecord>) {
    self.attempts = 0
    passed = 0
    for attempt in attempts where attempt.outcome != .skipped {
      self.attempts += 1
      if attempt.outcome == .pass { passed += 1 }
    }
  }
}
