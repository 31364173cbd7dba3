import EvalRecords
import StructuredText

/// An assertion without its name and weight: its kind and its parameters.
package protocol Check: Sendable {
  /// The kind's name, for example `count`; `not count` for a negation.
  var type: String { get }
  /// The path that the check concerns; the root if the check has no path.
  var path: ValuePath { get }
  /// The checks nested in this one.
  var nested: [any Check] { get }
  /// The variables of the test case that the check uses, including those of nested checks.
  var variables: [String] { get }
  /// Whether the check can be evaluated even if no value came back.
  var isAboutAttempt: Bool { get }
  /// Whether the check itself runs an external program.
  var runsCommand: Bool { get }

  /// Returns the check with the values of a test case's variables in place of their names.
  ///
  /// - Parameter variables: The values by name; a name without a value stays.
  /// - Throws: An error for the first variable whose value the check can't use.
  func resolved(with variables: JSONObject) throws(VariableProblem) -> any Check

  /// Evaluates the check.
  ///
  /// - Parameters:
  ///   - facts: The facts about the attempt.
  ///   - part: The part of the answer at which paths start.
  ///   - negated: Whether the check is inside an odd number of negations.
  func evaluate(_ facts: AttemptFacts, in part: AnswerPart, negated: Bool) -> CheckResult

  /// Returns a description of the expectation.
  ///
  /// Records identify an assertion by its name and this description. So if the description changes,
  /// a comparison with an accepted baseline treats the assertion as a different one.
  func expectation(negated: Bool) -> String
}

extension Check {
  package var path: ValuePath { .root }
  package var nested: [any Check] { [] }
  package var variables: [String] { nested.flatMap(\.variables) }
  package var isAboutAttempt: Bool { false }
  package var runsCommand: Bool { false }

  package func resolved(with variables: JSONObject) throws(VariableProblem) -> any Check { self }

  /// Whether the check, or a nested one, runs an external program.
  package var usesCommands: Bool { runsCommand || nested.contains(where: \.usesCommands) }

  /// A description of the expectation.
  package var expectation: String { expectation(negated: false) }

  /// Evaluates the check on the whole answer.
  package func evaluate(_ facts: AttemptFacts) -> CheckResult {
    evaluate(facts, in: facts.answer, negated: false)
  }
}

extension [any Check] {
  /// Returns the checks with the values of a test case's variables in place of their names.
  func resolved(with variables: JSONObject) throws(VariableProblem) -> [any Check] {
    var resolved: [any Check] = []
    for check in self { resolved.append(try check.resolved(with: variables)) }
    return resolved
  }

  /// A description of the expectations, in which paths start at the element (`@`).
  var relativeWords: String {
    map { "\($0.path.relativeDescription) \($0.expectation)" }.joined(separator: " and ")
  }
}

/// An error for a variable whose value an assertion can't use.
package struct VariableProblem: Error {
  /// The variable's name.
  package var name: String
  /// The problem with the variable's value.
  package var problem: String
  /// A description of the values that are allowed.
  package var allowed: String
}
