import EvalRecords
import StructuredText

extension AssertionKind {
  static let stopReason = attempt(
    "stopReason", "Generation stopped for one of the given reasons",
    rows: [
      KeyRow("is", .choice(StopReason.ofWholeAnswers.map(\.rawValue)), "The reason"),
      KeyRow(
        "in", .list(.choice(StopReason.ofWholeAnswers.map(\.rawValue)), minimum: 1),
        "The allowed reasons"),
    ], rules: [.exactlyOne(["is", "in"])],
    example: AssertionExample(
      "stopReason: { is: refusal }", passing: #"{"stopReason": "refusal"}"#,
      failing: #"{"stopReason": "complete"}"#, actual: "`complete`")
  ) { _, node, _ in
    let names = node["is"]?.text.map { [$0] } ?? node.texts("in")
    return StopReasonRule(reasons: names.compactMap { StopReason(rawValue: $0) })
  }
}

/// A rule that requires generation to have stopped for one of the given reasons.
struct StopReasonRule: AttemptRule {
  /// The reasons.
  var reasons: [StopReason]

  func judge(_ facts: AttemptFacts) -> Judgement {
    Judgement(reasons.contains(facts.stopReason), "`\(facts.stopReason.rawValue)`")
  }

  func expectation(negated: Bool) -> String {
    (negated ? "not " : "") + ValueWords.list(reasons.map(\.rawValue), last: "or")
  }
}

extension StopReason {
  /// The reasons of answers that assertions judge.
  fileprivate static let ofWholeAnswers = allCases.filter { $0 != .decided }
}
