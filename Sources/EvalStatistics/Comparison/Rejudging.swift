import EvalRecords

/// Re-judges one test case's attempts with some of its assertions.
///
/// The rules are the same as for new attempts. An attempt that ended in an error stays an error,
/// because none of its assertions were evaluated.
struct Rejudging {
  /// The names of the assertions that count, or `nil` for all.
  var names: Set<String>?
  /// The minimum score for passing, or `nil` if no assertion may fail.
  var threshold: Double?
  /// The names of the assertions that must not fail, whatever the score is.
  var guardrails: Set<String>

  /// Returns the attempt, re-judged with only the assertions that count.
  func judged(_ attempt: AttemptRecord) -> AttemptRecord {
    var attempt = attempt
    // A record without verdicts can't be re-judged.
    guard !attempt.verdicts.isEmpty else { return attempt }
    if let names { attempt.verdicts.removeAll { !names.contains($0.assertion) } }
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

/// The assertions of one test case: their texts, and the names that identify them in verdicts.
struct CaseAssertions {
  /// The assertion texts.
  let words: [String]
  /// The assertion texts, keyed by assertion name, or `nil` if no attempt was judged with all
  /// assertions.
  let wordsByName: [String: String]?

  /// Creates the assertions of a test case from its record and its attempts.
  ///
  /// The names come from an attempt that was judged with all assertions, because its verdicts are
  /// in the same order as the texts in the record.
  init(_ record: CaseRecord, _ attempts: some Sequence<AttemptRecord>) {
    words = record.assertions
    let count = words.count
    let complete = attempts.first { $0.verdicts.count == count && count > 0 }
    wordsByName = complete.map { attempt in
      Dictionary(
        zip(attempt.verdicts.map(\.assertion), record.assertions),
        uniquingKeysWith: { first, _ in first })
    }
  }

  /// Returns the names of the assertions with the given texts.
  func names(of words: Set<String>) -> Set<String> {
    Set((wordsByName ?? [:]).filter { words.contains($0.value) }.keys)
  }
}
