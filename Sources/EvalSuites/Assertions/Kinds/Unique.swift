import EvalRecords
import StructuredText

extension AssertionKind {
  static let unique = AssertionKind(
    "unique", "No two values of the path, or no two elements of the array, are equal",
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

/// No two of the selected values are equal; for a singular path, no two elements of its array.
struct UniqueCheck: Check {
  let path: ValuePath
  /// Whether letter case, punctuation and spacing are disregarded.
  let isNormalized: Bool

  var type: String { "unique" }

  /// A list of nothing is vacuous; a single value is unique.
  func evaluate(_ facts: AttemptFacts, in part: AnswerPart, negated: Bool) -> CheckResult {
    judgement(part).result(expected: expectation(negated: negated), negated: negated)
  }

  private func judgement(_ part: AnswerPart) -> Judgement {
    let list: SelectedList
    switch SelectedList.select(path, in: part) {
    case .failure(let none): return none.judgement
    case .success(let found): list = found
    }
    var seen: [JSONValue: ValuePath] = [:]
    for (place, value) in list.values {
      let key = isNormalized ? Self.normalized(value) : value
      if let first = seen[key] {
        return .fails("\(ValueWords.short(value)) at \(first) and at \(place)")
      }
      seen[key] = place
    }
    return list.end(of: path) ?? .holds(ValueWords.counted(list.values.count, "different value"))
  }

  /// A text without letter case, punctuation and the amount of white space.
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
