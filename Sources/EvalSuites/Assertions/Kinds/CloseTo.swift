import StructuredText

extension AssertionKind {
  static let closeTo = values(
    "closeTo", "The number differs from the expected one by at most the tolerance",
    version: 2,
    rows: [
      KeyRow("value", .anyNumber, "The expected number"), .variable,
      KeyRow("tolerance", .distance, "The maximum difference", isRequired: true),
    ], rules: [.exactlyOne(["value", "variable"])], types: ["integer", "number"],
    example: AssertionExample(
      "closeTo: { path: $.total, value: 9.99, tolerance: 0.01 }",
      passing: #"{"total": 10}"#, failing: #"{"total": 10.5}"#, actual: "10.5"),
    variable: { value, node, _ throws(UnfitVariable) in
      guard let number = value.written.number else { throw UnfitVariable(allowed: "a number") }
      return CloseToRule(
        target: number, tolerance: node["tolerance"]?.value.number ?? JSONNumber(0))
    }
  ) { node in
    guard let target = node["value"]?.value.number, let tolerance = node["tolerance"]?.value.number
    else { return nil }
    return CloseToRule(target: target, tolerance: tolerance)
  }
}

/// A rule that a number differs from the expected number by at most a tolerance.
struct CloseToRule: ValueRule {
  /// The expected number.
  var target: JSONNumber
  /// The maximum difference.
  var tolerance: JSONNumber

  func judge(_ value: JSONValue) -> Judgement {
    guard let number = value.number else { return .notApplicable(value.typeWords) }
    return Judgement(number.isWithin(tolerance, of: target), number.text)
  }

  func expectation(negated: Bool) -> String {
    (negated ? "not " : "") + "\(target.canonicalText) ± \(tolerance.canonicalText)"
  }
}
