public import EvalRecords

/// How the verdicts of an attempt make its outcome.
public struct AttemptScoring: Sendable, Hashable {
  /// The least score that passes; nil if no assertion may fail.
  public var threshold: Double?
  /// The weights of assertions that do not weigh 1, by name.
  public var weights: [String: Double]
  /// The names of assertions that may not fail whatever the score is.
  public var guardrails: Set<String>

  /// Creates a scoring.
  public init(
    threshold: Double? = nil, weights: [String: Double] = [:], guardrails: Set<String> = []
  ) {
    self.threshold = threshold
    self.weights = weights
    self.guardrails = guardrails
  }

  /// The weighted share of the assertions that pass; nil if none has a say.
  ///
  /// Vacuous verdicts have none, and neither have those of weight 0:
  ///
  /// ```
  /// score = Σ weight of those that pass / Σ weight of those that pass or fail
  /// ```
  public func score(of verdicts: [VerdictRecord]) -> Double? {
    var (sum, total) = (0.0, 0.0)
    for verdict in verdicts where verdict.verdict != .vacuous {
      let weight = weights[verdict.assertion] ?? 1
      total += weight
      if verdict.verdict == .pass { sum += weight }
    }
    return total > 0 ? sum / total : nil
  }

  /// The outcome of an attempt that brought a value.
  ///
  /// Without a threshold it passes if no assertion with a weight fails and one passes; with one, if
  /// its score is high enough and no guardrail fails.
  public func outcome(of verdicts: [VerdictRecord]) -> Outcome {
    guard let threshold else {
      return Outcome(of: verdicts.filter { weights[$0.assertion] != 0 })
    }
    let isHit = verdicts.contains { $0.verdict == .fail && guardrails.contains($0.assertion) }
    guard !isHit, let score = score(of: verdicts) else { return .fail }
    return score >= threshold - 1e-12 ? .pass : .fail
  }

  /// Judges an attempt, and keeps what explains the outcome.
  ///
  /// - Parameter attempt: An attempt with its verdicts.
  public func judge(_ attempt: inout AttemptRecord) {
    attempt.outcome = outcome(of: attempt.verdicts)
    guard threshold != nil || !weights.isEmpty else { return }
    attempt.details.score = score(of: attempt.verdicts)
    let present = weights.filter { entry in
      attempt.verdicts.contains { $0.assertion == entry.key }
    }
    attempt.details.weights = present.isEmpty ? nil : present
  }
}
