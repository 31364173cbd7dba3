import EvalRecords
import EvalStatistics

extension ReportReferences.Remark {
  /// The remark as a sentence.
  package var words: String {
    switch self {
    case .choice(let suite, .baselineFileIsGone(let run)):
      "Run \(run) was compared with an accepted baseline of \(suite), but now there is no baseline "
        + "file."
    case .choice(let suite, .acceptedFileIsGone(let run)):
      "Run \(run) was accepted as the baseline of \(suite), but there is no baseline file."
    case .choice(let suite, .baselineElsewhere(let searched, let found)):
      "There is no baseline of \(suite) in \(searched), but there is one in \(found)."
    case .choice(_, .misspelledBranch(let name, let known)):
      "No run was made on the branch \(name); did you mean \(known)?"
    case .choice(let suite, .uncheckedCounts(let run)):
      "The attempts of run \(run), the first complete run of \(suite), are not in the database, so "
        + "this run is compared with the counts in the history; whether the suite was edited since "
        + "is not known."
    case .choice(let suite, .countsOfEditedSuite(let run)):
      "The attempts of run \(run), the first complete run of \(suite), are not in the database, "
        + "and its counts in the history can't be compared, because inputs, assertions, thresholds "
        + "or options have changed since."
    case .choice(let suite, .firstRunMissing(let first, let reference)):
      "The first complete run of \(suite), run \(first), is not in the database, so run "
        + "\(reference) is used instead."
    case .choice(let suite, .stoppedEarly(let run, let reference)):
      "Run \(run) stopped early in \(suite), so run \(reference) is the reference."
    case .choice(let suite, .countsOnly(let run)):
      "The attempts of run \(run), the first complete run of \(suite), are not in the database, so "
        + "this run is compared with the counts in the history."
    case .choice(let suite, .otherModels(let run, let before, let after)):
      "Run \(run), the first complete run of \(suite), ran on \(before.joined(separator: ", ")); "
        + "this run ran on \(after.joined(separator: ", "))."
    case .choice(let suite, .baselinesOfOtherModels):
      "The baselines of \(suite) are for other models than this run's."
    case .unknownBranch:
      "The branch of this run is not known, because HEAD is detached and no variable names the "
        + "branch; later runs are never compared with this run."
    case .choice(let suite, .acceptedLater):
      "The baseline of \(suite) was accepted after this run, and the run kept no copy of its own "
        + "reference."
    case .lastRun(let suite, let entry):
      "The previous complete run of \(suite): \(entry.words(of: suite))."
    }
  }
}

extension ReportReferences.Remark {
  /// Whether the remark belongs in the first line.
  fileprivate var isObstacle: Bool {
    switch self {
    case .unknownBranch, .choice(_, .baselineElsewhere), .choice(_, .misspelledBranch): true
    case .choice(_, let remark): remark.preventsComparison || remark.isAboutCounts
    case .lastRun: false
    }
  }

  /// The suite of which the remark says that it has no baseline, or `nil`.
  fileprivate var suiteWithoutBaseline: String? {
    switch self {
    case .choice(let suite, .baselineFileIsGone), .choice(let suite, .acceptedFileIsGone),
      .choice(let suite, .baselineElsewhere), .choice(let suite, .baselinesOfOtherModels):
      suite
    default: nil
    }
  }
}

extension ReportReferences {
  private static let maximumLastRuns = 2
  private static let maximumObstacles = 3

  /// The first remarks that everybody must read: about references that are gone or don't fit, and
  /// about what replaces them.
  var obstacles: [Remark] { Array(remarks.filter(\.isObstacle).prefix(Self.maximumObstacles)) }

  /// The suites without a reference of which no remark in the first line says so.
  var unexplained: [String] {
    let explained = obstacles.compactMap(\.suiteWithoutBaseline)
    return missing.filter { !explained.contains($0) }
  }

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
      } else if !obstacles.contains(remark) {
        words.append(remark.words)
      }
    }
    var shown = last.filter { changed.contains($0.suite) }
    if shown.isEmpty, last.count <= Self.maximumLastRuns { shown = last }
    words += shown.prefix(Self.maximumLastRuns).map { Remark.lastRun(suite: $0, $1).words }
    if shown.isEmpty, let newest = last.map(\.entry).max(by: { $0.run < $1.run }) {
      let names = Set(last.map(\.suite))
      let slices = newest.slices.filter { names.contains($0.key.suite) }
      let share = Share(pooling: slices.map(\.share))
      words.append("The previous complete run: run \(newest.run), \(share.passing("attempt")).")
    }
    return words
  }
}

extension BaselineProblem {
  /// The problem in words: `quiz missed its gate on stub (3 of 8 attempts pass)`.
  package var words: String {
    switch self {
    case .comparesVariants:
      "it compares variants or tries edits; run the suite as it stands, and accept that run"
    case .part(let options):
      "it is not a run of whole suites as they stand (\(options.joined(separator: ", ")))"
    case .missingAnswers(let cases):
      "\(cases.count.counted("test case")) without a recorded answer: "
        + cases.listed(5)
    case .worse(let suite, let verdict):
      verdict == .broken
        ? "the comparison of \(suite) is broken by backend errors"
        : "\(suite) got worse than its baseline"
    case .damagedBaseline(let suite, let problem):
      "the baseline of \(suite) can't be compared, because it is damaged (\(problem))"
    case .otherKind(let suite, let old, let new):
      "the baseline of \(suite) has \(old.words), and this run has \(new.words)"
    case .stoppedEarly(let suite, let run):
      "\(suite) stopped early; to make the missing attempts, run `assay run --resume \(run)` "
        + "with the options that you gave that run"
    case .missedGate(let gate):
      "\(gate.suite) missed its gate on \(gate.backend) (\(gate.passed) of "
        + "\(gate.attempts.counted("attempt")) pass)"
    case .otherModel(let unjudged):
      "the gate of \(unjudged.suite) was written for \(unjudged.model), and the run used "
        + "\(unjudged.usedName)"
    case .changedModel(let backend, let models):
      "the model on \(backend) changed during the run (\(models.joined(separator: ", "))), so "
        + "no run is comparable with it"
    case .backendErrors(let count): "\(count.counted("attempt")) ended in a backend error"
    }
  }
}

extension BaselineDoubt {
  /// The doubt in words: `2 test cases of quiz newly fail: case-1, case-2`.
  package var words: String {
    switch self {
    case .notCompared(let suite):
      "\(suite) was not comparable with its reference, so no comparison has judged these answers"
    case .judgedOtherwise(let suite, let edits):
      "\(suite) is judged by other rules than its reference was, and later runs will be judged by "
        + "them: " + edits.map(\.words).joined(separator: "; ")
    case .newlyFailing(let suite, let cases):
      "\(cases.count.counted("test case")) of \(suite) newly "
        + "\(cases.count == 1 ? "fails" : "fail"): " + cases.listed(5)
    }
  }
}

extension BaselineKind {
  /// The kind in words.
  package var words: String {
    switch self {
    case .model: "the answers of a model"
    case .recorded: "recorded answers"
    case .stub: "the fixed answers of the stub"
    }
  }
}
