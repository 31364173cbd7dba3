import EvalRecords

/// Re-judges one test case's attempts with some of its assertions.
///
/// The rules are the same as for new attempts. An attempt that ended in an error stays an error,
/// because none of its assertions were evaluated.
struct Rejudging {
  /// The assertions that count, or `nil` for all: the candidate's names, keyed by the names in the
  /// attempt's verdicts.
  var names: [String: String]?
  /// The weights that differ from 1, by the candidate's names, or `nil` for the attempt's own.
  var weights: [String: Double]?
  /// The minimum score for passing, or `nil` if no assertion may fail.
  var threshold: Double?
  /// The names of the assertions that must not fail, whatever the score is.
  var guardrails: Set<String>

  /// Returns the attempt, re-judged with only the assertions that count.
  func judged(_ attempt: AttemptRecord) -> AttemptRecord {
    var attempt = attempt
    // A record without verdicts can't be re-judged.
    guard !attempt.verdicts.isEmpty else { return attempt }
    if let names {
      attempt.verdicts = attempt.verdicts.compactMap { verdict in
        guard let name = names[verdict.assertion] else { return nil }
        var verdict = verdict
        verdict.assertion = name
        return verdict
      }
      attempt.details.weights = attempt.details.weights.map { weights in
        Dictionary(
          weights.compactMap { entry in names[entry.key].map { ($0, entry.value) } },
          uniquingKeysWith: { first, _ in first })
      }
    }
    if let weights { attempt.details.weights = weights.isEmpty ? nil : weights }
    guard attempt.outcome == .pass || attempt.outcome == .fail else { return attempt }
    // An answer that was cut off or refused fails whatever its verdicts are, unless its test case
    // expects that stop reason.
    guard attempt.failure == nil || attempt.outcome == .pass else { return attempt }
    let scoring = AttemptScoring(
      threshold: threshold, weights: attempt.details.weights ?? [:], guardrails: guardrails)
    attempt.outcome = scoring.outcome(of: attempt.verdicts)
    return attempt
  }
}
