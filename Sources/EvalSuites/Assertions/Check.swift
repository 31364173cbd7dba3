import EvalRecords
import StructuredText

/// An assertion without its name and weight: its kind and its parameters.
package protocol Check: Sendable {
  /// The name of the kind, for example `count`; `not count` for a negated check.
  var type: String { get }
  /// The path that the check concerns; the root if the check has no path.
  var path: JSONPlace { get }
  /// The checks nested in this check.
  var nested: [any Check] { get }
  /// The names of the test case's variables that the check and its nested checks use.
  var variables: [String] { get }
  /// Whether the check can be evaluated even if the attempt returned no value.
  var isAboutAttempt: Bool { get }
  /// Whether the check itself runs an external program.
  var runsCommand: Bool { get }
  /// The facts that decide the verdicts and come from the schema, not from the suite, or `nil` if
  /// there are none.
  var factsOfSchema: String? { get }

  /// Returns the check with the names of variables replaced by their values in a test case.
  ///
  /// - Parameter variables: The values, keyed by name. A name without a value is left as it is.
  /// - Throws: `VariableProblem` for the first variable whose value doesn't fit the check.
  func resolved(with variables: JSONObject) throws(VariableProblem) -> any Check

  /// Evaluates the check.
  ///
  /// - Parameters:
  ///   - facts: The facts about the attempt.
  ///   - part: The part of the answer at which the check's paths start.
  ///   - negated: Whether the check is nested in an odd number of negations.
  func evaluate(_ facts: AttemptFacts, in part: AnswerPart, negated: Bool) -> CheckResult

  /// Returns a description of the expectation.
  ///
  /// Runs of version 0.1 identify an assertion by its name and this description; newer ones, by a
  /// digest (``CanonicalForm``).
  func expectation(negated: Bool) -> String
}

extension Check {
  package var path: JSONPlace { .root }
  package var nested: [any Check] { [] }
  package var variables: [String] { nested.flatMap(\.variables) }
  package var isAboutAttempt: Bool { false }
  package var runsCommand: Bool { false }
  package var factsOfSchema: String? { nested.lazy.compactMap(\.factsOfSchema).first }

  package func resolved(with variables: JSONObject) throws(VariableProblem) -> any Check { self }

  /// Whether the check or any check nested in it runs an external program.
  package var usesCommands: Bool { runsCommand || nested.contains(where: \.usesCommands) }

  /// A description of the expectation.
  package var expectation: String { expectation(negated: false) }

  /// Evaluates the check on the whole answer.
  package func evaluate(_ facts: AttemptFacts) -> CheckResult {
    evaluate(facts, in: facts.answer, negated: false)
  }
}

extension [any Check] {
  /// Returns the checks with the names of variables replaced by their values in a test case.
  func resolved(with variables: JSONObject) throws(VariableProblem) -> [any Check] {
    var resolved: [any Check] = []
    for check in self { resolved.append(try check.resolved(with: variables)) }
    return resolved
  }

  /// A description of all expectations, with paths that start at the element (`@`).
  var relativeWords: String {
    map { "\($0.path.relativeDescription) \($0.expectation)" }.joined(separator: " and ")
  }
}

/// An error for a variable whose value doesn't fit an assertion.
package struct VariableProblem: Error {
  /// The variable's name.
  package var name: String
  /// A description of what is wrong with the variable's value.
  package var problem: String
  /// A description of the allowed values.
  package var allowed: String
}
