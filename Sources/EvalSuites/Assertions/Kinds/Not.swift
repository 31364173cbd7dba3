import EvalRecords
import StructuredText

extension AssertionKind {
  static let not = AssertionKind(
    "not", "The assertion holds for no value at its path", .assertion,
    example: AssertionExample(
      "not: { contains: { path: $.note, text: TBD } }", passing: #"{"note": "fine"}"#,
      failing: #"{"note": "TBD soon"}"#, actual: #""TBD soon""#)
  ) { reader, node, view in reader.check(node, view).map(NotCheck.init) }
}

/// The negation of a check.
///
/// A negated rule on values applies to each selected value separately: "not contains" means that no
/// value contains the text. If a check is vacuous or unknown, so is its negation.
struct NotCheck: Check {
  /// The check that is negated.
  let inner: any Check

  var type: String { "not \(inner.type)" }
  var path: JSONPlace { inner.path }
  var nested: [any Check] { [inner] }
  var isAboutAttempt: Bool { inner.isAboutAttempt }

  func resolved(with variables: JSONObject) throws(VariableProblem) -> any Check {
    NotCheck(inner: try inner.resolved(with: variables))
  }

  func evaluate(_ facts: AttemptFacts, in part: AnswerPart, negated: Bool) -> CheckResult {
    inner.evaluate(facts, in: part, negated: !negated)
  }

  func expectation(negated: Bool) -> String { inner.expectation(negated: !negated) }
}

extension Check {
  /// The check inside all enclosing `not`s, and whether the number of `not`s is odd.
  var withoutNegations: (check: any Check, isNegated: Bool) {
    guard let negation = self as? NotCheck else { return (self, false) }
    let inner = negation.inner.withoutNegations
    return (inner.check, !inner.isNegated)
  }
}
