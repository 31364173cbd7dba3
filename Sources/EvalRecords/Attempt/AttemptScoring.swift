/// The rules that turn the verdicts of an attempt into its outcome.
public struct AttemptScoring: Sendable, Hashable {
  /// The minimum score for passing, or `nil` if no assertion may fail.
  public var threshold: Double?
  /// The assertion weights that differ from 1, keyed by assertion name.
  public var weights: [String: Double]
  /// The names of the assertions that must not fail, no matter what the score is.
  public var guardrails: Set<String>

  /// Creates the rules.
  public init(
    threshold: Double? = nil, weights: [String: Double] = [:], guardrails: Set<String> = []
  ) {
    self.threshold = threshold
    self.weights = weights
    self.guardrails = guardrails
  }

  /// Returns the weighted share of the assertions that pass, or `nil` if no assertion counts.
  ///
  /// Vacuous verdicts and assertions with weight 0 don't count; an unknown verdict counts as not
  /// passed:
  ///
  /// ```
  /// score = Σ weight of those that pass / Σ weight of those that pass, fail or are unknown
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

  /// Returns the outcome of an attempt that returned a value.
  ///
  /// Without a threshold, the attempt passes if no assertion fails and at least one passes;
  /// assertions with weight 0 don't count. With a threshold, the attempt passes if its score is
  /// high enough and no guardrail fails.
  public func outcome(of verdicts: [VerdictRecord]) -> Outcome {
    guard let threshold else {
      return Outcome(of: verdicts.filter { weights[$0.assertion] != 0 })
    }
    let isHit = verdicts.contains { $0.verdict == .fail && guardrails.contains($0.assertion) }
    guard !isHit, let score = score(of: verdicts) else { return .fail }
    return score >= threshold - 1e-12 ? .pass : .fail
  }

  /// Sets the outcome of an attempt, and records the score and the weights that explain it.
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

extension Outcome {
  /// Creates an outcome from the verdicts on an attempt that returned a value.
  ///
  /// The attempt passes if no assertion fails and at least one passes. So the attempt fails if all
  /// verdicts are vacuous or unknown, or if there are no verdicts.
  public init(of verdicts: [VerdictRecord]) {
    let hasFailure = verdicts.contains { $0.verdict == .fail }
    let hasPass = verdicts.contains { $0.verdict == .pass }
    self = hasPass && !hasFailure ? .pass : .fail
  }
}
