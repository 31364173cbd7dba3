import EvalRecords
import EvalReports
import EvalRunner
import ResultStore
import StructuredText

/// The request to compare a run with references, and how its conclusion is judged.
package struct ReferencePlan: Sendable {
  /// The value of `--baseline`, or `nil` if the option was not given.
  package var rule: String?
  /// What to compare the run with.
  package var choice: BaselineChoice
  /// The accepted baselines that the choice loaded.
  package var loaded: [SuiteBaseline]
  /// The earlier runs, which may come from another machine's database.
  package var history: RunHistory
  /// The options that turn the conclusion into an exit status.
  package var judging: Judging

  /// Creates a plan.
  package init(
    rule: String?, choice: BaselineChoice, loaded: [SuiteBaseline], history: RunHistory,
    judging: Judging
  ) {
    self.rule = rule
    self.choice = choice
    self.loaded = loaded
    self.history = history
    self.judging = judging
  }
}

/// The references that a run is compared with, one for each of its suites.
///
/// References are chosen once, when the run begins or when its shards are merged. From then on, the
/// run keeps them: a continued run, a later report and a second merge read the copies in the
/// database. So accepting another baseline never changes an earlier verdict.
///
/// ```
/// baseline files, or the oldest run of a branch ─► References ─► the run's record, and copies
///                                                                        │
/// assay report, run --resume, a second merge ◄───────────────────────────┘
/// ```
package struct References: Sendable {
  /// The references, in the order of the run's suites.
  package private(set) var baselines: [SuiteBaseline] = []
  /// One record for each suite of the run, or `nil` if no comparison was requested.
  package private(set) var records: [ReferenceRecord]?
  /// The branches whose runs replace missing baselines.
  private var branches: [String] = []

  /// Creates no references, for a run that is compared with nothing.
  package init() {}

  /// Chooses the references of a run.
  ///
  /// - Parameters:
  ///   - plan: What to compare the run with.
  ///   - run: The run.
  ///   - isOld: Whether the run was made by Assay 0.1, which kept no copies. Then a baseline that
  ///     was accepted after the run began is not what the run was compared with.
  ///   - judge: Judges the references' answers anew where the run's suites have other assertions,
  ///     or `nil` if the run's suites are not at hand.
  ///   - store: The database.
  package init(
    _ plan: ReferencePlan, of run: RunRecord, isOld: Bool = false,
    judge: StoredAnswerJudge? = nil, in store: ResultStore
  ) throws(SessionFailure) {
    guard plan.choice != .none else { return }
    branches = plan.choice.branches
    let matching = plan.loaded.matching(run)
    var records: [ReferenceRecord] = []
    for suite in run.suites {
      var record = ReferenceRecord(suite: suite.id)
      var found = matching.first { $0.suite == suite.id }
      if isOld, let baseline = found, let time = baseline.acceptedAt,
        time >= run.startedAt || baseline.run.id == run.id
      {
        found = nil
        record.remark = .acceptedLater
      } else if found == nil {
        (found, record.remark) = try plan.choice.replacement(
          for: suite.id, of: run, in: store, plan.history)
        // There may be a file for another model, or for another kind of answers.
        if case .baselineFileIsGone? = record.remark,
          plan.loaded.contains(where: { $0.suite == suite.id })
        {
          record.remark = nil
        }
      }
      if let judge { found = found?.judgedAnew(for: run, by: judge) }
      if let found {
        record.digest = SHA256.hexDigest(of: found.copy)
        record.modelKey = found.modelKey
        record.acceptedAt = found.acceptedAt
        baselines.append(found)
      }
      records.append(record)
    }
    self.records = records
  }

  /// Reads the references that a run kept.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - store: The database with the copies.
  /// - Throws: `SessionFailure` if a copy is missing or damaged.
  package init(keptBy run: RunRecord, in store: ResultStore) throws(SessionFailure) {
    guard let records = run.details.references else { return }
    self.records = records
    branches = try BaselineChoice(run.details.baselineRule).branches
    let copies = try perform { try store.references(ofRun: run.id) }
    for record in records where record.digest != nil {
      let name = "\(store.path): run \(run.id), the reference of \(record.suite)"
      guard let copy = copies[record.suite] else {
        throw SessionFailure(.cannotRun, "\(name): the copy is missing")
      }
      do throws(BaselineFile.Failure) {
        let file = try BaselineFile(text: copy, path: name)
        var baseline = SuiteBaseline(
          suite: record.suite, run: file.run, attempts: file.attempts,
          acceptedAt: record.acceptedAt, reason: file.reason)
        baseline.modelKey = record.modelKey
        baselines.append(baseline)
      } catch {
        throw SessionFailure(.cannotRun, error.description)
      }
    }
  }

  /// Chooses the references of a run, and stores them with the run.
  ///
  /// - Parameters:
  ///   - plan: What to compare the run with.
  ///   - run: The run, which is stored but has no references yet.
  ///   - judge: Judges the references' answers anew where the run's suites have other assertions,
  ///     or `nil` if the run's suites are not at hand.
  ///   - store: The database.
  /// - Returns: The run with its references, and the references.
  package static func keep(
    _ plan: ReferencePlan, for run: RunRecord, judge: StoredAnswerJudge?, in store: ResultStore
  ) throws(SessionFailure) -> (run: RunRecord, references: References) {
    let references = try References(plan, of: run, judge: judge, in: store)
    var run = run
    run.details.baselineRule = plan.rule
    run.details.judging = plan.judging == Judging() ? nil : plan.judging
    run.details.references = references.records
    let copies = Dictionary(
      references.baselines.map { ($0.suite, $0.copy) }, uniquingKeysWith: { first, _ in first })
    try perform { try store.keepReferences(of: run, copies: copies) }
    return (run, references)
  }

  /// Returns the facts for the report, or `nil` if no comparison was requested.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - history: The earlier runs.
  package func report(of run: RunRecord, _ history: RunHistory) -> ReportReferences? {
    guard let records else { return nil }
    var report = ReportReferences(vanished: run.details.vanishedBaselines ?? [])
    for record in records {
      if let remark = record.remark { report.remarks.append(.choice(suite: record.suite, remark)) }
      if record.digest == nil {
        report.missing.append(record.suite)
      } else if record.acceptedAt == nil, !branches.isEmpty,
        let last = history.complete(record.suite, like: run, branches: branches).last,
        let reference = baselines.first(where: { $0.suite == record.suite }),
        !last.isOf(reference.run)
      {
        report.remarks.append(.lastRun(suite: record.suite, last))
      }
    }
    report.isMissingEverywhere = baselines.isEmpty && records.allSatisfy { !$0.hadBaseline }
    return report
  }
}

extension ReferenceRecord {
  /// Whether the suite has no reference although a baseline was accepted for it.
  fileprivate var hadBaseline: Bool {
    switch remark {
    case .acceptedLater, .baselineFileIsGone: true
    case .firstRunMissing, .stoppedEarly, nil: false
    }
  }
}
