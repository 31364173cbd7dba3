import EvalRecords
import StructuredText

extension AssertionKind {
  static let each = quantifier(
    .each, "The assertions hold for every value at the path",
    AssertionExample(
      #"each: { path: "$.cards[*]", assertions: [ { words: { path: "@.q", max: 3 } } ] }"#,
      passing: #"{"cards": [{"q": "Why so?"}]}"#,
      failing: #"{"cards": [{"q": "Why?"}, {"q": "Why is it so?"}]}"#,
      actual: #"1 of 2; 4 words: "Why is it so?" at $.cards[1]"#))
  static let any = quantifier(
    .any, "The assertions hold for at least one value at the path",
    AssertionExample(
      #"any: { path: "$.tags[*]", assertions: [ { equals: { path: "@", value: sea } } ] }"#,
      passing: #"{"tags": ["moon", "sea"]}"#, failing: #"{"tags": ["moon"]}"#,
      actual: #"0 of 1; "moon" at $.tags[0]"#))
  static let none = quantifier(
    .none, "The assertions hold for no value at the path",
    AssertionExample(
      #"none: { path: "$.tags[*]", assertions: [ { equals: { path: "@", value: sea } } ] }"#,
      passing: #"{"tags": ["moon"]}"#, failing: #"{"tags": ["moon", "sea"]}"#,
      actual: #"1 of 2; "sea" at $.tags[1]"#))

  private static func quantifier(
    _ quantifier: Quantifier, _ summary: String, _ example: AssertionExample
  ) -> AssertionKind {
    AssertionKind(
      quantifier.rawValue, summary,
      .keys(
        [
          .path,
          KeyRow(
            "assertions", .elementAssertions,
            "Assertions whose paths begin with `@`, the element", isRequired: true),
        ], rules: []), example: example
    ) { reader, node, view in
      guard let (path, inner) = reader.path(node, view), let list = node["assertions"],
        let checks = reader.checks(list, inner)
      else { return nil }
      return QuantifiedCheck(quantifier: quantifier, path: path, nested: checks)
    }
  }
}

/// A quantifier over the selected values: nested checks must hold for each, any or none of them.
package enum Quantifier: String, Sendable, Hashable, CaseIterable {
  case each
  case any
  case none
}

/// A check that evaluates nested checks on each selected value; the paths of the nested checks
/// start at the value.
struct QuantifiedCheck: Check {
  /// The quantifier over the selected values.
  let quantifier: Quantifier
  let path: JSONPlace
  let nested: [any Check]

  var type: String { quantifier.rawValue }

  func resolved(with variables: JSONObject) throws(VariableProblem) -> any Check {
    QuantifiedCheck(
      quantifier: quantifier, path: path, nested: try nested.resolved(with: variables))
  }

  func evaluate(_ facts: AttemptFacts, in part: AnswerPart, negated: Bool) -> CheckResult {
    let selection = path.selection(in: part)
    let findings = selection.places.map { finding($0, facts) }
    return judgement(findings, selection, negated: negated)
      .result(expected: expectation(negated: negated), negated: negated)
  }

  /// Combines the verdicts of the nested checks on one value.
  private func finding(_ selected: SelectedPlace, _ facts: AttemptFacts) -> Finding {
    guard let part = selected.part else {
      return Finding(
        verdict: selected.mayCome ? .unknown : .fail, place: selected.place, actual: "nothing")
    }
    let results = nested.map { $0.evaluate(facts, in: part, negated: false) }
    let decisive =
      results.first { $0.verdict == .fail } ?? results.first { $0.verdict == .unknown }
    let isVacuous = results.allSatisfy { $0.verdict == .vacuous }
    return Finding(
      verdict: decisive?.verdict ?? (isVacuous ? .vacuous : .pass), place: part.place,
      actual: (decisive ?? results.first)?.actual ?? "")
  }

  /// Combines the verdicts on all selected values.
  ///
  /// In an empty array, `any` finds no element, so it fails and its negation is vacuous.
  private func judgement(
    _ findings: [Finding], _ selection: PathSelection, negated: Bool
  ) -> Judgement {
    let passing = findings.filter { $0.verdict == .pass }
    let failing = findings.filter { $0.verdict == .fail }
    let isOpen = selection.mayGrow || findings.contains { $0.verdict == .unknown }
    let telling = (quantifier == .none ? passing.first : failing.first) ?? findings.first
    let words =
      "\(passing.count) of \(findings.count)"
      + (telling.map { "; \($0.actual) at \($0.place)" } ?? "")
    switch quantifier {
    case .each: if !failing.isEmpty { return .fails(words) }
    case .any: if !passing.isEmpty { return .holds(words) }
    case .none: if !passing.isEmpty { return .fails(words) }
    }
    if isOpen { return .unknown("\(words), then cut off") }
    if findings.isEmpty {
      let none = "no values at \(path)"
      return quantifier == .any && !negated ? .fails(none) : .vacuous(none)
    }
    if findings.allSatisfy({ $0.verdict == .vacuous }) { return .vacuous(findings[0].actual) }
    return quantifier == .any ? .fails(words) : .holds(words)
  }

  func expectation(negated: Bool) -> String {
    (negated ? "not " : "") + "\(type) of \(path): " + nested.relativeWords
  }
}

extension KeyKind {
  /// Assertions whose paths start with `@`, the element.
  static let elementAssertions = KeyKind.list(.table(.elementAssertion), minimum: 1)
}
