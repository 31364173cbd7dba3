import EvalFindings
import EvalRecords

extension ComparisonVerdict {
  /// The CSS class that colors the verdict.
  var className: String { news.rawValue }

  /// The class of a mark in a plot.
  var plotClass: String {
    switch news {
    case .bad, .good: " " + className
    case .same, .unknown: ""
    }
  }
}
