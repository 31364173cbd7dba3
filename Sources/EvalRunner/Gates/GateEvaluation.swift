public import EvalRecords
import EvalStatistics

extension GateResultRecord {
  /// Evaluates the gates of a run's suites, with one result for each suite and backend.
  ///
  /// A gate applies to the suite's first variant that ran, which is the default variant unless only
  /// other variants were selected. Gates don't judge the remaining variants, which are edits under
  /// test; comparisons judge them.
  ///
  /// If there are fresh repeats, the suite must pass the gate both with and without the fresh
  /// repeats.
  ///
  /// - Parameters:
  ///   - suites: The suites as they ran.
  ///   - backends: The ids of the backends, in the order of the results.
  ///   - attempts: The attempts; skipped attempts don't count.
  ///   - unjudged: The suites whose gates were written for other models. They have a result only
  ///     if the backend failed in too many attempts.
  /// - Returns: The results in the order of the suites, then of the backends.
  public static func results(
    suites: [SuiteRecord], backends: [String], attempts: [AttemptRecord],
    unjudged: [UnjudgedSuite] = []
  ) -> [GateResultRecord] {
    let slices = Dictionary(grouping: attempts.indices) { attempts[$0].key.slice }
    return suites.flatMap { suite in
      backends.compactMap { backend -> GateResultRecord? in
        let variant = suite.variants.first?.id ?? ""
        let indices = slices[SliceKey(suite: suite.id, variant: variant, backend: backend)] ?? []
        let made = indices.filter { attempts[$0].outcome != .skipped }.map { attempts[$0] }
        if unjudged.contains(where: { $0.suite == suite.id && $0.backend == backend }) {
          let open = result(suite.withoutRequirements, variant, backend, made)
          return open.misses.isEmpty ? nil : open
        }
        var all = result(suite, variant, backend, made)
        let missing = indices.count {
          attempts[$0].details.skipReason == .noAnswer(isPermitted: false)
        }
        if missing > 0 {
          all.misses.append(.missingAnswers(cases: missing))
          all.isPassed = false
        }
        // Fresh repeats can make a gate fail, but they can't make it pass.
        let planned = made.lazy.filter { !suite.isFresh(repeatIndex: $0.key.repeatIndex) }
        guard all.isPassed, !planned.isEmpty, planned.count < made.count else { return all }
        let fixed = result(suite, variant, backend, planned)
        return fixed.isPassed ? all : fixed
      }
    }
  }

  /// The maximum share of attempts with a backend error or a prompt that is too long.
  ///
  /// This maximum applies if the gate requires no pass rate.
  private static let mostErrors = 0.01

  private static func result(
    _ suite: SuiteRecord, _ variant: String, _ backend: String,
    _ attempts: some Sequence<AttemptRecord>
  ) -> GateResultRecord {
    var count = 0
    var passed = 0
    var errors = 0
    var backendErrors = 0
    var guardrails = suite.gate.guardrails.map { GuardrailTally(name: $0) }
    var cases = CaseTallies(suite)
    var metrics = MetricMeans(suite)
    for attempt in attempts {
      count += 1
      cases.add(attempt)
      metrics.add(attempt)
      if attempt.outcome == .pass { passed += 1 }
      if attempt.outcome == .error { errors += 1 }
      if attempt.isBackendError || attempt.failure?.kind == .promptTooLong { backendErrors += 1 }
      for index in guardrails.indices { guardrails[index].add(attempt) }
    }
    let needed = suite.gate.passRate(for: backend)
    let guardrailHits = guardrails.filter { $0.hits > 0 }
      .map { GuardrailHit(assertion: $0.name, count: $0.hits) }
    let (score, isEnough) = cases.score(needed: needed)
    var misses =
      count > 0 ? guardrails.compactMap(\.miss) + cases.misses + metrics.misses : []
    // If a pass rate is required, attempts that end in an error already count against that rate.
    if needed == 0, Double(backendErrors) > mostErrors * Double(count) {
      misses.append(.backendErrors(errors: backendErrors, attempts: count))
    }
    return GateResultRecord(
      suite: suite.id, variant: variant, backend: backend, attempts: count, passed: passed,
      errors: errors, neededRate: needed, guardrailHits: guardrailHits, score: score,
      misses: misses, derivedMetrics: metrics.derived.compactMapValues { try? $0.get() },
      isPassed: count > 0 && isEnough && guardrailHits.isEmpty && misses.isEmpty)
  }
}

extension SuiteRecord {
  /// The suite with a gate that requires nothing of the answers.
  fileprivate var withoutRequirements: SuiteRecord {
    var suite = self
    suite.gate = GateRecord(passRate: 0)
    suite.details.cases = nil
    suite.details.metrics = nil
    return suite
  }
}
