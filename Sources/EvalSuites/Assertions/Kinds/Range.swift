import StructuredText

extension AssertionKind {
  static let range = values(
    "range", "The number is at least `min` and at most `max`",
    rows: [
      KeyRow("min", .anyNumber, "The minimum"),
      KeyRow("max", .anyNumber, "The maximum"),
    ], rules: [.atLeastOne(["min", "max"]), .ordered("min", "max")],
    types: ["integer", "number"],
    example: AssertionExample(
      "range: { path: $.age, min: 0, max: 20 }", passing: #"{"age": 20}"#,
      failing: #"{"age": 20.5}"#, actual: "20.5")
  ) { node in
    RangeRule(
      bounds: NumberBounds(minimum: node["min"]?.value.number, maximum: node["max"]?.value.number))
  }
}

/// A rule that a number is within bounds.
struct RangeRule: ValueRule {
  /// The bounds.
  var bounds: NumberBounds

  func judge(_ value: JSONValue) -> Judgement {
    guard let number = value.number else { return .notApplicable(value.typeWords) }
    return Judgement(bounds.contains(number), number.text)
  }

  func expectation(negated: Bool) -> String { (negated ? "not " : "") + bounds.words }
}
