import EvalFindings
import EvalRecords
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
  /// The acknowledged findings.
  package var acknowledgements: [Acknowledgement]
  /// The remarks about suites without a reference that the command or merged shards found, keyed by
  /// suite.
  package var remarks: [String: ReferenceRemark] = [:]

  package init(
    rule: String?, choice: BaselineChoice, loaded: [SuiteBaseline], history: RunHistory,
    judging: Judging, acknowledgements: [Acknowledgement] = []
  ) {
    self.rule = rule
    self.choice = choice
    self.loaded = loaded
    self.history = history
    self.judging = judging
    self.acknowledgements = acknowledgements
  }

  /// Notes the suites that have no baseline in the folders that were searched, but have one in the
  /// usual folder of reports.
  ///
  /// - Parameters:
  ///   - suites: The ids of the run's suites.
  ///   - kind: The kind of the run's answers. The baseline of a model is none for an import.
  ///   - folders: The folders that were searched.
  ///   - reports: The usual folder of reports.
  ///   - directory: The working directory, around which the usual folder may be.
  package mutating func noteBaselines(
    of suites: [String], _ kind: BaselineKind, missingIn folders: [String],
    usuallyIn reports: String, around directory: String
  ) {
    guard choice == .accepted(elseBranches: choice.branches), let searched = folders.first else {
      return
    }
    for suite in suites where !loaded.contains(where: { $0.suite == suite }) {
      let found = BaselineFile.folder(ofSuite: suite, kind, in: reports, around: directory)
      guard let found else { continue }
      remarks[suite] = .baselineElsewhere(searched: "\(searched)/baselines", found: found)
    }
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
  /// The suites that the last whole run of the branches had, and that no longer exist.
  private var vanished: [String] = []

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
    for suite in run.suites where !run.isUnjudged(suite.id) {
      var record = ReferenceRecord(suite: suite.id)
      var found = matching.first { $0.suite == suite.id }
      if isOld, let time = found?.acceptedAt, time >= run.startedAt {
        found = nil
        record.remark = .acceptedLater
      } else if found == nil {
        (found, record.remark) = try plan.choice.replacement(
          for: suite.id, of: run, in: store, plan.history)
        // There may be files for other models, or for another kind of answers.
        let others = plan.loaded.filter { $0.suite == suite.id }
        if record.remark?.isLostFile == true, !others.isEmpty { record.remark = nil }
        if found == nil, record.remark == nil, BaselineKind(of: run) != .recorded,
          others.contains(where: { BaselineKind(of: $0.run) == .model })
        {
          record.remark = .baselinesOfOtherModels
        }
      }
      if found == nil, record.remark == nil { record.remark = plan.remarks[suite.id] }
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
    guard run.details.isOfAllSuites == true, !branches.isEmpty else { return }
    vanished = try plan.choice.vanished(since: run, in: store, plan.history)
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

  /// Returns a plan that also has the references which the shards of a run kept.
  ///
  /// A baseline file that the plan loaded comes before a copy that shards kept.
  ///
  /// - Parameters:
  ///   - plan: What to compare the merged run with.
  ///   - shards: The shards, each with its database.
  /// - Throws: `SessionFailure` if a copy is damaged, or if the shards kept different references of
  ///   a suite and no file replaces them.
  package static func plan(
    _ plan: ReferencePlan, takingOver shards: [(name: String, run: RunRecord, store: ResultStore)]
  ) throws(SessionFailure) -> ReferencePlan {
    guard plan.choice == .accepted(elseBranches: plan.choice.branches) else { return plan }
    var plan = plan
    let known = Set(plan.loaded.map(\.suite))
    var taken: [String: (digest: String, name: String)] = [:]
    for shard in shards {
      for baseline in try References(keptBy: shard.run, in: shard.store).baselines
      where !known.contains(baseline.suite) {
        let digest = SHA256.hexDigest(of: baseline.copy)
        if let first = taken[baseline.suite] {
          guard first.digest == digest else {
            throw SessionFailure(
              .usage,
              "\(first.name) and \(shard.name) were compared with different references of "
                + "\(baseline.suite), and there is no baseline file; accept a baseline")
          }
          continue
        }
        taken[baseline.suite] = (digest, shard.name)
        plan.loaded.append(baseline)
      }
      for record in shard.run.details.references ?? [] {
        if let remark = record.remark, remark.preventsComparison {
          plan.remarks[record.suite] = remark
        }
      }
    }
    return plan
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
    let suites = Set(run.suites.map(\.id))
    // A whole run keeps entries about unknown suites too, so that its reports can name them.
    let entries = plan.acknowledgements.filter {
      run.details.isOfAllSuites == true || suites.contains($0.suite)
    }
    run.details.acknowledgements = entries.isEmpty ? nil : entries
    let vanished = run.details.vanishedBaselines ?? []
    let all = vanished + references.vanished.filter { !vanished.contains($0) }
    run.details.vanishedBaselines = all.isEmpty ? nil : all
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
    if !branches.isEmpty, run.hasUnknownBranch { report.remarks.append(.unknownBranch) }
    report.isFirst =
      !records.isEmpty && !branches.isEmpty && !run.hasUnknownBranch && run.status == .complete
    report.isMissingEverywhere =
      baselines.isEmpty && !records.isEmpty && records.allSatisfy { !$0.hadBaseline }
    return report
  }
}

extension ReferenceRecord {
  /// Whether the suite has no reference although a baseline was accepted for it.
  fileprivate var hadBaseline: Bool {
    switch remark {
    case .baselineElsewhere: true
    case let remark?: remark.preventsComparison
    case nil: false
    }
  }
}
