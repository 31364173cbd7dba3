import EvalRecords

/// Judges a candidate's answers as the baseline's answers were judged before the new judgement, as
/// far as that is possible.
struct FormerJudgement {
  private let rejudgement: Rejudgement
  private let loosened: Set<String>
  private let baseline: SuiteRecord
  private let candidate: SuiteRecord
  private let guardrails: Set<String>
  private var matched: [String: MatchedAssertions] = [:]

  /// Creates the judgement.
  ///
  /// - Parameters:
  ///   - rejudgement: The new judgement of the baseline.
  ///   - baseline: The baseline's suite, with its own thresholds and guardrails.
  ///   - candidate: The candidate's suite.
  init(_ rejudgement: Rejudgement, _ baseline: SuiteRecord, _ candidate: SuiteRecord) {
    self.rejudgement = rejudgement
    loosened = Set(rejudgement.loosened)
    self.baseline = baseline
    self.candidate = candidate
    guardrails = Set(baseline.gate.guardrails)
  }

  /// Returns whether an answer passes for certain, whatever the assertions that were edited or
  /// removed would say about it.
  ///
  /// - Parameters:
  ///   - attempt: The candidate's attempt.
  ///   - weights: The former weights that differ from 1, by the former names.
  mutating func passes(_ attempt: AttemptRecord, weights: [String: Double]) -> Bool {
    let id = attempt.key.caseID
    guard let former = rejudgement.former else {
      return attempt.outcome == .pass && !loosened.contains(id)
    }
    let assertions = former.assertions(of: id)
    guard !assertions.isEmpty else { return false }
    let matched =
      matched[id]
      ?? MatchedAssertions(
        CaseAssertions(assertions),
        CaseAssertions(candidate.details.assertions?.assertions(of: id) ?? []))
    self.matched[id] = matched
    let names = matched.names.merging(
      matched.edited.map { ($0.baseline, $0.candidate) }, uniquingKeysWith: { one, _ in one })
    let known = Set(matched.common.compactMap(\.candidate))
    var attempt = attempt
    attempt.verdicts.removeAll { !known.contains($0.assertion) }
    attempt.verdicts += (matched.edited.map(\.candidate) + matched.gone).map {
      VerdictRecord(
        assertion: $0, type: "", path: "", verdict: .fail, expected: "", actual: "")
    }
    let rule = Rejudging(
      names: nil,
      weights: Dictionary(
        weights.map { (names[$0.key] ?? $0.key, $0.value) }, uniquingKeysWith: { one, _ in one }),
      threshold: baseline.details.cases?[id]?.threshold, guardrails: guardrails)
    return rule.judged(attempt).outcome == .pass
  }
}
