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
      "The last complete run of \(suite): \(entry.words(of: suite))."
    }
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
