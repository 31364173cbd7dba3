import EvalRecords

extension SettingChanges {
  /// Returns the differences between the gates: rates, reducers, and metrics with their bounds.
  ///
  /// A comparison tests the pass rate and not the gate, so these differences don't limit its
  /// verdict. Guardrails are compared test case by test case, because with a threshold they decide
  /// whether an attempt passes.
  ///
  /// - Parameter backends: The ids of both sides' backends.
  func ofGate(backends: (String, String)) -> [ComparisonDifference.Fact] {
    func text(_ reducer: CaseReducer?) -> SettingValue {
      reducer.map { .text($0.description) } ?? .none
    }
    func number(_ value: Double?) -> SettingValue {
      value.map { .number($0) } ?? .none
    }
    let suites = [
      Change(
        name: .gateRate, before: .number(baseline.gate.passRate(for: backends.0)),
        after: .number(candidate.gate.passRate(for: backends.1))),
      Change(
        name: .reducer, before: text(baseline.gate.reducer), after: text(candidate.gate.reducer)),
    ]
    let ids = Set(candidate.cases.map(\.id))
    var casesByChange: [Change: [String]] = [:]
    var order: [Change] = []
    for id in baseline.cases.map(\.id) where ids.contains(id) {
      let (before, after) = (baseline.details.cases?[id], candidate.details.cases?[id])
      let changes = [
        Change(
          name: .gateRate, before: number(before?.passRate), after: number(after?.passRate)),
        Change(name: .reducer, before: text(before?.reducer), after: text(after?.reducer)),
      ]
      for change in changes where change.before != change.after {
        if casesByChange[change] == nil { order.append(change) }
        casesByChange[change, default: []].append(id)
      }
    }
    return suites.compactMap { $0.fact() }
      + order.compactMap { $0.fact(cases: casesByChange[$0] ?? []) }
      + metrics.compactMap { $0.fact() }
  }

  private var metrics: [Change] {
    func byName(_ suite: SuiteRecord) -> [String: MetricRecord] {
      Dictionary(
        (suite.details.metrics ?? []).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }
      )
    }
    let (left, right) = (byName(baseline), byName(candidate))
    return Set(left.keys).union(right.keys).sorted().map { name in
      Change(
        name: .metric, before: left[name].map { .text($0.definition) } ?? .none,
        after: right[name].map { .text($0.definition) } ?? .none)
    }
  }
}
