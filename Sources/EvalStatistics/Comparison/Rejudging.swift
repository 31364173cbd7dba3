import EvalRecords

/// Judges the attempts of one test case again by some of its assertions.
///
/// The rules are the same as for new attempts. An attempt that ended in an error stays an error,
/// because no assertion was evaluated.
struct Rejudging {
  /// The names of the assertions that count; nil for all.
  var names: Set<String>?
  /// The minimum score for passing; nil if no assertion may fail.
  var threshold: Double?
  /// The names of assertions that must not fail, whatever the score is.
  var guardrails: Set<String>

  /// Returns the attempt as judged by the assertions that count.
  func judged(_ attempt: AttemptRecord) -> AttemptRecord {
    var attempt = attempt
    // A record without verdicts can't be judged again.
    guard !attempt.verdicts.isEmpty else { return attempt }
    if let names { attempt.verdicts.removeAll { !names.contains($0.assertion) } }
    guard attempt.outcome == .pass || attempt.outcome == .fail else { return attempt }
    // An answer that was cut off or refused fails whatever its verdicts are, unless its test case
    // expects the stop reason.
    guard attempt.failure == nil || attempt.outcome == .pass else { return attempt }
    let scoring = AttemptScoring(
      threshold: threshold, weights: attempt.details.weights ?? [:], guardrails: guardrails)
    attempt.outcome = scoring.outcome(of: attempt.verdicts)
    return attempt
  }
}

/// The assertions of one test case as words, and their names in verdicts.
struct CaseAssertions {
  /// The assertions in words.
  let words: [String]
  /// The words by name; nil if no attempt was judged by all assertions.
  let wordsByName: [String: String]?

  /// Creates the assertions of a test case from its record and its attempts.
  ///
  /// A record lists the assertions in the order of the verdicts of an attempt that was judged by
  /// all of them.
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

  /// Returns the names of the assertions with the given words.
  func names(of words: Set<String>) -> Set<String> {
    Set((wordsByName ?? [:]).filter { words.contains($0.value) }.keys)
  }
}
