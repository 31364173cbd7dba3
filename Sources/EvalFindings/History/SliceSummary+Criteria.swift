import EvalRecords
import EvalStatistics

extension SliceSummary {
  /// The results of the quantities that a comparison judges, and of the conditions of the gate.
  ///
  /// Quantities that the comparison can't judge are left out. So is a condition of which the gate's
  /// result says nothing.
  ///
  /// - Parameters:
  ///   - finding: What the comparisons found out about the slice, or `nil` if there is none.
  ///   - rates: The rates of the slice.
  func results(_ finding: SliceFinding?, rates: [RateRow]) -> [CriterionResult] {
    let all = (finding?.results(rates) ?? []) + (gate.map(results(of:)) ?? [])
    return all.compactMap { result in
      var result = result
      guard let criterion = result.criterion.inHistory else { return nil }
      result.criterion = criterion
      return result
    }
  }

  private func results(of gate: GateResultRecord) -> [CriterionResult] {
    let bounds = self.bounds(of: gate)
    var missed: [Criterion] = gate.guardrailHits.map { .guardrail($0.assertion) }
    missed += gate.misses.map(\.criterion)
    let rate = gate.score ?? Double(gate.passed) / Double(max(1, gate.attempts))
    // A record of an older version may not say why the gate was missed.
    if !gate.isPassed, missed.isEmpty || rate < gate.neededRate - 1e-9 { missed.append(.gateRate) }
    let held = bounds.map(\.criterion).filter { !missed.contains($0) }
    return (missed.distinct.map { ($0, false) } + held.map { ($0, true) }).map {
      criterion, isGood in
      CriterionResult(
        criterion, isGood: isGood, allowed: bounds.first { $0.criterion == criterion }?.allowed)
    }
  }

  /// The conditions of the gate, each with the values that it allows.
  private func bounds(
    of gate: GateResultRecord
  ) -> [(criterion: Criterion, allowed: ClosedRange<Double>?)] {
    var bounds: [(criterion: Criterion, allowed: ClosedRange<Double>?)] = [
      (.gateRate, gate.neededRate...(.infinity))
    ]
    guard let suite else { return bounds }
    bounds += suite.gate.guardrails.map { (.guardrail($0), nil) }
    for item in suite.cases {
      guard let needed = suite.details.cases?[item.id]?.passRate else { continue }
      bounds.append((.testCase(item.id), needed...(.infinity)))
    }
    for metric in suite.details.metrics ?? [] {
      let (low, high) = (metric.minimum ?? -.infinity, metric.maximum ?? .infinity)
      guard metric.minimum != nil || metric.maximum != nil, low <= high else { continue }
      bounds.append((.metric(metric.name), low...high))
    }
    return bounds + [(.backendErrors, nil), (.recordedAnswers, nil)]
  }
}

extension SliceFinding {
  /// The results of the quantities that count for the verdict, without those that can't be judged,
  /// and the test cases that newly fail.
  fileprivate func results(_ rates: [RateRow]) -> [CriterionResult] {
    let isComparable = verdict != .broken && verdict != .notComparable
    let gating = effects.filter {
      $0.isGating && ($0.reference != .pooledHistory || $0.verdict != .inconclusive)
    }
    let judged = gating.map(\.quantity).distinct.compactMap { quantity -> CriterionResult? in
      let verdicts = gating.filter { $0.quantity == quantity }.map(\.verdict)
      if verdicts.contains(.regressed) {
        return CriterionResult(.quantity(quantity), isGood: false)
      }
      let isGood = isComparable && verdicts.allSatisfy { $0 == .ok || $0 == .improved }
      return isGood ? CriterionResult(.quantity(quantity), isGood: true) : nil
    }
    // A comparison has no effect on a flaw that neither side has. No row counts missing arrays, but
    // each array that an answer has is in a row about empty arrays.
    let counted = rates.filter { $0.now.count > 0 }
    let flawless =
      counted.filter { !$0.isBad && $0.quantity.isComparedIfPresent }.map(\.quantity)
      + counted.compactMap { row in
        if case .emptyArray(let path) = row.quantity { .missingArray(path: path) } else { nil }
      }
    return judged
      + flawless.filter { quantity in
        isComparable && !effects.contains { $0.quantity == quantity }
      }.map { CriterionResult(.quantity($0), isGood: true) }
      + newlyFailing.map { CriterionResult(.newlyFailing($0), isGood: false) }
  }
}

extension Quantity {
  /// Whether comparisons judge the quantity only if one of the sides has the flaw that it counts.
  fileprivate var isComparedIfPresent: Bool {
    switch self {
    case .emptyArray, .missingArray, .wrongBranch, .missedBranch: true
    case .passRate, .shortArray, .failedAssertion, .validOutput, .arrayLength: false
    }
  }
}

extension GateMiss {
  /// The condition of the gate that was missed.
  fileprivate var criterion: Criterion {
    switch self {
    case .uncheckedGuardrail(let assertion, _, _): .guardrail(assertion)
    case .caseScore(let caseID, _, _, _, _, _), .tooFewRepeats(let caseID, _, _): .testCase(caseID)
    case .metricOutOfBounds(let metric, _, _, _, _), .metricWithoutData(let metric, _),
      .metricWithoutValue(let metric, _):
      .metric(metric)
    case .backendErrors: .backendErrors
    case .missingAnswers: .recordedAnswers
    }
  }
}
