import EvalFindings
import EvalRecords
import EvalRunner
import EvalStatistics
import ResultStore

/// A run that gates and references judge, with everything that its reports and its exit status
/// depend on.
///
/// The sequence is the same for a run that has just ended, for a stored run, for merged shards and
/// for imported answers:
///
/// ```
/// attempts ─► gates ───────────────────────────┐
/// references ─► comparisons ─► second looks ───┼─► conclusion ─► exit status, every report
/// ```
package struct JudgedRun {
  /// The run.
  package let run: RunRecord
  /// The attempts.
  package let attempts: [AttemptRecord]
  /// The results of the suites' gates.
  package let gates: [GateResultRecord]
  /// What the run is compared with.
  package let references: References
  /// One comparison for each reference, and then one for each second look and backend.
  package private(set) var comparisons: [ReportComparison]
  private let history: RunHistory

  /// Judges a run.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - attempts: Its attempts.
  ///   - references: What the run is compared with.
  ///   - store: The database with the earlier runs to pool with the references, or `nil` for none.
  ///   - history: The earlier runs.
  package init(
    _ run: RunRecord, _ attempts: [AttemptRecord], against references: References,
    pooling store: ResultStore?, _ history: RunHistory
  ) throws(SessionFailure) {
    self.run = run
    self.attempts = attempts
    self.references = references
    self.history = history
    gates = GateResultRecord.results(
      suites: run.suites, backends: run.backends.map(\.id), attempts: attempts,
      unjudged: run.unjudgedSuites)
    comparisons = try SuiteBaseline.night(
      references.baselines, with: run, attempts, pooling: store)
  }

  /// Each reference, and the comparison of the run with this reference.
  package var compared: [(SuiteBaseline, ComparisonRecord)] {
    Array(zip(references.baselines, comparisons.map(\.record)))
  }

  /// Adds the comparisons from the second looks at the run.
  ///
  /// - Parameter store: The database with the second looks.
  package mutating func addSecondLooks(in store: ResultStore) throws(SessionFailure) {
    comparisons += try VariantComparisons.secondLooks(of: run.id, in: store)
  }

  /// The conclusion, from which the exit status and every report follow.
  package var conclusion: Conclusion {
    Conclusion(
      run, attempts, gates: gates, verdicts: comparisons.map(\.record.verdict),
      hasNewlyFailing: comparisons.contains { $0.record.hasNewlyFailing },
      acknowledged: acknowledged)
  }

  /// What the run's acknowledgements make of its findings, or `nil` if it has none.
  package var acknowledged: AcknowledgedFindings? {
    guard run.details.acknowledgements?.isEmpty == false else { return nil }
    return AcknowledgedFindings(
      run, attempts, gates: gates, comparisons: comparisons.map(\.record))
  }

  /// Everything that makes the run fail and can be acknowledged.
  package var redFindings: [RedFinding] {
    AcknowledgedFindings.findings(
      of: run, attempts, gates: gates, comparisons: comparisons.map(\.record))
  }

  /// Returns the content of the run's reports.
  ///
  /// - Parameter judging: The rule that turns the conclusion into success or failure.
  package func document(_ judging: Judging) -> ReportDocument {
    ReportDocument(
      run: run, attempts: attempts, gates: gates, comparisons: comparisons,
      baseline: SuiteBaseline.joined(references.baselines), history: history,
      references: references.report(of: run, history), conclusion: conclusion,
      judging: judging, acknowledged: acknowledged)
  }
}

extension JudgedRun {
  /// Judges a stored run.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - plan: What to compare the run with if it kept no references, or if the plan's choice isn't
  ///     the choice of the command that made the run.
  ///   - isOld: Whether the run was judged before, by Assay 0.1, which kept no references.
  ///   - store: The database.
  package init(
    stored run: RunRecord, _ plan: ReferencePlan, isOld: Bool, in store: ResultStore
  ) throws(SessionFailure) {
    var run = run
    let references: References
    let isSameChoice = plan.choice == (try run.choice)
    if run.details.references != nil, isSameChoice {
      references = try References(keptBy: run, in: store)
    } else {
      references = try References(plan, of: run, isOld: isOld, in: store)
      run.details.references = references.records
    }
    let attempts = try perform { try store.attempts(run: run.id) }
    let kept = isSameChoice ? try KeptComparisons.records(of: run, in: store) : nil
    try self.init(
      run, attempts, against: references, pooling: kept == nil ? store : nil, plan.history)
    for (index, record) in (kept ?? []).enumerated() where comparisons.indices.contains(index) {
      // An import gives runs other numbers.
      let sides = (comparisons[index].record.baseline, comparisons[index].record.candidate)
      comparisons[index].record = record
      (comparisons[index].record.baseline, comparisons[index].record.candidate) = sides
    }
    try addSecondLooks(in: store)
  }
}

extension RunRecord {
  /// What the command that made the run compared it with.
  package var choice: BaselineChoice {
    get throws(SessionFailure) { try BaselineChoice(details.baselineRule) }
  }
}
