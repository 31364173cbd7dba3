import EvalRecords
import StructuredText

/// One assertion as it was read: its kind with the parameters.
package protocol Check: Sendable {
  /// The kind's name, for example `count`; `not count` for a negation.
  var type: String { get }
  /// The path that the check looks at; the root if it has none.
  var path: ValuePath { get }
  /// The checks inside this one.
  var nested: [any Check] { get }
  /// The variables of the case that the check compares with, those of nested checks included.
  var variables: [String] { get }
  /// Whether the check can be evaluated although no value came back.
  var isAboutAttempt: Bool { get }
  /// Whether the check itself runs an external program.
  var runsCommand: Bool { get }

  /// The check with the values of a case's variables in place of their names.
  ///
  /// - Parameter variables: The values by name; a name without a value stays.
  /// - Throws: The first variable whose value the check cannot use.
  func resolved(with variables: JSONObject) throws(VariableProblem) -> any Check

  /// Evaluates the check.
  ///
  /// - Parameters:
  ///   - facts: What is known of the attempt.
  ///   - part: The part of the answer at which paths begin.
  ///   - negated: Whether the check stands under an odd number of `not`.
  func evaluate(_ facts: AttemptFacts, in part: AnswerPart, negated: Bool) -> CheckResult

  /// What the check expects, in words.
  func expectation(negated: Bool) -> String
}

extension Check {
  package var path: ValuePath { .root }
  package var nested: [any Check] { [] }
  package var variables: [String] { nested.flatMap(\.variables) }
  package var isAboutAttempt: Bool { false }
  package var runsCommand: Bool { false }

  package func resolved(with variables: JSONObject) throws(VariableProblem) -> any Check { self }

  /// Whether the check, or one inside it, runs an external program.
  package var usesCommands: Bool { runsCommand || nested.contains(where: \.usesCommands) }

  /// What the check expects, in words.
  package var expectation: String { expectation(negated: false) }

  /// Evaluates the check on the whole answer.
  package func evaluate(_ facts: AttemptFacts) -> CheckResult {
    evaluate(facts, in: facts.answer, negated: false)
  }
}

extension [any Check] {
  /// The checks with the values of a case's variables in place of their names.
  func resolved(with variables: JSONObject) throws(VariableProblem) -> [any Check] {
    var resolved: [any Check] = []
    for check in self { resolved.append(try check.resolved(with: variables)) }
    return resolved
  }

  /// What checks of an element expect, in words.
  var relativeWords: String {
    map { "\($0.path.relativeDescription) \($0.expectation)" }.joined(separator: " and ")
  }
}

/// A variable of a case that an assertion cannot use.
package struct VariableProblem: Error {
  /// The variable.
  package var name: String
  /// What is wrong with its value.
  package var problem: String
  /// What is allowed.
  package var allowed: String
}
