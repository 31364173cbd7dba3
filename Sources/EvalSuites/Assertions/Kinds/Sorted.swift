import EvalRecords
import StructuredText

extension AssertionKind {
  static let sorted = AssertionKind(
    "sorted", "The values at the path, or the elements of the array at the path, are in order",
    .keys(
      [
        .path,
        KeyRow("descending", .flag, "Whether the largest comes first", fallback: "false"),
      ], rules: []),
    example: AssertionExample(
      "sorted: { path: $.dates }", passing: #"{"dates": ["2026-01-02", "2026-01-10"]}"#,
      failing: #"{"dates": ["2026-01-10", "2026-01-02"]}"#,
      actual: #""2026-01-10" before "2026-01-02" at $.dates[1]"#)
  ) { reader, node, view in
    reader.listPath("sorted", node, view).map {
      SortedCheck(path: $0, isDescending: node.flag("descending"))
    }
  }
}

/// A check that values are sorted: the values that a path with `[*]` selects, or the elements of
/// the array at a singular path.
struct SortedCheck: Check {
  let path: JSONPlace
  /// Whether the values must be in descending order.
  let isDescending: Bool

  var type: String { "sorted" }

  /// Evaluates the check by comparing neighbors.
  ///
  /// Numbers are compared by value. Strings are compared by their Unicode scalars, so ISO 8601
  /// dates are in chronological order.
  func evaluate(_ facts: AttemptFacts, in part: AnswerPart, negated: Bool) -> CheckResult {
    judgement(part).result(expected: expectation(negated: negated), negated: negated)
  }

  private func judgement(_ part: AnswerPart) -> Judgement {
    let list: SelectedList
    switch SelectedList.select(path, in: part) {
    case .failure(let none): return none.judgement
    case .success(let found): list = found
    }
    for (left, right) in zip(list.values, list.values.dropFirst()) {
      let (low, high) = isDescending ? (right.value, left.value) : (left.value, right.value)
      guard let isMisplaced = Self.isLess(high, low) else {
        return .notApplicable(
          "\(left.value.typeName) beside \(right.value.typeName) at \(right.place)")
      }
      if isMisplaced {
        return .fails(
          "\(ValueWords.short(left.value)) before \(ValueWords.short(right.value)) "
            + "at \(right.place)")
      }
    }
    return list.end(of: path)
      ?? .holds("\(list.values.count.counted("value")) in order")
  }

  private static func isLess(_ left: JSONValue, _ right: JSONValue) -> Bool? {
    switch (left, right) {
    case (.number(let left), .number(let right)): NumberBounds.isLess(left, right)
    case (.string(let left), .string(let right)):
      left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
    default: nil
    }
  }

  func expectation(negated: Bool) -> String {
    (negated ? "not in " : "in ") + (isDescending ? "descending order" : "ascending order")
  }
}
