import EvalRecords

extension ComparisonUnit {
  /// Returns the fact that backend errors may hide a regression, or `nil` if they can't.
  ///
  /// Errors are not absences: the test of the pass rate is made again, with the attempts at each
  /// test case that has errors on one side only counted against the candidate. So the candidate's
  /// attempts with errors count as failures, and the baseline's as passes. If that test finds or
  /// suspects a regression, and its p-value is smaller than that of the test without these
  /// attempts, nobody knows what the model would have answered. The fact counts only if the test
  /// without these attempts, once its p-value is adjusted, doesn't find the regression itself.
  ///
  /// - Parameters:
  ///   - plain: The effect on the pass rate without these attempts, or `nil` if there is none.
  ///   - rules: The rules.
  func hiddenFailures(
    _ plain: EffectDraft?, _ rules: ComparisonRules
  ) -> ComparisonDifference.Fact? {
    func withErrors(_ slice: ComparisonSlice) -> Set<String> {
      Set(slice.attempts.lazy.filter(\.isBackendError).map(\.key.caseID))
    }
    let oneSided = withErrors(baseline).symmetricDifference(withErrors(candidate))
    guard !oneSided.isEmpty else { return nil }
    var (errors, failures, lost) = (0, 0, 0)
    let outcomes = pairs.compactMap { pair -> CountedEffect.Outcome? in
      let before = baseline.attempts[pair.baseline]
      let after = candidate.attempts[pair.candidate]
      guard oneSided.contains(before.key.caseID) || !before.isBackendError && !after.isBackendError
      else { return nil }
      let fails = after.isBackendError || after.outcome != .pass
      if before.isBackendError {
        errors += 1
        if fails { failures += 1 }
      }
      if after.isBackendError { lost += 1 }
      return CountedEffect.Outcome(
        caseID: before.key.caseID,
        baseline: !before.isBackendError && before.outcome != .pass, candidate: fails)
    }
    guard let against = passRate(outcomes).draft(self, rules), against.worsening > rules.margin,
      against.worseP <= 2 * rules.level(against: .baseline),
      against.worseP < plain?.worseP ?? 1
    else { return nil }
    return .hiddenFailures(baseline: errors, failures: failures, candidate: lost)
  }
}
