import EvalRecords

/// Whether a verdict is good news, bad news or neither.
package enum VerdictNews: String {
  case bad
  case good
  /// The quantity didn't change.
  case same
  /// The comparison can't tell.
  case unknown
}

extension ComparisonVerdict {
  /// Whether the verdict is good news, bad news or neither.
  package var news: VerdictNews {
    switch self {
    case .regressed, .broken: .bad
    case .improved: .good
    case .ok: .same
    case .inconclusive, .notComparable: .unknown
    }
  }
}
