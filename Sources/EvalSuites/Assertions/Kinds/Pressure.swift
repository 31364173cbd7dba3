import StructuredText

extension AssertionKind {
  static let pressure = attempt(
    "pressure", "The pressure of the answer is at most this many nats",
    rows: [
      KeyRow(
        "max", .number(minimum: 0, maximum: 1e12), "The maximum pressure in nats", isRequired: true)
    ],
    example: AssertionExample(
      "pressure: { max: 2 }", passing: #"{"pressure": 1.5}"#,
      failing: #"{"pressure": 3.25}"#, actual: "3.25 nats")
  ) { _, node, _ in node["max"]?.value.double.map { PressureRule(maximum: $0) } }
}

/// A rule that limits the constraint pressure (Σ −ln Z) of an answer.
struct PressureRule: AttemptRule {
  /// The maximum pressure in nats.
  var maximum: Double

  var needsNoValue: Bool { false }

  /// Judges an attempt.
  ///
  /// The pressure only grows. So if the answer was cut off, the rule can fail but can't hold.
  func judge(_ facts: AttemptFacts) -> Judgement {
    guard let pressure = facts.constraintPressure else {
      return .vacuous(UnknownMeasure.pressure)
    }
    let nats = (pressure * 1000).rounded() / 1000
    let words = "\(ValueWords.number(nats)) nats"
    if facts.cut != nil, pressure <= maximum {
      return .unknown("\(words) before the cut")
    }
    return Judgement(pressure <= maximum, words)
  }

  func expectation(negated: Bool) -> String {
    (negated ? "not " : "") + "at most \(ValueWords.number(maximum)) nats"
  }
}
