import StructuredText

extension AssertionKind {
  static let isNull = values(
    "isNull", "The value is null",
    example: AssertionExample(
      "isNull: { path: $.note }", passing: #"{"note": null}"#,
      failing: #"{"note": "x"}"#, actual: #""x""#)
  ) { _ in IsNullRule() }
}

/// A rule that the value is null.
struct IsNullRule: ValueRule {
  func judge(_ value: JSONValue) -> Judgement {
    Judgement(value == .null, ValueWords.short(value))
  }

  func expectation(negated: Bool) -> String { negated ? "not null" : "null" }
}
