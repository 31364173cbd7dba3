import StructuredText

extension AssertionKind {
  static let subsetOf = values(
    "subsetOf", "Every element of the array is one of the given values",
    rows: [KeyRow("values", .list(.value, minimum: 1), "The values"), .variable],
    rules: [.exactlyOne(["values", "variable"])], types: ["array"],
    example: AssertionExample(
      "subsetOf: { path: $.tags, values: [sea, moon] }", passing: #"{"tags": ["sea"]}"#,
      failing: #"{"tags": ["sea", "sun"]}"#, actual: #""sun" among the elements"#),
    variable: { value, _, _ throws(UnfitVariable) in SubsetRule(values: try value.elements) }
  ) { SubsetRule(values: $0.values("values")) }
}

/// A rule that every element of an array equals one of several values.
struct SubsetRule: ValueRule {
  /// The values.
  var values: [JSONValue]

  func judge(_ value: JSONValue) -> Judgement { judge(AnswerPart(value)) }

  /// Judges a value that may be incomplete.
  ///
  /// An empty array has no element that could be wrong, so the verdict is vacuous.
  func judge(_ part: AnswerPart) -> Judgement {
    guard let elements = part.value.array else {
      return part.isComplete ? .notApplicable(part.value.typeWords) : .unknown(part.cutWords)
    }
    for (index, element) in elements.enumerated()
    where part.child(.index(index), element).isComplete && !values.contains(element) {
      return .fails("\(ValueWords.short(element)) among the elements")
    }
    if !part.isComplete { return .unknown(part.cutWords) }
    return elements.isEmpty ? .vacuous("no elements") : .holds(ValueWords.short(part.value))
  }

  func expectation(negated: Bool) -> String {
    (negated ? "not " : "") + "only " + values.map(ValueWords.short).joined(separator: ", ")
  }
}
