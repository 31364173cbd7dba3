import EvalRecords
import StructuredText

extension AssertionKind {
  static let find = AssertionKind(
    "find",
    "At least one value at the path satisfies `where`, and all values that satisfy `where` also "
      + "satisfy `assertions`",
    .keys(
      [
        .path,
        KeyRow(
          "where", .elementAssertions,
          "Assertions that select the values; paths begin with `@`",
          isRequired: true),
        KeyRow(
          "assertions", .elementAssertions,
          "Assertions about each value that satisfies `where`", isRequired: true),
      ], rules: []),
    example: AssertionExample(
      #"find: { path: "$.lines[*]", where: [ { equals: { path: "@.sku", value: A1 } } ], "#
        + #"assertions: [ { range: { path: "@.amount", min: 2 } } ] }"#,
      passing: #"{"lines": [{"sku": "B2", "amount": 1}, {"sku": "A1", "amount": 2}]}"#,
      failing: #"{"lines": [{"sku": "A1", "amount": 1}]}"#, actual: "1 at $.lines[0]")
  ) { reader, node, view in
    guard let (path, inner) = reader.path(node, view), let conditions = node["where"],
      let list = node["assertions"]
    else { return nil }
    let (wanted, checks) = (reader.checks(conditions, inner), reader.checks(list, inner))
    guard let wanted, let checks else { return nil }
    return FindCheck(path: path, conditions: wanted, checks: checks)
  }
}

/// A check that at least one value at the path meets the conditions, and that the nested checks
/// hold for every value that does.
struct FindCheck: Check {
  let path: JSONPlace
  /// The conditions that select values.
  let conditions: [any Check]
  /// The checks for the selected values.
  let checks: [any Check]

  var type: String { "find" }
  var nested: [any Check] { conditions + checks }

  func resolved(with variables: JSONObject) throws(VariableProblem) -> any Check {
    FindCheck(
      path: path, conditions: try conditions.resolved(with: variables),
      checks: try checks.resolved(with: variables))
  }

  func evaluate(_ facts: AttemptFacts, in part: AnswerPart, negated: Bool) -> CheckResult {
    judgement(facts, path.selection(in: part), negated: negated)
      .result(expected: expectation(negated: negated), negated: negated)
  }

  /// Judges the selected values.
  ///
  /// An empty array contains no match, so the check fails and its negation is vacuous.
  private func judgement(
    _ facts: AttemptFacts, _ selection: PathSelection, negated: Bool
  ) -> Judgement {
    if selection.places.isEmpty, !selection.mayGrow {
      return negated ? .vacuous("no values at \(path)") : .fails("no values at \(path)")
    }
    var found: JSONPlace?
    var isOpen = selection.mayGrow
    for selected in selection.places {
      guard let part = selected.part else {
        if selected.mayCome { isOpen = true }
        continue
      }
      let wanted = conditions.map { $0.evaluate(facts, in: part, negated: false).verdict }
      guard wanted.allSatisfy({ $0 == .pass }) else {
        if wanted.contains(.unknown), wanted.allSatisfy({ $0 == .pass || $0 == .unknown }) {
          isOpen = true
        }
        continue
      }
      if found == nil { found = part.place }
      let results = checks.map { $0.evaluate(facts, in: part, negated: false) }
      if let failure = results.first(where: { $0.verdict == .fail }) {
        return .fails("\(failure.actual) at \(part.place)")
      }
      if results.contains(where: { $0.verdict == .unknown }) { isOpen = true }
    }
    if isOpen { return .unknown("cut off" + (found.map { " after \($0)" } ?? "")) }
    if let found { return .holds("found at \(found)") }
    let shown = selection.places.first?.part.map { ValueWords.short($0.value) } ?? "nothing"
    let more = selection.places.count > 1 ? " and \(selection.places.count - 1) more" : ""
    return .fails("none among \(shown)\(more)")
  }

  func expectation(negated: Bool) -> String {
    (negated ? "none" : "one") + " of \(path) with " + conditions.relativeWords
      + ", and it has " + checks.relativeWords
  }
}
