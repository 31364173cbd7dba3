import EvalRecords
import StructuredText

extension AssertionKind {
  static let unique = AssertionKind(
    "unique",
    "The values at the path are all different, or the array at the path has no equal elements",
    .keys(
      [
        .path,
        KeyRow(
          "normalized", .flag, "Whether letter case, punctuation and spacing are disregarded",
          fallback: "false"),
      ], rules: []),
    example: AssertionExample(
      #"unique: { path: "$.tags", normalized: true }"#,
      passing: #"{"tags": ["sea", "moon"]}"#, failing: #"{"tags": ["sea", "Sea."]}"#,
      actual: #""Sea." at $.tags[0] and at $.tags[1]"#)
  ) { reader, node, view in
    reader.listPath("unique", node, view).map {
      UniqueCheck(path: $0, isNormalized: node.flag("normalized"))
    }
  }
}

/// A check that no two values in a list are equal: the values that a path with `[*]` selects, or
/// the elements of the array at a singular path.
struct UniqueCheck: Check {
  let path: JSONPlace
  /// Whether differences in case, punctuation and spacing are ignored.
  let isNormalized: Bool

  var type: String { "unique" }

  /// Evaluates the check.
  ///
  /// The check is vacuous for an empty list, but a single value counts as unique.
  func evaluate(_ facts: AttemptFacts, in part: AnswerPart, negated: Bool) -> CheckResult {
    judgement(part).result(expected: expectation(negated: negated), negated: negated)
  }

  private func judgement(_ part: AnswerPart) -> Judgement {
    let list: SelectedList
    switch SelectedList.select(path, in: part) {
    case .failure(let none): return none.judgement
    case .success(let found): list = found
    }
    var seen: [JSONValue: JSONPlace] = [:]
    for (place, value) in list.values {
      let key = isNormalized ? Self.normalized(value) : value
      if let first = seen[key] {
        return .fails("\(ValueWords.short(value)) at \(first) and at \(place)")
      }
      seen[key] = place
    }
    return list.end(of: path) ?? .holds(list.values.count.counted("different value"))
  }

  /// Returns a string in lowercase, with single spaces between its words and without punctuation.
  ///
  /// Values that aren't strings are returned unchanged.
  private static func normalized(_ value: JSONValue) -> JSONValue {
    guard let text = value.string else { return value }
    let words = text.uppercased().lowercased()
      .split { !($0.isLetter || $0.isNumber || $0.isSymbol) }
    return .string(words.joined(separator: " "))
  }

  func expectation(negated: Bool) -> String {
    negated ? "two equal values" : "no two equal values"
  }
}
