import StructuredText

extension AssertionKind {
  static let equals = values(
    "equals",
    "The value equals the expected one; numbers are compared by value, and the order of keys "
      + "doesn't matter",
    rows: [KeyRow("value", .value, "The expected value"), .variable],
    rules: [.exactlyOne(["value", "variable"])],
    example: AssertionExample(
      "equals: { path: $.age, value: 30 }", passing: #"{"age": 30.0}"#,
      failing: #"{"age": 31}"#, actual: "31"),
    fits: { $0.canBeAny(of: $1["value"].map { [$0] } ?? [], $2, $3) },
    // A CSV cell is a string. If the schema has a number at the path, the cell is read as a number.
    variable: { value, _, view throws(UnfitVariable) in
      let isNumber = view?.shapes.contains(where: \.isNumeric) ?? false
      return EqualsRule(
        expected: isNumber && value.written.number != nil ? value.written : value.value)
    }
  ) { node in node["value"].map { EqualsRule(expected: $0.value) } }
}

/// A rule that the value equals the expected value; numbers are compared by value.
struct EqualsRule: ValueRule {
  /// The expected value.
  var expected: JSONValue

  func judge(_ value: JSONValue) -> Judgement {
    value == expected
      ? .holds(ValueWords.short(value))
      : .fails(ValueWords.short(value, besides: [expected]))
  }

  func judge(_ part: AnswerPart) -> Judgement { part.equality(to: [expected], judge) }

  func expectation(negated: Bool) -> String {
    (negated ? "not " : "") + ValueWords.short(expected)
  }
}

extension AnswerPart {
  /// Judges whether a value, which may be incomplete, equals one of several values.
  ///
  /// An incomplete string fails if no value begins with it. The last character of the string is
  /// ignored, because a combining mark may still change it.
  func equality(to values: [JSONValue], _ judge: (JSONValue) -> Judgement) -> Judgement {
    if isComplete { return judge(value) }
    if let text = value.string?.dropLast(),
      !values.contains(where: { $0.string?.hasPrefix(text) ?? false })
    {
      return .fails(cutWords)
    }
    return .unknown(cutWords)
  }
}
