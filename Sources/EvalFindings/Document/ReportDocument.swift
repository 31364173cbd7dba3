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
  public private(set) var headline: ReportHeadline

  /// The lab's mutations or edits, or `nil` if no lab made the run.
  package let lab: LabSummary?

  /// The program whose commands the reports name: `assay`, or a program with suites of its own.
  public var program = "assay"
  /// The options that commands in reports need to find these results; empty if the results are in
  /// the default places.
  public var placeOptions: [String] = []
  /// The earlier runs whose reports are beside this one's.
  package private(set) var linkedRuns: Set<Int> = []
  /// Whether the dashboard is beside the folder of the reports.
  package private(set) var hasDashboard = false
  /// Whether a comparison was requested although no suite has a reference.
  let hasNoReference: Bool
  /// Whether `assay baseline accept` would accept the run, so that a report may recommend it.
  let isGoodReference: Bool
  /// Whether the command ends with exit status 0.
  package let isSuccess: Bool
  package let summary: RunSummary
  package let baseline: RunSummary?
  package let edits: [GuideEdit]
  package private(set) var drillDowns: DrillDownPlan
  /// The attempts that have a counterpart in the reference.
  package private(set) var paired = PairedAttempts()
  /// The test cases on both sides of a comparison, those that changed most first; empty without a
  /// reference.
  package private(set) var changes: [ChangedCase] = []
  /// The earlier nights, and this run as the newest, or `nil` if no earlier run is known.
  package private(set) var nights: NightView?
  /// The findings that are new, known or fixed since the previous night.
  ///
  /// It is `nil` if there is no earlier run, or if the run has only some of the test cases.
  package private(set) var novelty: Novelty?

  /// Creates a document.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - attempts: Its attempts, in any order.
  ///   - gates: The results of its suites' gates.
  ///   - comparisons: Comparisons to show at the top of the report.
  ///   - baseline: An earlier run with its attempts, for comparison with this one.
  ///   - history: The runs of other nights; reports show only the nights before this run.
  ///   - references: The suites that have no reference (a run to compare with), and remarks about
  ///     the references of the others, or `nil` if no comparison was requested.
  ///   - lab: The findings of the lab that made the run.
  ///   - failsSurvivors: Whether the lab's command fails if a mutation survives.
  ///   - conclusion: The conclusion of the run, or `nil` to draw it from the other arguments.
  ///   - judging: The rule that turns the conclusion into success or failure, or `nil` for the rule
  ///     of the command that made the run.
  ///   - acknowledged: What acknowledgements make of the findings, or `nil` if there are none.
  /// - Complexity: O(n log n) in the number of attempts.
  public init(
    run: RunRecord, attempts: [AttemptRecord], gates: [GateResultRecord] = [],
    comparisons: [ReportComparison] = [],
    baseline: (run: RunRecord, attempts: [AttemptRecord])? = nil,
    history: RunHistory = RunHistory(), references: ReportReferences? = nil,
    lab: LabResult? = nil, failsSurvivors: Bool = false, conclusion: Conclusion? = nil,
    judging: Judging? = nil, acknowledged: AcknowledgedFindings? = nil
  ) {
    let conclusion =
      conclusion
      ?? Conclusion(
        run, attempts, gates: gates, verdicts: comparisons.map(\.record.verdict),
        hasNewlyFailing: comparisons.contains { $0.record.hasNewlyFailing })
    isSuccess = (judging ?? run.details.judging ?? Judging()).isSuccess(conclusion)

    self.gates = gates
    self.comparisons = comparisons
    hasNoReference = references?.isMissingEverywhere ?? false
    summary = RunSummary(run: run, attempts: attempts, gates: gates)
    self.baseline = baseline.map { RunSummary(run: $0.run, attempts: $0.attempts, gates: []) }
    isGoodReference =
      baseline.map { BaselineKind(of: $0.run) == BaselineKind(of: run) } != false
      && BaselineProblem.problems(
        of: run, attempts, suites: run.suites.map(\.id), gates: gates,
        comparisons: comparisons.map(\.record)
      ).isEmpty
    drillDowns = DrillDownPlan(summary) { _ in false }
    edits = GuideEdit.edits(comparisons: comparisons, run: run, baseline: baseline?.run)
    let summary = summary
    self.lab = lab.map { LabSummary($0, summary, failsSurvivors: failsSurvivors) }
    headline =
      self.lab.map { ReportHeadline($0) }
      ?? ReportHeadline(
        summary: summary, baseline: self.baseline, gates: gates, comparisons: comparisons,
        conclusion: conclusion,
        references: references, acknowledged: acknowledged)
    if hasBaseline {
      paired = PairedAttempts(self)
      changes = ChangedCase.all(in: self)
      drillDowns = DrillDownPlan(summary) { attemptBefore(summary.attempts[$0])?.outcome == .pass }
    }
    let own = HistoryEntry(self, exitStatus: 0)
    let earlier = history.before(run).onModels(of: own)
    if !earlier.entries.isEmpty {
      nights = NightView(NightView(earlier.adding(own)), limit: NightView.reportLimit)
    }
    if let nights, !run.details.isPart {
      let novelty = Novelty(nights.history)
      self.novelty = novelty
      if headline.state != .acknowledged, let words = novelty.words(in: nights) {
        headline.add(novelty: words)
      }
    }
  }
}

extension ReportDocument {
  /// The previous complete run in the history, or `nil` if there is none.
  package var previousRun: HistoryEntry? {
    nights?.history.entries.dropLast().last { $0.status == .complete }
  }

  /// Links the page to the reports of the previous run and of the reference, and to the dashboard.
  ///
  /// - Parameter exists: Returns whether a file exists, given its path from the folder of reports.
  public mutating func link(to exists: (String) -> Bool) {
    guard let history = nights?.history else { return }
    let known = Set(history.entries.dropLast().map(\.identity))
    let reference = baseline?.run
    let runs = [
      previousRun?.run,
      reference.flatMap { known.contains(["\($0.id)", $0.startedAt]) ? $0.id : nil },
    ]
    linkedRuns = Set(runs.compactMap { $0 }.filter { $0 != run.id && exists("\($0)/report.html") })
    hasDashboard = exists("index.html")
  }

  /// Returns whether a suite missed its gate.
  ///
  /// If the run stopped before it reached the suite, or is a shard without attempts at the suite,
  /// the result is `false`: nobody knows yet.
  package func isMissed(_ slice: SliceSummary) -> Bool {
    slice.gate?.isPassed == false
      && (slice.tally.attempts > 0 || run.status == .complete && run.details.shard == nil)
  }

  /// Returns whether failures in a suite count against the run: the command doesn't end with exit
  /// status 0, and the suite missed its gate or got worse.
  package func failsRun(_ slice: SliceSummary, _ finding: SliceFinding?) -> Bool {
    !isSuccess && (isMissed(slice) || finding?.verdict.news == .bad)
  }

  /// The slice of the regression that the headline names, or `nil` if there is none.
  var worstSlice: SliceKey? {
    guard headline.state == .regressed,
      let effect = HeadlinePart.telling(comparisons.flatMap(\.record.effects)).first,
      effect.verdict == .regressed
    else { return nil }
    return effect.place.candidate
  }

  /// The effect that the headline names if the run regressed or improved, or that of all edits
  /// together in a lab, or `nil` if there is none.
  package var headlineEffect: EffectRecord? {
    if let lab {
      guard let together = lab.result.together?.variant else { return nil }
      let compared = comparisons.filter { $0.candidateVariant?.id == together }
      return HeadlinePart.telling(compared.flatMap(\.record.effects)).first {
        $0.isGating && $0.isPossible
      }
    }
    guard [.regressed, .improved].contains(headline.state) else { return nil }
    let wanted: ComparisonVerdict = headline.state == .regressed ? .regressed : .improved
    return HeadlinePart.telling(comparisons.flatMap(\.record.effects)).first {
      $0.isGating && $0.verdict == wanted && $0.isPossible
    }
  }

  /// The causes of failures that a list shows, and those that it only counts.
  ///
  /// If the headline reports a regression, the cause that grew most in the regressed suite comes
  /// first.
  package func shownCauses(_ limit: Int) -> (causes: [FailureCause], rest: [FailureCause]) {
    var (causes, rest) = summary.tree.shown(limit)
    guard let worst = worstSlice, let before = counterpart(of: worst) else { return (causes, rest) }
    let old = before.run.tree.causes(in: before.key)
    let growth = summary.tree.causes(in: worst).map { cause in
      let was = old.first { $0.identity == cause.identity }?.failed ?? 0
      return (identity: cause.identity, count: cause.failed - was)
    }
    guard let most = growth.max(by: { $0.count < $1.count }), most.count > 0 else {
      return (causes, rest)
    }
    if let place = causes.firstIndex(where: { $0.identity == most.identity }) {
      causes.insert(causes.remove(at: place), at: 0)
    } else if let place = rest.firstIndex(where: { $0.identity == most.identity }) {
      causes.insert(rest.remove(at: place), at: 0)
    }
    return (causes, rest)
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
