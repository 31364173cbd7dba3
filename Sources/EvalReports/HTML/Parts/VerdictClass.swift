import EvalRecords

extension ComparisonVerdict {
  /// The CSS class that colors the verdict.
  var className: String {
    switch self {
    case .regressed, .broken: "bad"
    case .improved: "good"
    case .ok: "same"
    case .inconclusive, .notComparable: "unknown"
    }
  }

  /// The class of a mark in a plot.
  var plotClass: String {
    switch self {
    case .regressed, .broken: " bad"
    case .improved: " good"
    case .ok, .inconclusive, .notComparable: ""
    }
  }
}
