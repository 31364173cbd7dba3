import EvalRecords
import ResultStore
import StructuredText
import SystemBasics

extension BaselineChoice {
  /// Returns the reference for a suite that has no accepted baseline file, and a remark about it.
  ///
  /// If this choice names branches, the reference is the oldest complete run on any of them that
  /// used the same models. It isn't simply the previous run, because then a rate could fall a
  /// little with every run without any comparison noticing.
  func replacement(
    for suite: String, of run: RunRecord, in store: ResultStore, _ history: RunHistory
  ) throws(SessionFailure) -> (SuiteBaseline?, ReferenceRemark?) {
    guard case .accepted(let branches) = self else { return (nil, nil) }
    var (baseline, remark): (SuiteBaseline?, ReferenceRemark?) = (nil, nil)
    if !branches.isEmpty {
      (baseline, remark) = try BranchReference(
        suite: suite, run: run, branches: branches, store: store, history: history
      ).find()
      if baseline == nil, remark == nil {
        remark = try misspelledBranch(in: store, history)
      }
    }
    // The baseline file may have been deleted, or it may be in another folder of reports.
    if remark?.preventsComparison != true {
      let past = try perform {
        try store.pastBaseline(of: suite, before: run.id > 0 ? run.id : .max)
      }
      // Without the database, the history may know.
      let entry = history.entries.last { $0.hadBaseline(of: suite) != nil && !$0.isOf(run) }
      if let past {
        remark = past
      } else if let entry, entry.hadBaseline(of: suite) == true,
        (try? store.run(entry.run)).map(entry.isOf) != true
      {
        remark = .baselineFileIsGone(comparedRun: entry.run)
      }
    }
    return (baseline, remark)
  }

  /// Returns the remark that no run was made on the branch of the choice, if a branch with runs has
  /// a similar name.
  private func misspelledBranch(
    in store: ResultStore, _ history: RunHistory
  ) throws(SessionFailure) -> ReferenceRemark? {
    // `--baseline main` names two branches, of which one usually doesn't exist.
    guard branches.count == 1, let name = branches.first else { return nil }
    let known = Set(try perform { try store.branches() } + history.entries.compactMap(\.branch))
    guard !known.contains(name),
      let nearest = NearestName.nearest(to: name, among: known.sorted())
    else { return nil }
    return .misspelledBranch(name: name, known: nearest)
  }

  /// Returns the suites of the last whole run of the branches that a whole run no longer has.
  ///
  /// A run that found such suites, and ended with exit status 4 for that, doesn't count as the last
  /// one.
  func vanished(
    since run: RunRecord, in store: ResultStore, _ history: RunHistory
  ) throws(SessionFailure) -> [String] {
    let ids = Set(run.suites.map(\.id))
    if let entry = history.before(run).entries.last(where: {
      $0.isMeasured && $0.isOfFirstVariants && $0.exitStatus != 4
        && RunRecord.isOn(branches, branch: $0.branch, commit: $0.commit)
    }) {
      return entry.suites.filter { !ids.contains($0) }
    }
    let earlier = try perform {
      try store.runIDs(matching: RunFilter(status: .complete, before: run.id > 0 ? run.id : nil))
    }
    for id in earlier.reversed() {
      let stored = try perform { try store.run(id) }
      guard stored.details.isOfAllSuites == true, stored.details.variants == nil,
        RunRecord.isOn(branches, branch: stored.details.branch, commit: stored.commit),
        !stored.details.lacksReference || stored.details.judging?.allowsNotComparable == true
      else { continue }
      return stored.suites.map(\.id).filter { !ids.contains($0) }
    }
    return []
  }
}
