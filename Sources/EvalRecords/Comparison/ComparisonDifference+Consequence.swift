extension ComparisonDifference {
  /// The consequence of a difference for the comparison.
  public enum Consequence: String, Sendable, Hashable, CaseIterable {
    /// The comparison is made in spite of the difference, by the candidate's rules, and names it.
    case noted
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
    case .setting(let name, _, _, _) where name.isOfJudging: .noted
    case .setting(.repeats, _, _, _): .leftOut
    case .setting(_, _, _, let cases): cases.isEmpty ? .notComparable : .leftOut
    case _ where isOfJudging: .incomplete
    case .unmatched(.baseline, .backend, _): .incomplete
    case .judgedAnew, .guardrails, .assertions(.reweighted, _), .servedChange: .noted
    case .cases, .assertions, .unmatched, .measuredOnlyIn, .arraysOnlyIn, .leftOutFailing: .leftOut
    case .contradiction: .doubtful
    case .scoring, .otherExpectations, .hiddenByEdit, .mostCasesGone, .mostCasesNew, .notMade,
      .stoppedEarly, .interrupted:
      .incomplete
    case .nothingInCommon, .changedModel, .otherVariant: .notComparable
    case .errors, .hiddenFailures: .broken
    }
  }

  /// Whether the two sides judge some answers in two ways, so that their pass rates can't show that
  /// nothing changed.
  public var isOfJudging: Bool {
    switch self {
    case .assertions(.changed, _), .assertions(.removed, _), .assertions(.added, _),
      .cases(.assertions, _), .scoring, .otherExpectations, .hiddenByEdit:
      true
    default: false
    }
  }

  /// Whether somebody edited a rule that judges answers: an assertion, an expectation, a weight, a
  /// threshold, a guardrail or a part of the gate.
  public var isEditOfJudgement: Bool {
    switch self {
    case .setting(let name, _, _, _): name.isOfJudging
    case .judgedAnew, .guardrails, .assertions(.reweighted, _): true
    default: isOfJudging
    }
  }

  /// Whether test cases that are left out newly fail.
  package var isLeftOutFailing: Bool {
    if case .leftOutFailing = self { true } else { false }
  }
}
