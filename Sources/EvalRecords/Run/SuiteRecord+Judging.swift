extension SuiteRecord {
  /// A rule for judging answers, apart from assertions, that differs between two records of a
  /// suite.
  package struct JudgingDifference: Sendable, Hashable {
    /// The rule, as the suite file names it where that is possible: `gate.passRate`.
    package var rule: String
    /// The older and the newer value in words.
    package var values: (before: String, after: String)

    package static func == (left: JudgingDifference, right: JudgingDifference) -> Bool {
      left.rule == right.rule && left.values == right.values
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(rule)
      hasher.combine(values.before)
      hasher.combine(values.after)
    }

    /// The rule with both values: `gate.passRate 0.9 → 0.5`.
    package var words: String { "\(rule) \(values.before) → \(values.after)" }
  }

  /// Returns the rules for judging answers in which another record of the suite differs: those of
  /// the gate, metrics with their bounds, and the thresholds, rates and reducers of test cases.
  ///
  /// - Parameter other: The other, newer record.
  package func judgingDifferences(to other: SuiteRecord) -> [JudgingDifference] {
    var differences: [JudgingDifference] = []
    func compare<Value: Equatable>(
      _ rule: String, _ before: Value, _ after: Value, _ words: (Value) -> String
    ) {
      guard before != after else { return }
      differences.append(JudgingDifference(rule: rule, values: (words(before), words(after))))
    }
    func number(_ value: Double?) -> String { value.map { "\($0)" } ?? "none" }
    func text(_ reducer: CaseReducer?) -> String { reducer?.description ?? "none" }
    func list(_ names: [String]) -> String {
      names.isEmpty ? "none" : names.sorted().joined(separator: ", ")
    }
    compare("gate.passRate", gate.passRate, other.gate.passRate) { number($0) }
    let backends = (gate.passRateByBackend, other.gate.passRateByBackend)
    for id in Set(backends.0.keys).union(backends.1.keys).sorted() {
      compare("gate.backends.\(id)", backends.0[id], backends.1[id], number)
    }
    compare("gate.guardrail", Set(gate.guardrails), Set(other.gate.guardrails)) { list(Array($0)) }
    compare("gate.reducer", gate.reducer, other.gate.reducer, text)
    func metrics(_ suite: SuiteRecord) -> [String: MetricRecord] {
      Dictionary(
        (suite.details.metrics ?? []).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }
      )
    }
    let (left, right) = (metrics(self), metrics(other))
    for name in Set(left.keys).union(right.keys).sorted() {
      compare("metric \(name)", left[name], right[name]) { $0?.definition ?? "none" }
    }
    let settings = (details.cases ?? [:], other.details.cases ?? [:])
    let ids = (cases + other.cases).map(\.id).filter { settings.0[$0] != settings.1[$0] }
    func compareCases<Value: Hashable>(
      _ rule: String, _ value: KeyPath<CaseSettings, Value?>, _ words: (Value?) -> String
    ) {
      var groups: [[Value?]: [String]] = [:]
      var order: [[Value?]] = []
      for id in ids {
        let values = [settings.0[id]?[keyPath: value], settings.1[id]?[keyPath: value]]
        guard values[0] != values[1], groups[values]?.contains(id) != true else { continue }
        if groups[values] == nil { order.append(values) }
        groups[values, default: []].append(id)
      }
      for values in order {
        let ids = groups[values] ?? []
        let list = ids.prefix(3).joined(separator: ", ")
        let more = ids.count > 3 ? " and \(ids.count - 3) more" : ""
        compare(
          "\(rule) of \(ids.count == 1 ? "test case" : "test cases") \(list)\(more)", values[0],
          values[1], words)
      }
    }
    compareCases("threshold", \.threshold, number)
    compareCases("passRate", \.passRate, number)
    compareCases("reducer", \.reducer, text)
    return differences
  }
}
