import EvalRecords

extension ComparisonUnit {
  /// The facts about a baseline that was judged anew by the candidate's suite; empty for any other
  /// baseline.
  func rejudgementFacts(_ rules: ComparisonRules) -> [ComparisonDifference.Fact] {
    guard let rejudgement = baseline.suite.details.rejudgement else { return [] }
    let count = baseline.suite.cases.count
    let own = Set(baseline.suite.cases.map(\.id)).intersection(rejudgement.otherExpectations).count
    return [.judgedAnew(rejudgement)]
      + (2 * own >= count ? [.otherExpectations(cases: own, of: count)] : [])
      + [hiddenByEdit(rejudgement, rules)].compactMap(\.self)
  }

  /// Returns the number of answers that an edited or removed assertion may have failed, or `nil` if
  /// they can't hide a regression.
  ///
  /// Nobody can judge the candidate's answers by the baseline's assertions. But an answer that is
  /// the same as the baseline's has the same verdict as that one. All other answers count as
  /// failures here. If that would be a regression, an edit that loosens an assertion might hide it.
  private func hiddenByEdit(
    _ rejudgement: Rejudgement, _ rules: ComparisonRules
  ) -> ComparisonDifference.Fact? {
    let loosened = Set(rejudgement.loosened)
    var (answers, toWorse, toBetter) = (0, 0, 0)
    for pair in pairs {
      let before = baseline.attempts[pair.baseline]
      let after = candidate.attempts[pair.candidate]
      guard !before.isBackendError, !after.isBackendError else { continue }
      let passed = (before.details.formerOutcome ?? before.outcome) == .pass
      if loosened.contains(before.key.caseID) {
        if before.output == after.output { continue }
        if after.outcome == .pass { answers += 1 }
        if passed { toWorse += 1 }
        continue
      }
      if passed, after.outcome != .pass { toWorse += 1 }
      if !passed, after.outcome == .pass { toBetter += 1 }
    }
    guard answers > 0 else { return nil }
    let p = McNemar.exactOneSided(more: toWorse, than: toBetter)
    let change = Double(toWorse - toBetter) / Double(max(1, pairs.count))
    return p <= rules.alpha && change > rules.margin ? .hiddenByEdit(answers: answers) : nil
  }
}
