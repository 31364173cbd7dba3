import EvalRecords
public import EvalStatistics

/// Everything a report shows, as a value: the records, and what was counted from them once.
///
/// Every report is a pure function of a document. Equal records give equal documents whatever
/// order the attempts come in, and equal documents give equal bytes; there is no clock.
public struct ReportDocument: Sendable {
  /// The run.
  public let run: RunRecord
  /// The results of the gates; empty if none was decided.
  public let gates: [GateResultRecord]
  /// Comparisons of variants or runs, each with the texts that were edited.
  public let comparisons: [ReportComparison]
  /// The state and the sentence that every report begins with.
  public let headline: ReportHeadline

  /// The lab's mutations and edits; nil for any other run.
  let lab: LabSummary?

  /// The options that lead from a command to these results, for commands that reports show; none if
  /// they lie where commands look for them.
  public var placeOptions: [String] = []
  let summary: RunSummary
  let baseline: RunSummary?
  let edits: [GuideEdit]
  private(set) var drillDowns: DrillDownPlan
  /// The nights before, and this run as the newest; nil where no history is known.
  private(set) var nights: NightView?

  /// Creates a document.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - attempts: Its attempts, in any order.
  ///   - gates: What the gates of its suites say.
  ///   - comparisons: Comparisons to show on top.
  ///   - baseline: An earlier run with its attempts, shown beside this one.
  ///   - history: The runs of other nights; those before this one are shown.
  ///   - references: What the suites are compared with, as far as something is missing; nil if no
  ///     comparison was wanted.
  ///   - lab: What a lab found, whose run it is.
  ///   - failsSurvivors: Whether the lab's command fails if a mutation survives.
  ///   - references: What the suites are compared with, as far as something is missing; nil if no
  ///     comparison was wanted.
  /// - Complexity: O(n log n) in the number of attempts.
  public init(
    run: RunRecord, attempts: [AttemptRecord], gates: [GateResultRecord] = [],
    comparisons: [ReportComparison] = [],
    baseline: (run: RunRecord, attempts: [AttemptRecord])? = nil,
    history: RunHistory = RunHistory(), references: ReportReferences? = nil,
    lab: LabResult? = nil, failsSurvivors: Bool = false
  ) {
    self.run = run
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
  /// The command that shows an attempt of the run, with as many options as it takes to name it.
  ///
  /// - Parameters:
  ///   - attempt: The attempt.
  ///   - namesRun: Whether the run is named; the last run needs no name.
  func showCommand(for attempt: AttemptRecord, namesRun: Bool) -> String {
    let key = attempt.key
    var words = ["assay show", key.address]
    if run.suites.first(where: { $0.id == key.suite })?.variants.count ?? 1 > 1 {
      words += ["--variant", key.variant]
    }
    if run.backends.count > 1 { words += ["--backend", key.backend] }
    if namesRun { words += ["--run", "\(run.id)"] }
    words += placeOptions
    return VisibleText.line(words.joined(separator: " "))
  }
}

/// A comparison with the two variants that were compared, so that the edit can be shown.
public struct ReportComparison: Sendable, Hashable {
  /// The result of the comparison.
  public var record: ComparisonRecord
  /// The baseline's variant as it was sent, where one variant was compared.
  public var baselineVariant: VariantRecord?
  /// The candidate's variant as it was sent.
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
