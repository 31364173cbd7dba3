import EvalRecords
import StructuredText

extension AssertionKind {
  static let present = presence(
    isWanted: true, "There is a value at the path; null counts as a value",
    AssertionExample(
      "present: { path: $.note }", passing: #"{"note": null}"#, failing: "{}",
      actual: "nothing"))
  static let absent = presence(
    isWanted: false, "There is no value at the path",
    AssertionExample(
      "absent: { path: $.note }", passing: "{}", failing: #"{"note": "x"}"#,
      actual: #""x""#))

  private static func presence(
    isWanted: Bool, _ summary: String, _ example: AssertionExample
  ) -> AssertionKind {
    AssertionKind(
      isWanted ? "present" : "absent", summary, .keys([.path], rules: []), example: example
    ) { reader, node, view in
      reader.path(node, view).map { PresenceCheck(path: $0.0, isWanted: isWanted) }
    }
  }
}

/// A check that every selected place has a value, or that none does; null counts as a value.
struct PresenceCheck: Check {
  let path: JSONPlace
  /// Whether a value is expected.
  let isWanted: Bool

  var type: String { isWanted ? "present" : "absent" }

  func evaluate(_ facts: AttemptFacts, in part: AnswerPart, negated: Bool) -> CheckResult {
    let selection = path.selection(in: part)
    let findings = selection.places.map { selected in
      Finding(
        verdict: selected.mayCome
          ? .unknown : (selected.part != nil) == (isWanted != negated) ? .pass : .fail,
        place: selected.place,
        actual: selected.mayCome
          ? "cut off before \(selected.place)"
          : selected.part.map { ValueWords.short($0.value) } ?? "nothing")
    }
    return CheckResult(
      of: findings, in: selection, path: path, expected: expectation(negated: negated))
  }

  func expectation(negated: Bool) -> String { isWanted != negated ? "present" : "absent" }
}
