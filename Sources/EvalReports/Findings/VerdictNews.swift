import EvalRecords

/// What a verdict means for whoever reads a report.
enum VerdictNews: String {
  case bad
  case good
  /// The quantity didn't change.
  case same
  /// Nobody can tell.
  case unknown
}

extension ComparisonVerdict {
  /// What the verdict means for whoever reads a report.
  var news: VerdictNews {
    switch self {
    case .regressed, .broken: .bad
    case .improved: .good
    case .ok: .same
    case .inconclusive, .notComparable: .unknown
    }
  }
}
