import StructuredText

extension AssertionKind {
  static let oneOf = values(
    "oneOf", "The value is one of the given values",
    rows: [KeyRow("values", .list(.value, minimum: 1), "The values"), .variable],
    rules: [.exactlyOne(["values", "variable"])],
    example: AssertionExample(
      "oneOf: { path: $.size, values: [S, M, L] }", passing: #"{"size": "M"}"#,
      failing: #"{"size": "XL"}"#, actual: #""XL""#),
    fits: { $0.canBeAny(of: $1["values"]?.elements ?? [], $2, $3) },
    variable: { value, _, _ throws(UnfitVariable) in OneOfRule(values: try value.elements) }
  ) { OneOfRule(values: $0.values("values")) }
}

/// A rule that the value equals one of several values.
struct OneOfRule: ValueRule {
  /// The values.
  var values: [JSONValue]

  func judge(_ value: JSONValue) -> Judgement {
    values.contains(value)
      ? .holds(ValueWords.short(value))
      : .fails(ValueWords.short(value, besides: values))
  }

  func judge(_ part: AnswerPart) -> Judgement { part.equality(to: values, judge) }

  func expectation(negated: Bool) -> String {
    (negated ? "not " : "") + "one of " + values.map(ValueWords.short).joined(separator: ", ")
  }
}
