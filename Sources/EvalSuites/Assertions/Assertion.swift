import EvalRecords
import StructuredText

/// A check, together with the name under which its verdicts are stored.
public struct Assertion: Sendable {
  /// The name, for example `count $.cards`; unique among the assertions of a test case.
  public var name: String
  /// The check.
  package var check: any Check
  /// The weight relative to other assertions.
  ///
  /// An assertion with weight 0 is recorded but has no effect on the attempt's outcome, unless it
  /// is a guardrail.
  public var weight = 1.0
  /// The digest of everything that decides the verdicts (see ``CanonicalForm``), or `nil` if the
  /// assertion doesn't come from a suite.
  package var digest: String?
  /// The digest without the weight, or `nil` if the weight is 1.
  package var unweightedDigest: String?

  /// The identity, which the record of the suite contains.
  var identity: AssertionIdentity? {
    digest.map { AssertionIdentity(name: name, digest: $0, unweighted: unweightedDigest) }
  }

  /// Returns the name of an assertion to which the suite gives no name.
  package static func defaultName(of check: any Check) -> String {
    switch check {
    case is AttemptCheck, is CombinedCheck: check.type
    case let formula as FormulaCheck: ValueWords.cut(formula.expression.text)
    default: "\(check.type) \(check.path)"
    }
  }

  /// A description of the assertion: its name and its expectation.
  public var words: String { "\(name): \(check.expectation)" }

  /// Returns whether this is a `stopReason` assertion that expects the given reason; always false
  /// for `complete`.
  public func expects(_ reason: StopReason) -> Bool {
    guard let rule = (check as? AttemptCheck)?.rule as? StopReasonRule else { return false }
    return reason != .complete && rule.reasons.contains(reason)
  }

  /// Whether the assertion can be evaluated even if the attempt returned no value.
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

  /// Returns the number of elements or members at the first place that violates a `count`
  /// assertion.
  ///
  /// - Parameter facts: The facts about the attempt.
  /// - Returns: The number and the bounds, or `nil` if the assertion holds or isn't a `count`
  ///   assertion.
  public func count(in facts: AttemptFacts) -> CountFact? {
    guard let check = check as? ValueCheck, let rule = check.rule as? CountRule else { return nil }
    return rule.failure(in: facts.answer, at: check.path)
  }
}
