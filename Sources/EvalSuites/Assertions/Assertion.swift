import EvalRecords
import StructuredText

/// A check with the name under which its verdicts are stored.
public struct Assertion: Sendable {
  /// The name, for example `count $.cards`; unique among the assertions of a test case.
  public var name: String
  /// The check.
  package var check: any Check
  /// The weight relative to other assertions; with 0, the verdict is recorded but decides nothing
  /// unless the assertion is a guardrail.
  public var weight = 1.0

  package init(name: String, check: any Check) {
    self.name = name
    self.check = check
  }

  /// Returns the name that an assertion gets if the suite gives it none.
  package static func defaultName(of check: any Check) -> String {
    switch check {
    case is AttemptCheck, is CombinedCheck: check.type
    case let formula as FormulaCheck: ValueWords.cut(formula.expression.text)
    default: "\(check.type) \(check.path)"
    }
  }

  /// A description of the assertion: its name and its expectation.
  public var words: String { "\(name): \(check.expectation)" }

  /// Returns whether the assertion expects generation to stop for this reason; always false for
  /// `complete`.
  public func expects(_ reason: StopReason) -> Bool {
    guard let rule = (check as? AttemptCheck)?.rule as? StopReasonRule else { return false }
    return reason != .complete && rule.reasons.contains(reason)
  }

  /// Whether the assertion can be evaluated even if no value came back.
  public var isOfAttempt: Bool { check.isAboutAttempt }

  /// Returns the assertion's verdict on an attempt.
  ///
  /// - Parameter facts: The facts about the attempt.
  public func verdict(on facts: AttemptFacts) -> VerdictRecord {
    let result = check.evaluate(facts)
    return VerdictRecord(
      assertion: name, type: check.type, path: check.path.description, verdict: result.verdict,
      expected: result.expected, actual: result.actual)
  }

  /// Returns the number of elements or members at the first place where a `count` assertion doesn't
  /// hold.
  ///
  /// - Parameter facts: The facts about the attempt.
  /// - Returns: The number and the bounds; nil if the assertion holds, or is of another kind.
  public func count(in facts: AttemptFacts) -> CountFact? {
    guard let check = check as? ValueCheck, let rule = check.rule as? CountRule else { return nil }
    return rule.failure(in: facts.answer, at: check.path)
  }
}
