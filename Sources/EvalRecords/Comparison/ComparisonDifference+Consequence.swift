extension ComparisonDifference {
  /// What a difference means for the comparison.
  public enum Consequence: String, Sendable, Hashable, CaseIterable {
    /// What only one side has is left out, and the rest is compared.
    case leftOut
    /// Data are missing that should be there. The rest is compared; only a regression is a verdict.
    case incomplete
    /// Nothing can be compared: the requests differ, or the sides have nothing in common.
    case notComparable
    /// Backend errors hide too much.
    case broken
  }
}

extension ComparisonDifference.Fact {
  /// What the difference means for the comparison.
  public var consequence: ComparisonDifference.Consequence {
    switch self {
    case .setting(.repeats, _, _, _), .setting(.threshold, _, _, _): .leftOut
    case .setting(_, _, _, let cases): cases.isEmpty ? .notComparable : .leftOut
    case .cases, .assertions, .unmatched: .leftOut
    case .mostCasesGone, .notMade, .interrupted: .incomplete
    case .nothingInCommon, .changedModel: .notComparable
    case .errors, .hiddenFailures: .broken
    }
  }
}
