import EvalRecords
import StructuredText

extension AssertionKind {
  static let tokens = attempt(
    "tokens", "The number of tokens in the answer is within the bounds", version: 2,
    rows: KeyRow.counts, rules: .counts,
    example: AssertionExample(
      "tokens: { max: 100 }", passing: #"{"tokens": 100}"#,
      failing: #"{"tokens": 128}"#, actual: "128 tokens")
  ) { _, node, _ in TokensRule(bounds: node.countBounds) }
}

/// A rule that the number of tokens in the answer is within bounds.
struct TokensRule: AttemptRule {
  /// The bounds.
  var bounds: CountBounds

  func judge(_ facts: AttemptFacts) -> Judgement {
    guard let count = facts.outputTokens else { return .vacuous(UnknownMeasure.tokens) }
    return Judgement(bounds.contains(count), count.counted("token"))
  }

  func expectation(negated: Bool) -> String { (negated ? "not " : "") + bounds.words("token") }
}
