import EvalRecords
import StructuredText

extension AssertionKind {
  static let nonEmpty = values(
    "nonEmpty",
    "The string contains more than white space; the array or object is not empty",
    types: ["string", "array", "object"],
    example: AssertionExample(
      "nonEmpty: { path: $.title }", passing: #"{"title": "Tides"}"#,
      failing: #"{"title": " "}"#, actual: "only white space")
  ) { _ in NonEmptyRule() }
}

/// A rule that a string, array or object is not empty.
///
/// A string of nothing but white space counts as empty.
struct NonEmptyRule: ValueRule {
  func judge(_ value: JSONValue) -> Judgement {
    switch value {
    case .string(let text):
      let isEmpty = text.allSatisfy(\.isWhitespace)
      return Judgement(
        !isEmpty,
        text.isEmpty
          ? "an empty string" : isEmpty ? "only white space" : ValueWords.quoted(text))
    case .array(let elements):
      return Judgement(!elements.isEmpty, elements.count.counted("element"))
    case .object(let members):
      return Judgement(!members.isEmpty, members.count.counted("member"))
    case .null: return .fails("null")
    case .bool, .number: return .notApplicable(value.typeWords)
    }
  }

  /// Judges a value that may be incomplete.
  ///
  /// If the value was cut off, more content might have followed. So the rule can hold but can't
  /// fail.
  func judge(_ part: AnswerPart) -> Judgement {
    if part.isComplete { return judge(part.value) }
    if part.value != .null, case .holds(let words) = judge(part.value) { return .holds(words) }
    return .unknown(part.cutWords)
  }

  func expectation(negated: Bool) -> String { negated ? "empty" : "not empty" }
}
