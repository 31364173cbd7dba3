import EvalRecords

extension ComparisonUnit {
  /// Returns how many of the baseline's attempts ended in a backend error and how many of their
  /// counterparts in the candidate failed, or `nil` if the errors can't hide a regression.
  ///
  /// The errors can hide a regression if the candidate would have regressed had all of these
  /// baseline attempts passed. The comparison is then broken, because nobody knows what the model
  /// would have answered.
  func hiddenFailures(_ rules: ComparisonRules) -> ComparisonDifference.Fact? {
    var (errors, failures, toWorse, toBetter) = (0, 0, 0, 0)
    for pair in pairs {
      let before = baseline.attempts[pair.baseline]
      let after = candidate.attempts[pair.candidate]
      if before.isBackendError { errors += 1 }
      guard !after.isBackendError else { continue }
      let passed = before.isBackendError || before.outcome == .pass
      if before.isBackendError, after.outcome != .pass { failures += 1 }
      if passed, after.outcome != .pass { toWorse += 1 }
      if !passed, after.outcome == .pass { toBetter += 1 }
    }
    guard failures > 0 else { return nil }
    let p = McNemar.exactOneSided(more: toWorse, than: toBetter)
    let change = Double(toWorse - toBetter) / Double(max(1, pairs.count))
    return p <= rules.alpha && change > rules.margin
      ? .hiddenFailures(errors: errors, failures: failures) : nil
  }
}
