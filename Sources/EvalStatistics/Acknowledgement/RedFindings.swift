import EvalRecords

extension ComparisonRecord {
  /// Returns an effect as a finding that can be acknowledged.
  ///
  /// The limit is the value, made worse by what chance can explain in all but one of 100 nights and
  /// by the margin of comparisons. If nothing is sampled, chance explains nothing.
  ///
  /// - Parameters:
  ///   - effect: One of the effects.
  ///   - drawn: The draws of the candidate's slice, or `nil` if the attempts are not at hand; then
  ///     each attempt counts as a draw.
  ///   - errors: The number of backend errors in the candidate's slice.
  ///   - lost: The number of test cases that only the baseline has, or has with another request,
  ///     for each test case that was compared.
  package func redFinding(
    of effect: EffectRecord, _ drawn: DrawnSlice? = nil, errors: Int = 0, lost: Double = 0
  ) -> RedFinding {
    let slice = effect.place.candidate
    let isWorseHigher: Bool =
      switch effect.quantity {
      case .passRate, .validOutput, .arrayLength: false
      default: true
      }
    let value = effect.candidate.value
    var room = 0.0
    if drawn?.isFixed != true {
      if effect.candidate.hits == nil {
        // The interval of a mean is about other test cases too, so it is never too narrow.
        let error = (effect.candidate.high - effect.candidate.low) / 3.92
        let toWorse =
          isWorseHigher ? effect.changeHigh - effect.change : effect.change - effect.changeLow
        room = min(max(0, toWorse), DrawnSlice.deviations * error * 2.0.squareRoot())
      } else {
        let count = effect.candidate.count
        room = DrawnSlice.room(value, draws: min(drawn?.draws() ?? count, count))
      }
    }
    var named = effect
    named.reference = .baseline
    let count = effect.candidate.count
    let failed = effect.candidate.hits == nil || count == 0 ? 0 : Double(errors) / Double(count)
    return RedFinding(
      slice: slice, name: named.title, value: value, isWorseHigher: isWorseHigher,
      limit: RedFinding.limit(
        value, room: room + ComparisonRules().margin, isWorseHigher: isWorseHigher),
      isCertain: effect.verdict == .regressed,
      isWorse: isWorseHigher ? effect.change > 0 : effect.change < 0,
      newlyFailing: newlyFailing(in: slice), isFixed: drawn?.isFixed == true,
      best: RedFinding.best(value, beside: failed + lost, isWorseHigher: isWorseHigher))
  }
}

extension ComparisonRecord {
  /// Returns the ids of the test cases of a slice that only the baseline has, or has with another
  /// request or with other expectations.
  fileprivate func lostCases(at slice: SliceKey) -> Set<String> {
    let own = differences.filter { $0.place?.candidate == slice }
    let removed = own.flatMap { difference -> [String] in
      if case .cases(.removed, let ids) = difference.fact { ids } else { [] }
    }
    return Set(leftOutCases(at: slice) + removed)
  }
}

extension RedFinding {
  /// Returns the value with further good answers, or `nil` if there are none.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - good: The number of further answers for each answer that the value counts.
  ///   - isWorseHigher: Whether a higher value is worse.
  fileprivate static func best(
    _ value: Double, beside good: Double, isWorseHigher: Bool
  ) -> Double? {
    good > 0 ? (value + (isWorseHigher ? 0 : good)) / (1 + good) : nil
  }

  /// Returns a limit between 0 and 1, rounded outwards to three decimals.
  fileprivate static func limit(_ value: Double, room: Double, isWorseHigher: Bool) -> Double {
    // The last binary digit must not change the third decimal.
    isWorseHigher
      ? min(1, ((value + room) * 1000 - 1e-6).rounded(.up) / 1000)
      : max(0, ((value - room) * 1000 + 1e-6).rounded(.down) / 1000)
  }
}

extension GateResultRecord {
  /// Returns the reasons why the gate is missed as findings that can be acknowledged: an empty
  /// array if it passed, or `nil` if something is missing or broken, which nobody can acknowledge.
  ///
  /// - Parameters:
  ///   - drawn: The draws of the slice, or `nil` if the attempts are not at hand; then each attempt
  ///     counts as a draw.
  ///   - gone: The number of test cases that the suite has no longer, for each one that it has.
  ///   - newlyFailing: The ids of the slice's test cases that newly fail for certain.
  package func redFindings(
    _ drawn: DrawnSlice? = nil, gone: Double = 0, newlyFailing: [String] = []
  ) -> [RedFinding]? {
    guard !isPassed else { return [] }
    // Backend errors say nothing about the model.
    guard attempts > 0, errors * 100 <= attempts else { return nil }
    let slice = SliceKey(suite: suite, variant: variant, backend: backend)
    func finding(
      _ name: String, _ value: Double, draws: Int, isWorseHigher: Bool, isOfCase: Bool = false
    ) -> RedFinding {
      let room = drawn?.isFixed == true ? 0 : DrawnSlice.room(value, draws: draws)
      return RedFinding(
        slice: slice, name: "gate: \(name)", value: value, isWorseHigher: isWorseHigher,
        limit: RedFinding.limit(
          value, room: room + ComparisonRules().margin, isWorseHigher: isWorseHigher),
        best: isOfCase ? nil : RedFinding.best(value, beside: gone, isWorseHigher: isWorseHigher))
    }
    let draws = min(drawn?.draws() ?? attempts, attempts)
    var findings: [RedFinding] = []
    let plain = Double(passed) / Double(attempts)
    let rate = score ?? plain
    if rate < neededRate || guardrailHits.isEmpty && misses.isEmpty {
      // With a reducer, each test case has one score.
      let isReduced = abs(rate - plain) > 1e-9
      findings.append(
        finding(
          "pass rate", rate, draws: isReduced ? min(drawn?.cases ?? draws, draws) : draws,
          isWorseHigher: false))
      findings[0].newlyFailing = newlyFailing
      findings[0].isFixed = drawn?.isFixed == true
    }
    for hit in guardrailHits {
      findings.append(
        finding(
          "guardrail \(hit.assertion)", Double(min(hit.count, attempts)) / Double(attempts),
          draws: draws, isWorseHigher: true))
    }
    for miss in misses {
      switch miss {
      case .caseScore(let caseID, _, let attempts, let score, _, _):
        findings.append(
          finding(
            "test case \(caseID)", score,
            draws: min(drawn?.draws(in: caseID) ?? attempts, attempts), isWorseHigher: false,
            isOfCase: true))
      case .metricOutOfBounds(let metric, let value, _, _, let bound):
        // A metric has no interval, so it may move by half of its distance from the bound.
        let (limit, isWorseHigher) =
          switch bound {
          case .atLeast(let least): (value - (least - value) / 2, false)
          case .atMost(let most): (value + (value - most) / 2, true)
          }
        findings.append(
          RedFinding(
            slice: slice, name: "gate: metric \(metric)", value: value,
            isWorseHigher: isWorseHigher, limit: limit))
      case .uncheckedGuardrail, .tooFewRepeats, .metricWithoutData, .backendErrors,
        .missingAnswers, .metricWithoutValue:
        return nil
      }
    }
    return findings
  }
}

extension AcknowledgedFindings {
  /// Applies the acknowledgements that a run kept to its gates and comparisons.
  public init(
    _ run: RunRecord, _ attempts: [AttemptRecord], gates: [GateResultRecord],
    comparisons: [ComparisonRecord]
  ) {
    var errors: [SliceKey: Int] = [:]
    for attempt in attempts where attempt.isBackendError {
      errors[attempt.key.slice, default: 0] += 1
    }
    let counts = errors
    /// The number of given test cases for each test case of a slice that isn't among them.
    func share(of lost: Set<String>, in slice: SliceKey) -> Double {
      // A run of some test cases says nothing about the others.
      guard !run.details.isPart, let suite = run.suites.first(where: { $0.id == slice.suite })
      else { return 0 }
      let others = suite.cases.count { !lost.contains($0.id) }
      return others == 0 ? 0 : Double(lost.count) / Double(others)
    }
    self.init(
      run,
      gates: gates.map { gate in
        let slice = SliceKey(suite: gate.suite, variant: gate.variant, backend: gate.backend)
        let ids = Set(run.suites.first { $0.id == gate.suite }?.cases.map(\.id) ?? [])
        let gone = comparisons.map { $0.lostCases(at: slice).subtracting(ids) }
        return (
          gate,
          gate.redFindings(
            gone: gone.map { share(of: $0, in: slice) }.max() ?? 0,
            newlyFailing: comparisons.flatMap { $0.newlyFailing(in: slice) })
        )
      },
      comparisons: comparisons.map { record in
        (
          record: record,
          finding: { (effect: EffectRecord) -> RedFinding in
            let slice = effect.place.candidate
            return record.redFinding(
              of: effect, errors: counts[slice] ?? 0,
              lost: share(of: record.lostCases(at: slice), in: slice))
          }
        )
      })
    let day = String(run.startedAt.prefix(10))
    unmatched = run.acknowledgements.filter { entry in
      day <= entry.until && !entry.isAboutSomething(in: run, comparisons)
    }
  }

  /// Returns everything in a run that can be acknowledged, each once.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - attempts: Its attempts, which decide how far a value can vary by chance.
  ///   - gates: The results of its gates.
  ///   - comparisons: Its comparisons.
  public static func findings(
    of run: RunRecord, _ attempts: [AttemptRecord], gates: [GateResultRecord],
    comparisons: [ComparisonRecord]
  ) -> [RedFinding] {
    let drawn = DrawnSlice.slices(run, attempts)
    let regressed = comparisons.flatMap { record in
      record.effects.filter { $0.isGating && $0.verdict == .regressed }
        .map { record.redFinding(of: $0, drawn[$0.place.candidate]) }
    }
    let missed = gates.flatMap { gate in
      let slice = SliceKey(suite: gate.suite, variant: gate.variant, backend: gate.backend)
      return gate.redFindings(
        drawn[slice], newlyFailing: comparisons.flatMap { $0.newlyFailing(in: slice) }) ?? []
    }
    let all = regressed + missed
    return all.enumerated().filter { position, finding in
      !all[..<position].contains { $0.slice == finding.slice && $0.name == finding.name }
    }.map(\.element)
  }
}

extension Acknowledgement {
  /// Returns whether a run has the quantity or the part of a gate that the entry is about, or might
  /// have it if more were compared.
  fileprivate func isAboutSomething(in run: RunRecord, _ comparisons: [ComparisonRecord]) -> Bool {
    guard let suite = run.suites.first(where: { $0.id == self.suite }) else { return false }
    if let variant, !suite.variants.contains(where: { $0.id == variant }),
      run.details.variants == nil
    {
      return false
    }
    if misspellsBackend(of: run) { return false }
    let gate = "gate: "
    if quantity.hasPrefix(gate) {
      var parts = ["pass rate"]
      parts += suite.gate.guardrails.map { "guardrail \($0)" }
      parts += suite.cases.map { "test case \($0.id)" }
      parts += (suite.details.metrics ?? []).map { "metric \($0.name)" }
      return parts.contains { gate + $0 == quantity }
        || run.details.isPart && quantity.hasPrefix(RedFinding.caseScorePrefix)
    }
    let titles = comparisons.flatMap(\.effects).filter { $0.place.candidate.suite == self.suite }
      .map { effect in
        var named = effect
        named.reference = .baseline
        return named.title
      }
    // Without a comparison, nobody knows which quantities the suite would have.
    return titles.isEmpty || titles.contains(quantity)
  }
}
