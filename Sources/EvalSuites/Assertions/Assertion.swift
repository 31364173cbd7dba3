import EvalRecords
import StructuredText

/// A check with the name under which its verdicts are stored.
public struct Assertion: Sendable {
  /// The name, for example `count $.cards`; unique among the assertions of a case.
  public var name: String
  /// What is checked.
  package var check: any Check
  /// How much it counts beside the others; 0 if its verdict is kept and decides nothing.
  public var weight = 1.0

  package init(name: String, check: any Check) {
    self.name = name
    self.check = check
  }

  /// The name of an assertion to which the suite gives none.
  package static func defaultName(of check: any Check) -> String {
    switch check {
    case is AttemptCheck, is CombinedCheck: check.type
    case let formula as FormulaCheck: ValueWords.cut(formula.expression.text)
    default: "\(check.type) \(check.path)"
    }
  }

  /// The assertion in words: its name, and what it expects.
  public var words: String { "\(name): \(check.expectation)" }

  /// Whether the assertion asks for an end other than a complete value, and for this one.
  public func expects(_ reason: StopReason) -> Bool {
    guard let rule = (check as? AttemptCheck)?.rule as? StopReasonRule else { return false }
    return reason != .complete && rule.reasons.contains(reason)
  }

  /// Whether the assertion can be evaluated although no value came back.
  public var isOfAttempt: Bool { check.isAboutAttempt }

  /// What the assertion says of an attempt.
  ///
  /// - Parameter facts: What is known of the attempt.
  public func verdict(on facts: AttemptFacts) -> VerdictRecord {
    let result = check.evaluate(facts)
    return VerdictRecord(
      assertion: name, type: check.type, path: check.path.description, verdict: result.verdict,
      expected: result.expected, actual: result.actual)
  }
}

extension Outcome {
  /// The outcome of an attempt that brought a value.
  ///
  /// It passes if no assertion fails and at least
  /// one passes. With nothing but vacuous verdicts it fails; so it does without any.
  public init(of verdicts: [VerdictRecord]) {
    let hasFailure = verdicts.contains { $0.verdict == .fail }
    let hasPass = verdicts.contains { $0.verdict == .pass }
    self = hasPass && !hasFailure ? .pass : .fail
  }
}
