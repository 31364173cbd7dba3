import EvalRecords

/// The thresholds, weights and guardrails of one test case on both sides of a comparison.
struct CaseScoring {
  /// The thresholds, or `nil` if no assertion may fail.
  private let thresholds: (baseline: Double?, candidate: Double?)
  /// The names of the guardrails of both sides, by the candidate's names.
  private let names: (baseline: Set<String>, candidate: Set<String>)
  /// The weights that differ from 1 on both sides, by the candidate's names.
  private let weights: (baseline: [String: Double], candidate: [String: Double])
  /// The assertions that both sides have.
  private let matched: MatchedAssertions
  /// The assertions that are a guardrail on only one side.
  let guardrails: (gone: [String], new: [String])

  /// Creates the scoring of a test case from the records of the two suites.
  init(
    _ caseID: String, _ baseline: SuiteRecord, _ candidate: SuiteRecord,
    _ matched: MatchedAssertions,
    weights: (baseline: [String: Double], candidate: [String: Double]) = ([:], [:])
  ) {
    thresholds = (
      baseline.details.cases?[caseID]?.threshold, candidate.details.cases?[caseID]?.threshold
    )
    let renamed = matched.names
    self.weights = (
      Dictionary(
        weights.baseline.compactMap { entry in renamed[entry.key].map { ($0, entry.value) } },
        uniquingKeysWith: { first, _ in first }), weights.candidate
    )
    let before = Set(baseline.gate.guardrails.map { renamed[$0] ?? $0 })
    let after = Set(candidate.gate.guardrails)
    let common = matched.common.compactMap(\.candidate)
    names = (before, after)
    guardrails = (
      common.filter { before.contains($0) && !after.contains($0) },
      common.filter { after.contains($0) && !before.contains($0) }
    )
    self.matched = matched
  }

  /// Whether the two sides turn verdicts into outcomes in two ways.
  var isEdited: Bool {
    // Without a threshold, a guardrail doesn't change the outcome of an attempt.
    thresholds.baseline != thresholds.candidate || !matched.reweighted.isEmpty
      || thresholds.candidate != nil && !(guardrails.gone + guardrails.new).isEmpty
  }

  /// Returns the rules that judge the attempts of both sides by the assertions that they share, and
  /// by the threshold and guardrails of one side.
  func rules(_ role: ComparedRole) -> (Rejudging, Rejudging) {
    let isWhole = matched.areSame && !matched.hasNewNames
    let own = matched.names.values.map { ($0, $0) }
    func rule(_ names: [String: String]) -> Rejudging {
      Rejudging(
        names: isWhole ? nil : names,
        weights: matched.reweighted.isEmpty
          ? nil : role == .baseline ? weights.baseline : weights.candidate,
        threshold: role == .baseline ? thresholds.baseline : thresholds.candidate,
        guardrails: role == .baseline ? self.names.baseline : self.names.candidate)
    }
    return (rule(matched.names), rule(Dictionary(own, uniquingKeysWith: { first, _ in first })))
  }

  /// Returns whether the rules of both sides find the same changes from the baseline's attempts to
  /// the candidate's.
  func findsSameChanges(_ one: [AttemptRecord], _ other: [AttemptRecord]) -> Bool {
    changes(one, other, rules(.baseline)) == changes(one, other, rules(.candidate))
  }

  /// Returns the repeats whose outcome changes, and whether the candidate's attempt passes.
  private func changes(
    _ one: [AttemptRecord], _ other: [AttemptRecord], _ rules: (Rejudging, Rejudging)
  ) -> [Int: Bool] {
    let before = Dictionary(
      one.map { ($0.key.repeatIndex, rules.0.judged($0).outcome == .pass) },
      uniquingKeysWith: { first, _ in first })
    var changes: [Int: Bool] = [:]
    for attempt in other {
      let passes = rules.1.judged(attempt).outcome == .pass
      if let passed = before[attempt.key.repeatIndex], passed != passes {
        changes[attempt.key.repeatIndex] = passes
      }
    }
    return changes
  }
}
