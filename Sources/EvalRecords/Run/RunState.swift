/// The result of a run and its comparisons, as the headline of its report names it.
public enum RunState: String, Sendable, Hashable, CaseIterable {
  /// Every gate passed, and at least half of the gates require a pass rate.
  ///
  /// In a lab, this state means that no mutation survived.
  case passed
  /// A gate was missed.
  case gateMissed
  /// A comparison found a regression.
  case regressed
  /// A comparison found an improvement, and none found a regression.
  case improved
  /// No comparison found a clear change.
  case unchanged
  /// The sample of a comparison is too small to tell.
  case inconclusive
  /// A gate was missed or something regressed, and all of that is acknowledged.
  case acknowledged
  /// A comparison is impossible, because the two sides differ too much.
  case notComparable
  /// The backend failed in too many attempts, or Assay itself failed.
  case broken
  /// The run stopped before its end.
  case interrupted
  /// Attempts were made, but no comparison judges them, and there are no gates, most gates
  /// require no pass rate, or gates and baselines were written for other models.
  case notJudged
  /// No attempt was made.
  case empty
  /// A mutation survived in a lab, or a lab measured the effects of the edits between two
  /// variants.
  case lab
}
