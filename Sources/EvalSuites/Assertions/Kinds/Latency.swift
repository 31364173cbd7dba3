import StructuredText

extension AssertionKind {
  static let latency = attempt(
    "latency", "The answer took at most this many milliseconds",
    rows: [
      KeyRow(
        "max", .number(minimum: 0, maximum: 1e12), "The time limit in milliseconds",
        isRequired: true)
    ],
    example: AssertionExample(
      "latency: { max: 500 }", passing: #"{"milliseconds": 500}"#,
      failing: #"{"milliseconds": 750}"#, actual: "750 ms")
  ) { _, node, _ in node["max"]?.value.double.map { LatencyRule(maximum: $0) } }
}

/// A rule that limits how many milliseconds the answer may take.
struct LatencyRule: AttemptRule {
  /// The maximum number of milliseconds.
  var maximum: Double

  func judge(_ facts: AttemptFacts) -> Judgement {
    guard let duration = facts.duration else { return .vacuous(UnknownMeasure.duration) }
    let milliseconds = (duration * 1000).rounded()
    return Judgement(milliseconds <= maximum, "\(ValueWords.number(milliseconds)) ms")
  }

  func expectation(negated: Bool) -> String {
    (negated ? "not " : "") + "at most \(ValueWords.number(maximum)) ms"
  }
}
