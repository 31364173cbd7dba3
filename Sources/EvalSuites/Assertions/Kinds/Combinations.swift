import EvalRecords
import StructuredText

extension AssertionKind {
  static let allOf = combination(
    .all, "All of the assertions hold",
    AssertionExample(
      "all: [ { present: { path: $.a } }, { equals: { path: $.b, value: 1 } } ]",
      passing: #"{"a": 0, "b": 1}"#, failing: #"{"a": 0, "b": 2}"#, actual: "$.b 2"))
  static let anyOf = combination(
    .anyOf, "At least one of the assertions holds",
    AssertionExample(
      "anyOf: [ { absent: { path: $.a } }, { equals: { path: $.b, value: 1 } } ]",
      passing: #"{"a": 0, "b": 1}"#, failing: #"{"a": 0, "b": 2}"#, actual: "$.a 0; $.b 2"))

  private static func combination(
    _ combination: Combination, _ summary: String, _ example: AssertionExample
  ) -> AssertionKind {
    AssertionKind(combination.rawValue, summary, .assertions, example: example) {
      reader, node, view in
      reader.checks(node, view).map { CombinedCheck(combination: combination, nested: $0) }
    }
  }
}

/// The ways to combine several checks.
package enum Combination: String, Sendable, Hashable, CaseIterable {
  case all
  case anyOf
}

/// A check that requires all nested checks to hold, or at least one of them.
struct CombinedCheck: Check {
  /// The way to combine the checks.
  let combination: Combination
  let nested: [any Check]

  var type: String { combination.rawValue }

  func resolved(with variables: JSONObject) throws(VariableProblem) -> any Check {
    CombinedCheck(combination: combination, nested: try nested.resolved(with: variables))
  }

  func evaluate(_ facts: AttemptFacts, in part: AnswerPart, negated: Bool) -> CheckResult {
    judgement(nested.map { $0.evaluate(facts, in: part, negated: false) })
      .result(expected: expectation(negated: negated), negated: negated)
  }

  /// Combines the results in Kleene's three-valued logic, ignoring vacuous results.
  ///
  /// A failure decides `all`, and a pass decides `anyOf`, even if other results are unknown.
  private func judgement(_ results: [CheckResult]) -> Judgement {
    func words(_ verdict: Verdict? = nil) -> String {
      results.indices.filter { verdict == nil || results[$0].verdict == verdict }
        .prefix(3).map { "\(nested[$0].path) \(results[$0].actual)" }.joined(separator: "; ")
    }
    let verdicts = results.map(\.verdict)
    switch combination {
    case .all where verdicts.contains(.fail): return .fails(words(.fail))
    case .anyOf where verdicts.contains(.pass): return .holds(words())
    default: break
    }
    if verdicts.contains(.unknown) { return .unknown(words(.unknown)) }
    if verdicts.allSatisfy({ $0 == .vacuous }) {
      return .vacuous(results.first?.actual ?? "no checks")
    }
    return combination == .all ? .holds(words()) : .fails(words(.fail))
  }

  func expectation(negated: Bool) -> String {
    (negated ? "not " : "") + (combination == .all ? "all of: " : "one of: ")
      + nested.map { "\($0.path) \($0.expectation)" }.joined(separator: "; ")
  }
}
