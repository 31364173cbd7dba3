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

  /// Returns the number of answers that pass only because the judgement was edited, or `nil` if
  /// they can't hide a regression.
  ///
  /// An answer that is the same as the baseline's has the same former outcome as that one. All
  /// other answers are judged by the former rules, where an assertion that was edited or removed
  /// counts as failed. If that would be a regression, the edit might hide it.
  private func hiddenByEdit(
    _ rejudgement: Rejudgement, _ rules: ComparisonRules
  ) -> ComparisonDifference.Fact? {
    let judged = Set(rejudgement.cases)
    var former = FormerJudgement(rejudgement, baseline.suite, candidate.suite)
    var (answers, toWorse, toBetter) = (0, 0, 0)
    for pair in pairs {
      let before = baseline.attempts[pair.baseline]
      let after = candidate.attempts[pair.candidate]
      guard !before.isBackendError, !after.isBackendError else { continue }
      let passed = (before.details.formerOutcome ?? before.outcome) == .pass
      var passes = after.outcome == .pass
      if judged.contains(before.key.caseID) {
        if before.output == after.output { continue }
        let passesNow = passes
        passes = former.passes(after, weights: before.details.formerWeights ?? [:])
        if passesNow, !passes { answers += 1 }
      }
      if passed, !passes { toWorse += 1 }
      if !passed, passes { toBetter += 1 }
    }
    guard answers > 0 else { return nil }
    let p = McNemar.exactOneSided(more: toWorse, than: toBetter)
    let change = Double(toWorse - toBetter) / Double(max(1, pairs.count))
    return p <= rules.alpha && change > rules.margin ? .hiddenByEdit(answers: answers) : nil
  }
}
