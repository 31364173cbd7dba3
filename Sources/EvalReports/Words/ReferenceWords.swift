import EvalRecords

extension ReportReferences.Remark {
  /// The remark as a sentence.
  var words: String {
    switch self {
    case .acceptedWithoutFile(let suite, let run):
      "Run \(run) was accepted as the baseline of \(suite), but the baseline file doesn't exist."
    case .firstRunMissing(let suite, let first, let reference):
      "The first complete run of \(suite), run \(first), is not in the database, so run "
        + "\(reference) is used instead."
    case .stoppedEarly(let suite, let run, let reference):
      "Run \(run) stopped early in \(suite), so run \(reference) is the reference."
    case .lastRun(let suite, let entry):
      "The previous complete run of \(suite): \(entry.words(of: suite))."
    }
  }
}

extension ReportReferences {
  private static let maximumLastRuns = 2

  /// Returns the remarks as sentences.
  ///
  /// At most two remarks about last runs become sentences. If any of these remarks is about a suite
  /// in `changed`, only remarks about such suites are used. Otherwise, if there are more than two,
  /// one sentence about the newest run replaces them.
  func remarkWords(about changed: Set<String>) -> [String] {
    var last: [(suite: String, entry: HistoryEntry)] = []
    var words: [String] = []
    for remark in remarks {
      if case .lastRun(let suite, let entry) = remark {
        last.append((suite, entry))
      } else {
        words.append(remark.words)
      }
    }
    var shown = last.filter { changed.contains($0.suite) }
    if shown.isEmpty, last.count <= Self.maximumLastRuns { shown = last }
    words += shown.prefix(Self.maximumLastRuns).map { Remark.lastRun(suite: $0, $1).words }
    if shown.isEmpty, let newest = last.map(\.entry).max(by: { $0.run < $1.run }) {
      let names = Set(last.map(\.suite))
      let slices = newest.slices.filter { names.contains($0.key.suite) }
      let share = Share(
        slices.reduce(0) { $0 + $1.passed }, of: slices.reduce(0) { $0 + $1.made })
      words.append("The previous complete run: run \(newest.run), \(share.passing("attempt")).")
    }
    return words
  }
}

extension BaselineProblem {
  /// The problem in words: `quiz missed its gate on stub (3 of 8 attempts pass)`.
  package var words: String {
    switch self {
    case .stoppedEarly(let suite, let run):
      "\(suite) stopped early; to make the missing attempts, run `assay run --resume \(run)` "
        + "with the options that you gave that run"
    case .missedGate(let gate):
      "\(gate.suite) missed its gate on \(gate.backend) (\(gate.passed) of "
        + "\(gate.attempts.counted("attempt")) pass)"
    case .backendErrors(let count): "\(count.counted("attempt")) ended in a backend error"
    }
  }
}
