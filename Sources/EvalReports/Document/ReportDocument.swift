import EvalRecords
public import EvalStatistics

/// The content of a report: the records of a run, and everything that reports count in them.
///
/// Every report is a pure function of a document. Equal records give equal documents regardless of
/// the order of the attempts, and equal documents give equal bytes; no report reads a clock.
public struct ReportDocument: Sendable {
  /// The run.
  public var run: RunRecord { summary.run }
  /// The results of the gates; empty if there are none.
  public let gates: [GateResultRecord]
  /// Comparisons of variants or runs, each with the variants that were compared.
  public let comparisons: [ReportComparison]
  /// The state and the sentence at the beginning of every report.
  public let headline: ReportHeadline

  /// The lab's mutations and edits, or `nil` if no lab made the run.
  let lab: LabSummary?

  /// The options that commands in reports need to find these results; empty if the results are in
  /// the default places.
  public var placeOptions: [String] = []
  let summary: RunSummary
  let baseline: RunSummary?
  let edits: [GuideEdit]
  private(set) var drillDowns: DrillDownPlan
  /// The earlier nights, and this run as the newest, or `nil` if no earlier run is known.
  private(set) var nights: NightView?

  /// Creates a document.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - attempts: Its attempts, in any order.
  ///   - gates: The results of its suites' gates.
  ///   - comparisons: Comparisons to show at the top of the report.
  ///   - baseline: An earlier run with its attempts, for comparison with this one.
  ///   - history: The runs of other nights; reports show only the nights before this run.
  ///   - references: The suites that have no reference, and remarks about references, or `nil` if
  ///     no comparison was requested.
  ///   - lab: The findings of the lab that made the run.
  ///   - failsSurvivors: Whether the lab's command fails if a mutation survives.
  /// - Complexity: O(n log n) in the number of attempts.
  public init(
    run: RunRecord, attempts: [AttemptRecord], gates: [GateResultRecord] = [],
    comparisons: [ReportComparison] = [],
    baseline: (run: RunRecord, attempts: [AttemptRecord])? = nil,
    history: RunHistory = RunHistory(), references: ReportReferences? = nil,
    lab: LabResult? = nil, failsSurvivors: Bool = false
  ) {
    self.gates = gates
    self.comparisons = comparisons
    summary = RunSummary(run: run, attempts: attempts, gates: gates)
    self.baseline = baseline.map { RunSummary(run: $0.run, attempts: $0.attempts, gates: []) }
    drillDowns = DrillDownPlan(summary) { _ in false }
    edits = GuideEdit.edits(comparisons: comparisons, run: run, baseline: baseline?.run)
    let summary = summary
    self.lab = lab.map { LabSummary($0, summary, failsSurvivors: failsSurvivors) }
    headline =
      self.lab.map { ReportHeadline($0) }
      ?? ReportHeadline(
        summary: summary, baseline: self.baseline, gates: gates, comparisons: comparisons,
        references: references)
    if hasBaseline {
      drillDowns = DrillDownPlan(summary) { attemptBefore(summary.attempts[$0])?.outcome == .pass }
    }
    let earlier = history.before(run)
    if !earlier.entries.isEmpty {
      nights = NightView(
        NightView(earlier.adding(HistoryEntry(self, exitStatus: 0))), limit: NightsSection.limit)
    }
  }
}

extension ReportDocument {
  /// The command that shows an attempt of the run, with all options that identify it.
  ///
  /// - Parameters:
  ///   - attempt: The attempt.
  ///   - namesRun: Whether the command names the run, which isn't necessary for the last run.
  func showCommand(for attempt: AttemptRecord, namesRun: Bool) -> String {
    let key = attempt.key
    var words = ["assay show", ShellText.word(key.address)]
    if run.suites.first(where: { $0.id == key.suite })?.variants.count ?? 1 > 1 {
      words += ["--variant", ShellText.word(key.variant)]
    }
    if run.backends.count > 1 { words += ["--backend", ShellText.word(key.backend)] }
    if namesRun { words += ["--run", "\(run.id)"] }
    words += placeOptions
    return VisibleText.line(words.joined(separator: " "))
  }
}

/// A comparison with the two variants that were compared, so that reports can show the edit.
public struct ReportComparison: Sendable, Hashable {
  /// The result of the comparison.
  public var record: ComparisonRecord
  /// The baseline's variant, as its run recorded it, or `nil` if it is unknown.
  public var baselineVariant: VariantRecord?
  /// The candidate's variant, as its run recorded it, or `nil` if it is unknown.
  public var candidateVariant: VariantRecord?

  /// Creates a comparison.
  public init(
    _ record: ComparisonRecord, baselineVariant: VariantRecord? = nil,
    candidateVariant: VariantRecord? = nil
  ) {
    self.record = record
    self.baselineVariant = baselineVariant
    self.candidateVariant = candidateVariant
  }
}
