import StructuredText

extension AssertionKind {
  static let deepEquals = values(
    "deepEquals",
    "The value equals `value` in every part; a failure names the first parts that differ",
    version: 2,
    rows: [
      KeyRow("value", .value, "The expected value"), .variable,
      KeyRow(
        "tolerance", .distance, "The maximum difference between numbers that count as equal",
        fallback: "0"),
      KeyRow("ignoringOrder", .flag, "Whether the order of elements is ignored", fallback: "false"),
      .ignoringCase,
      KeyRow(
        "allowingMore", .flag, "Whether objects may have additional members", fallback: "false"),
      KeyRow(
        "ignoring", .list(.text, minimum: 1),
        "Names of members to ignore, at any depth"),
    ], rules: [.exactlyOne(["value", "variable"])],
    example: AssertionExample(
      "deepEquals: { path: $.order, value: { id: 7, lines: [a, b] }, ignoringOrder: true }",
      passing: #"{"order": {"lines": ["b", "a"], "id": 7}}"#,
      failing: #"{"order": {"id": 8, "lines": ["a"]}}"#,
      actual: #"8 instead of 7 at @.id; no element equal to "b" at @.lines"#),
    fits: { $0.canBeAny(of: $1["value"].map { [$0] } ?? [], $2, $3) },
    variable: { value, node, _ throws(UnfitVariable) in
      DeepEqualsRule(expected: value.written, equality: DeepEquality(node))
    }
  ) { node in
    node["value"].map { DeepEqualsRule(expected: $0.value, equality: DeepEquality(node)) }
  }
}

/// A rule that the value equals the expected value in every part.
struct DeepEqualsRule: ValueRule {
  /// The expected value.
  var expected: JSONValue
  /// The definition of equality.
  var equality: DeepEquality

  func judge(_ value: JSONValue) -> Judgement {
    switch equality.compare(value, with: expected) {
    case .tooLarge: return .notApplicable("too large to compare: \(ValueWords.short(value))")
    case .differences([], _): return .holds(ValueWords.short(value))
    case .differences(let named, let count):
      let words = named.map { difference in
        let place =
          difference.place.steps.isEmpty ? "" : " at \(difference.place.relativeDescription)"
        guard let actual = difference.actual else {
          return "no element equal to \(difference.expected)\(place)"
        }
        return "\(actual) instead of \(difference.expected)\(place)"
      }
      let more = count > named.count ? "; \(count - named.count) more" : ""
      return .fails(words.joined(separator: "; ") + more)
    }
  }

  func expectation(negated: Bool) -> String {
    (negated ? "not " : "") + ValueWords.short(expected) + equality.words
  }
}

extension DeepEquality {
  /// Creates the definition of equality from a node that has passed the format check.
  init(_ node: SourceNode) {
    self.init(
      tolerance: node["tolerance"]?.value.number ?? JSONNumber(0),
      ignoresOrder: node.flag("ignoringOrder"), allowsMore: node.flag("allowingMore"),
      ignored: Set(node.texts("ignoring")), ignoresCase: node.flag("ignoringCase"))
  }

  /// A description of the differences that are tolerated.
  fileprivate var words: String {
    var parts: [String] = []
    if JSONNumber(0) < tolerance { parts.append("numbers ± \(tolerance.canonicalText)") }
    if ignoresOrder { parts.append("in any order") }
    if ignoresCase { parts.append("ignoring case") }
    if allowsMore { parts.append("more members allowed") }
    if !ignored.isEmpty { parts.append("without \(ValueWords.list(ignored.sorted()))") }
    return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
  }
}
