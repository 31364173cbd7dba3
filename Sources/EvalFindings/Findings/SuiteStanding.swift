import EvalRecords

/// How a suite did in a run, by its comparison and its gate together.
package enum SuiteStanding: Int, CaseIterable {
  /// The suite got worse, broke or missed its gate.
  case failed
  /// The comparison can't tell whether the suite got worse.
  case unclear
  /// There is neither a comparison nor a gate.
  case unjudged
  case passed

  /// Judges a suite by the verdict of its comparison and by whether it reached its gate; each is
  /// `nil` if there is none.
  package init(_ verdict: ComparisonVerdict?, isReached: Bool?) {
    self =
      switch (verdict?.news, isReached) {
      case (.bad, _), (_, false): .failed
      case (.unknown, _): .unclear
      case (nil, nil): .unjudged
      case (.good, _), (.same, _), (nil, true): .passed
      }
  }

  /// Says how many of some suites are in this state: `3 passed`, `all passed`, `none judged`.
  package func words(_ number: Int, of count: Int) -> String {
    let word =
      switch self {
      case .failed: "failed"
      case .unclear: "unclear"
      case .unjudged: "not judged"
      case .passed: "passed"
      }
    if number < count { return "\(NumberText.grouped(number)) \(word)" }
    return count == 1 ? word : self == .unjudged ? "none judged" : "all \(word)"
  }
}
