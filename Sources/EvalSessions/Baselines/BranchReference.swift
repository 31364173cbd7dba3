import EvalRecords
import EvalStatistics
import ResultStore

/// The search for the run that replaces an accepted baseline: the oldest complete run of a branch.
///
/// The search uses what is left of the history and the database: a run that only one of them knows
/// counts like a run that both know.
///
/// ```
/// history.jsonl ─┐
///                ├─► the oldest run with the same models ─► its attempts in the database, or
///     database ──┘                                          a copy that a later run kept, or
///                                                           the counts in the history
/// ```
struct BranchReference {
  /// The suite's id.
  let suite: String
  /// The run to compare.
  let run: RunRecord
  /// The branches.
  let branches: [String]
  let store: ResultStore
  let history: RunHistory

  /// How well the backends of an earlier run fit those of the run, best first.
  private enum Fit: CaseIterable {
    /// The same backends and models.
    case equal
    /// All backends of the run, and further ones.
    case more
    /// Some backends of the run.
    case some
    /// None.
    case none
  }

  /// An earlier run.
  private struct Candidate {
    var fit: Fit
    var stored: RunRecord?
    var entry: HistoryEntry?

    var number: Int { stored?.id ?? entry?.run ?? 0 }
    var modelNames: [String] { stored?.modelNames ?? entry?.modelNames ?? [] }
  }

  /// Finds the reference, and a remark about it.
  func find() throws(SessionFailure) -> (SuiteBaseline?, ReferenceRemark?) {
    // In a new database, numbers begin again at 1, so the time tells which runs were earlier, too.
    let before = Set(history.before(run).entries)
    let (runs, stopped, unfit) = try storedRuns()
    // The record of a stored run decides, because it says more than the run's line.
    let entries = history.entries.filter { entry in
      (before.contains(entry) || entry.startedAt < run.startedAt) && !entry.isOf(run)
        && entry.canBeReference(of: suite, on: branches)
        && entry.isRecorded == (BaselineKind(of: run) == .recorded)
        && !unfit.contains(where: entry.isOf)
    }
    for fit in Fit.allCases {
      let stored = runs.first { self.fit($0) == fit }
      let all = entries.filter { self.fit($0) == fit }
      let entry = try comparable(all)
      guard let candidate = oldest(fit, stored, entry) else {
        if fit != .none, let edited = all.first {
          return (nil, .countsOfEditedSuite(run: edited.run))
        }
        continue
      }
      return try reference(candidate, stopped: stopped.filter { $0 < candidate.number })
    }
    return (nil, nil)
  }

  /// Returns the first entry that the run can be compared with.
  ///
  /// Counts without attempts can't be compared if they rest on other inputs or assertions than the
  /// run's. A later entry that somebody allowed then takes the place of the first.
  private func comparable(_ entries: [HistoryEntry]) throws(SessionFailure) -> HistoryEntry? {
    guard let first = entries.first, first.isEdited(suite, since: run) == true else {
      return entries.first
    }
    let isStored = (try? store.run(first.run)).map(first.isOf) == true
    if isStored { return first }
    if try keptCopy(of: first) != nil { return first }
    return entries.first { $0.isEdited(suite, since: run) != true }
  }

  // MARK: Candidates

  /// The runs in the database, oldest first, up to the first one with the same backends; and among
  /// them, those that can't be the reference, and the numbers of those only because they stopped
  /// early.
  private func storedRuns() throws(SessionFailure) -> (
    fit: [RunRecord], stopped: [Int], unfit: [RunRecord]
  ) {
    let ids = try perform {
      try store.runIDs(
        matching: RunFilter(
          suite: suite, status: .complete, before: run.id > 0 ? run.id : nil))
    }
    var (runs, stopped, unfit): ([RunRecord], [Int], [RunRecord]) = ([], [], [])
    for id in ids {
      let stored = try perform { try store.run(id) }
      let canBeReference = try canBeReference(stored)
      // A run that stopped early isn't a fair reference, because its own results determined when it
      // stopped.
      guard canBeReference, !stored.hasStoppedEarly(suite) else {
        if canBeReference, fit(stored) == .equal { stopped.append(id) }
        unfit.append(stored)
        continue
      }
      runs.append(stored)
      if fit(stored) == .equal { break }
    }
    return (runs, stopped, unfit)
  }

  private func canBeReference(_ stored: RunRecord) throws(SessionFailure) -> Bool {
    let details = stored.details
    guard stored.isOfWholeSuites, !details.hasEndedBackend, !stored.isUnjudged(suite),
      RunRecord.isOn(branches, branch: details.branch, commit: stored.commit),
      (BaselineKind(of: stored) == .recorded) == (BaselineKind(of: run) == .recorded),
      details.acknowledgements?.contains(where: { $0.suite == suite }) != true
    else { return false }
    if let entry = history.entries.first(where: { $0.isOf(stored) }) {
      guard entry.canBeReference(of: suite, on: branches) else { return false }
      if entry.knowsErrors { return true }
    }
    let filter = AttemptFilter(suite: suite, includesTraces: false)
    let attempts = try perform { try store.attempts(run: stored.id, filter) }
    if ComparisonRules().isBroken(attempts, in: suite) { return false }
    if history.entries.contains(where: { $0.isOf(stored) }) { return true }
    // Without a line in the history, the run itself knows whether it was compared with other
    // models, and whether its user allowed that.
    let record = details.references?.first { $0.suite == suite }
    return record?.remark?.preventsComparison != true
      || details.judging?.allowsNotComparable == true
  }

  private func fit(_ stored: RunRecord) -> Fit {
    fit(count: stored.backends.count) { backend in stored.backends.contains(where: backend.isLike) }
  }

  private func fit(_ entry: HistoryEntry) -> Fit {
    fit(count: entry.backendCount, has: entry.hasModel)
  }

  private func fit(count: Int, has: (BackendRecord) -> Bool) -> Fit {
    let common = run.backends.count(where: has)
    if common == run.backends.count { return count == common ? .equal : .more }
    return common > 0 ? .some : .none
  }

  private func oldest(
    _ fit: Fit, _ stored: RunRecord?, _ entry: HistoryEntry?
  ) -> Candidate? {
    switch (stored, entry) {
    case (nil, nil): nil
    case (let stored?, let entry?) where entry.isOf(stored):
      Candidate(fit: fit, stored: stored, entry: entry)
    case (let stored?, let entry?):
      entry.isAfter(stored)
        ? Candidate(fit: fit, stored: stored) : Candidate(fit: fit, entry: entry)
    default: Candidate(fit: fit, stored: stored, entry: entry)
    }
  }

  // MARK: The reference of a candidate

  private func reference(
    _ candidate: Candidate, stopped: [Int]
  ) throws(SessionFailure) -> (SuiteBaseline?, ReferenceRemark?) {
    let others = ReferenceRemark.otherModels(
      run: candidate.number, before: candidate.modelNames, after: run.modelNames)
    var remark: ReferenceRemark? =
      switch candidate.fit {
      case .equal, .some: stopped.first.map { .stoppedEarly(run: $0, reference: candidate.number) }
      case .more, .none: others
      }
    if candidate.fit == .none { return (nil, remark) }
    if let stored = candidate.stored {
      if let copy = try keptCopy(in: stored) { return (copy.baseline, remark ?? copy.remark) }
      let attempts = try perform { try store.attempts(run: stored.id) }
      return (SuiteBaseline(suite: suite, run: stored, attempts: attempts), remark)
    }
    guard let entry = candidate.entry else { return (nil, remark) }
    if let copy = try keptCopy(of: entry) { return (copy.baseline, remark ?? copy.remark) }
    guard let counts = entry.reference(for: suite, like: run) else { return (nil, remark) }
    if remark == nil {
      remark =
        entry.isEdited(suite, since: run) == nil
        ? .uncheckedCounts(run: entry.run) : .countsOnly(run: entry.run)
    }
    return (SuiteBaseline(suite: suite, run: counts.run, attempts: counts.attempts), remark)
  }

  /// Returns the reference that a run was compared with, if that is an older run of the same models
  /// and not an accepted baseline, and the remark that its attempts are lost, if they are.
  ///
  /// If the older run is lost, its successor must not take its place, because the successor may
  /// have regressed.
  private func keptCopy(
    in stored: RunRecord
  ) throws(SessionFailure) -> (baseline: SuiteBaseline, remark: ReferenceRemark?)? {
    guard let record = stored.details.references?.first(where: { $0.suite == suite }),
      record.digest != nil, record.acceptedAt == nil,
      try stored.choice.branches == branches,
      let text = try perform({ try store.references(ofRun: stored.id)[suite] }),
      let file = try? BaselineFile(text: text, path: "\(store.path), run \(stored.id)"),
      !ComparisonRules().isBroken(file.attempts, in: suite),
      file.run.backends.count == run.backends.count,
      run.backends.allSatisfy({ backend in file.run.backends.contains(where: backend.isLike) })
    else { return nil }
    var remark: ReferenceRemark?
    if record.remark?.isAboutCounts == true { remark = record.remark }
    return (SuiteBaseline(suite: suite, run: file.run, attempts: file.attempts), remark)
  }

  /// Returns a copy of the entry's run that a later run kept.
  private func keptCopy(
    of entry: HistoryEntry
  ) throws(SessionFailure) -> (baseline: SuiteBaseline, remark: ReferenceRemark?)? {
    let ids = try perform {
      try store.runIDs(
        matching: RunFilter(suite: suite, before: run.id > 0 ? run.id : nil))
    }
    for id in ids.suffix(Self.searchedCopies).reversed() {
      let stored = try perform { try store.run(id) }
      if let copy = try keptCopy(in: stored), entry.isOf(copy.baseline.run) { return copy }
    }
    return nil
  }

  /// The number of runs that are searched for copies of a reference.
  private static let searchedCopies = 20
}
