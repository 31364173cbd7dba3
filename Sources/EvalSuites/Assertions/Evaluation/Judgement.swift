import EvalRecords
import StructuredText

/// A rule's judgement of a value or an attempt.
package enum Judgement: Sendable, Hashable {
  /// The rule holds; the associated value describes the actual value.
  case holds(String)
  /// The rule doesn't hold.
  case fails(String)
  /// The rule doesn't apply to the value, so both the rule and its negation fail.
  case notApplicable(String)
  /// There is nothing to judge.
  case vacuous(String)
  /// The answer was cut off before it was clear whether the rule holds.
  case unknown(String)

  init(_ holds: Bool, _ actual: String) { self = holds ? .holds(actual) : .fails(actual) }

  /// A description of the actual value.
  var actual: String {
    switch self {
    case .holds(let words), .fails(let words), .notApplicable(let words), .vacuous(let words),
      .unknown(let words):
      words
    }
  }

  /// Returns the verdict that follows from the judgement.
  ///
  /// - Parameter negated: Whether the rule is nested in an odd number of negations.
  func verdict(negated: Bool) -> Verdict {
    switch self {
    case .holds: negated ? .fail : .pass
    case .fails: negated ? .pass : .fail
    case .notApplicable: .fail
    case .vacuous: .vacuous
    case .unknown: .unknown
    }
  }

  /// Returns the result of a check that consists of only this judgement.
  func result(expected: String, negated: Bool) -> CheckResult {
    CheckResult(verdict: verdict(negated: negated), expected: expected, actual: actual)
  }
}

/// The result of a check on an attempt.
package struct CheckResult: Sendable, Hashable {
  /// The verdict.
  package var verdict: Verdict
  /// A description of the expectation.
  package var expected: String
  /// A description of the actual value.
  package var actual: String
}

/// The verdict on one place that a path selects.
struct Finding {
  var verdict: Verdict
  var place: JSONPlace
  var actual: String
}

extension CheckResult {
  /// Creates a result by combining the verdicts on all places that a path selects.
  ///
  /// The result is a failure if any place fails. Otherwise, it is unknown if any place is unknown
  /// or if the answer was cut off before more places could arrive. Otherwise, it is a pass if at
  /// least one place passes, and vacuous if none passes.
  ///
  /// - Parameters:
  ///   - findings: The verdict on each place.
  ///   - selection: The places that the path selected.
  ///   - path: The path.
  ///   - expected: A description of the expectation.
  init(
    of findings: [Finding], in selection: PathSelection, path: JSONPlace, expected: String
  ) {
    func words(_ finding: Finding) -> String {
      path.isSingular ? finding.actual : "\(finding.actual) at \(finding.place)"
    }
    let failures = findings.filter { $0.verdict == .fail }
    let passes = findings.filter { $0.verdict == .pass }
    let unknown = findings.first { $0.verdict == .unknown }
    if let first = failures.first {
      let more = failures.count > 1 ? " and \(failures.count - 1) more" : ""
      self.init(verdict: .fail, expected: expected, actual: words(first) + more)
    } else if let unknown {
      self.init(verdict: .unknown, expected: expected, actual: words(unknown))
    } else if selection.mayGrow {
      self.init(
        verdict: .unknown, expected: expected,
        actual: findings.isEmpty
          ? "cut off before any value"
          : "cut off after "
            + findings.count.counted("value"))
    } else if let first = passes.first {
      self.init(
        verdict: .pass, expected: expected,
        actual: passes.count == 1 ? words(first) : "as expected at all \(passes.count) places")
    } else {
      self.init(
        verdict: .vacuous, expected: expected,
        actual: findings.first.map(words) ?? "no values at \(path)")
    }
  }
}
