extension ComparisonDifference {
  /// The consequence of a difference for the comparison.
  public enum Consequence: String, Sendable, Hashable, CaseIterable {
    /// The comparison leaves out the data that the sides don't have in common, and compares the
    /// rest.
    case leftOut
    /// Expected data is missing, so the comparison can only show a regression.
    ///
    /// If the existing data shows no regression, the comparison draws no conclusion.
    case incomplete
    /// Nothing can be compared: the requests or the models differ, or the sides have nothing in
    /// common.
    case notComparable
    /// Measured probabilities can't be right, so the comparison doesn't say that nothing changed.
    case doubtful
    /// There are too many backend errors.
    case broken
  }
}

extension ComparisonDifference.Fact {
  /// The consequence of the difference for the comparison.
  public var consequence: ComparisonDifference.Consequence {
    switch self {
    case .setting(.repeats, _, _, _), .setting(.threshold, _, _, _): .leftOut
    case .setting(_, _, _, let cases): cases.isEmpty ? .notComparable : .leftOut
    case _ where isOfJudging: .incomplete
    case .cases, .assertions, .guardrails, .unmatched, .measuredOnlyIn, .arraysOnlyIn: .leftOut
    case .contradiction: .doubtful
    case .scoring, .mostCasesGone, .notMade, .stoppedEarly, .interrupted: .incomplete
    case .nothingInCommon, .changedModel: .notComparable
    case .errors, .hiddenFailures: .broken
    }
  }

  /// Whether the two sides judge some answers in two ways, so that their pass rates can't show that
  /// nothing changed.
  public var isOfJudging: Bool {
    switch self {
    case .assertions(.changed, _), .cases(.assertions, _), .scoring: true
    default: false
    }
  }
}
