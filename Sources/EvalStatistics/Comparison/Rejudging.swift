import EvalRecords

/// Judges the attempts of one test case again by some of its assertions.
///
/// Without a threshold, no assertion may fail and at least one must pass. With a threshold, the
/// weighted share of passes among passes and failures must reach it, and no guardrail may fail. An
/// attempt that ended in an error stays an error, because no assertion was evaluated.
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
    attempt.outcome = passes(attempt) ? .pass : .fail
    return attempt
  }

  private func passes(_ attempt: AttemptRecord) -> Bool {
    let weights = attempt.details.weights ?? [:]
    let verdicts = attempt.verdicts.filter { weights[$0.assertion] != 0 }
    let passing = verdicts.filter { $0.verdict == .pass }
    let failing = verdicts.filter { $0.verdict == .fail }
    guard let threshold else { return failing.isEmpty && !passing.isEmpty }
    func weight(_ verdicts: [VerdictRecord]) -> Double {
      verdicts.reduce(0) { $0 + (weights[$1.assertion] ?? 1) }
    }
    let total = weight(passing) + weight(failing)
    return total > 0 && weight(passing) / total >= threshold - 1e-12
      && !attempt.verdicts.contains { $0.verdict == .fail && guardrails.contains($0.assertion) }
  }
}

/// The descriptions of one test case's assertions, and the names that verdicts use for them.
struct CaseAssertions {
  /// The descriptions.
  let words: [String]
  /// The descriptions by name; nil if no attempt was judged by all assertions.
  let wordsByName: [String: String]?

  /// Reads the assertions of a test case.
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

  /// Returns the names of the assertions with the given descriptions.
  func names(of words: Set<String>) -> Set<String> {
    Set((wordsByName ?? [:]).filter { words.contains($0.value) }.keys)
  }
}
