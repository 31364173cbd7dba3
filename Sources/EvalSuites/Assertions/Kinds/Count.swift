import EvalRecords
import StructuredText

extension AssertionKind {
  static let count = values(
    "count", "The number of the array's elements, or of the object's members, is within the bounds",
    rows: KeyRow.counts + [.variable],
    rules: [.atLeastOne(["min", "max", "exact", "variable"]), .ordered("min", "max")]
      + [
        ("exact", "min"), ("exact", "max"), ("variable", "min"), ("variable", "max"),
        ("variable", "exact"),
      ].map { .atMostOne([$0, $1]) },
    types: ["array", "object"],
    example: AssertionExample(
      "count: { path: $.cards, min: 2, max: 3 }", passing: #"{"cards": ["a", "b"]}"#,
      failing: #"{"cards": []}"#, actual: "0 elements"),
    variable: { value, _, _ throws(UnfitVariable) in
      guard let count = value.written.int, count >= 0 else {
        throw UnfitVariable(allowed: "a whole number")
      }
      return CountRule(bounds: CountBounds(minimum: count, maximum: count))
    }
  ) { CountRule(bounds: $0.countBounds) }
}

/// A rule that the number of elements in an array, or of members in an object, is within bounds.
struct CountRule: ValueRule {
  /// The bounds.
  var bounds: CountBounds

  func judge(_ value: JSONValue) -> Judgement {
    guard let (count, words) = Self.count(value) else { return .notApplicable(value.typeWords) }
    return Judgement(bounds.contains(count), words)
  }

  /// Judges a value that may be incomplete.
  ///
  /// If the value was cut off, more elements might have followed. So a minimum can hold but can't
  /// fail, and a maximum can fail but can't hold.
  func judge(_ part: AnswerPart) -> Judgement {
    guard !part.isComplete, let (count, words) = Self.count(part.value) else {
      return part.isComplete ? judge(part.value) : .unknown(part.cutWords)
    }
    let soFar = "\(words) before the cut"
    if let maximum = bounds.maximum, count > maximum { return .fails(soFar) }
    if bounds.maximum == nil, count >= bounds.minimum ?? 0 { return .holds(soFar) }
    return .unknown(soFar)
  }

  /// Returns the number of elements or members at the first selected place where the number is out
  /// of bounds.
  func failure(in part: AnswerPart, at path: JSONPlace) -> CountFact? {
    for selected in path.selection(in: part).places {
      guard let (count, _) = selected.part.flatMap({ Self.count($0.value) }),
        !bounds.contains(count)
      else { continue }
      return CountFact(count: count, minimum: bounds.minimum, maximum: bounds.maximum)
    }
    return nil
  }

  private static func count(_ value: JSONValue) -> (Int, String)? {
    if let elements = value.array {
      return (elements.count, elements.count.counted("element"))
    }
    return value.object.map { ($0.count, $0.count.counted("member")) }
  }

  func expectation(negated: Bool) -> String {
    (negated ? "not " : "") + bounds.words("element")
  }
}
