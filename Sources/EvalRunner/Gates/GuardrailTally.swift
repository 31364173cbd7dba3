import EvalRecords

/// The verdicts of one guardrail on the attempts that a gate judges.
struct GuardrailTally {
  /// The assertion's name.
  let name: String
  /// The number of attempts in which the assertion failed.
  private(set) var hits = 0
  private var judged = 0
  private var vacuous = 0
  private var unknown = 0

  init(name: String) { self.name = name }

  mutating func add(_ attempt: AttemptRecord) {
    // `boundHugging` is judged over all attempts together, so its verdict on each single attempt is
    // vacuous.
    for verdict in attempt.verdicts
    where verdict.assertion == name && verdict.type != "boundHugging" {
      switch verdict.verdict {
      case .pass: judged += 1
      case .fail:
        judged += 1
        hits += 1
        return
      case .vacuous: vacuous += 1
      case .unknown: unknown += 1
      }
    }
  }

  /// The gate miss of a guardrail that never checked anything, or `nil` if there is no such miss.
  ///
  /// There is no such miss if the guardrail held or failed at least once, or if no attempt has a
  /// verdict on the guardrail.
  var miss: GateMiss? {
    guard judged == 0, vacuous + unknown > 0 else { return nil }
    return .uncheckedGuardrail(assertion: name, vacuous: vacuous, unknown: unknown)
  }
}
