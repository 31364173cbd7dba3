import EvalRecords
import StructuredText

/// A requirement on an attempt as a whole.
package protocol AttemptRule: Sendable {
  /// The path that the rule concerns; usually the root.
  var path: JSONPlace { get }
  /// Whether the rule can judge an attempt that returned no value.
  var needsNoValue: Bool { get }
  /// Judges an attempt.
  func judge(_ facts: AttemptFacts) -> Judgement
  /// Returns a description of the expectation.
  func expectation(negated: Bool) -> String
}

extension AttemptRule {
  package var path: JSONPlace { .root }
  package var needsNoValue: Bool { true }
}

/// A check that applies a rule to the attempt as a whole.
package struct AttemptCheck: Check {
  package let type: String
  /// The rule.
  package let rule: any AttemptRule

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - type: The name of the assertion's kind.
  ///   - rule: The requirement.
  package init(_ type: String, _ rule: any AttemptRule) {
    self.type = type
    self.rule = rule
  }

  package var path: JSONPlace { rule.path }
  package var isAboutAttempt: Bool { rule.needsNoValue }

  package func evaluate(
    _ facts: AttemptFacts, in part: AnswerPart, negated: Bool
  ) -> CheckResult {
    rule.judge(facts).result(expected: rule.expectation(negated: negated), negated: negated)
  }

  package func expectation(negated: Bool) -> String { rule.expectation(negated: negated) }
}
