import EvalRecords
import StructuredText

/// What a rule says about one value.
package enum Judgement: Sendable, Hashable {
  /// The rule holds; the words say what was there.
  case holds(String)
  /// The rule does not hold.
  case fails(String)
  /// The rule makes no sense for such a value, so its negation doesn't hold either.
  case notApplicable(String)
  /// There is nothing to judge.
  case vacuous(String)
  /// The answer was cut off before this could be decided.
  case unknown(String)

  init(_ holds: Bool, _ actual: String) { self = holds ? .holds(actual) : .fails(actual) }

  /// What was there, in words.
  var actual: String {
    switch self {
    case .holds(let words), .fails(let words), .notApplicable(let words), .vacuous(let words),
      .unknown(let words):
      words
    }
  }

  /// The verdict.
  ///
  /// - Parameter negated: Whether the rule stands under an odd number of `not`.
  func verdict(negated: Bool) -> Verdict {
    switch self {
    case .holds: negated ? .fail : .pass
    case .fails: negated ? .pass : .fail
    case .notApplicable: .fail
    case .vacuous: .vacuous
    case .unknown: .unknown
    }
  }

  /// The result of a check that makes one judgement.
  func result(expected: String, negated: Bool) -> CheckResult {
    CheckResult(verdict: verdict(negated: negated), expected: expected, actual: actual)
  }
}

/// What a check says about an attempt.
package struct CheckResult: Sendable, Hashable {
  /// The verdict.
  package var verdict: Verdict
  /// What was expected, in words.
  package var expected: String
  /// What was there, in words.
  package var actual: String
}

/// The verdict on one of the places that a path selects.
struct Finding {
  var verdict: Verdict
  var place: ValuePath
  var actual: String
}

extension CheckResult {
  /// One result for all places that a path selects.
  ///
  /// One failure fails it. Without places, or if every place is vacuous, it is vacuous. If nothing
  /// failed and something is unknown, it is unknown.
  ///
  /// - Parameters:
  ///   - findings: The verdict on each place.
  ///   - selection: What the path selected.
  ///   - path: The path.
  ///   - expected: What was expected, in words.
  init(
    of findings: [Finding], in selection: PathSelection, path: ValuePath, expected: String
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
            + ValueWords.counted(findings.count, "value"))
    } else if let first = passes.first {
      self.init(
        verdict: .pass, expected: expected,
        actual: passes.count == 1 ? words(first) : "so at all \(passes.count) places")
    } else {
      self.init(
        verdict: .vacuous, expected: expected,
        actual: findings.first.map(words) ?? "no values at \(path)")
    }
  }
}
