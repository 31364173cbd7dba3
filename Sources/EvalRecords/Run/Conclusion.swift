/// The conclusion of a run or a comparison, which decides the headline and the exit status.
///
/// The first line that applies is the conclusion:
///
/// ```
/// defect           Assay itself failed in some attempt
/// nothingRan       a served model became unusable during the run
/// interrupted      the run stopped before its end
/// passed           the run is one shard of a larger run, and has no attempts
/// nothingRan       there are suites with gates, or comparisons of attempts, but every attempt (if
///                  any) ended with the failure `backend`
/// failed           a gate was missed, a comparison's verdict is `regressed` or `broken`, or a
///                  stored answer differs from the same answer computed anew
/// notComparable    a requested comparison is impossible, or gates and baselines were written for
///                  another model than the run's, which no user named
/// inconclusive     the sample of a comparison is too small to tell, or a test case newly fails
/// acknowledged     a gate was missed or something regressed, and all of that is acknowledged
/// notJudged        gates and baselines were written for other models than the run's
/// passed           none of the above
/// ```
public enum Conclusion: String, Sendable, Hashable, CaseIterable {
  /// Assay itself failed in some attempt (`AttemptFailure.Kind.defect`), so the run judges nothing.
  case defect
  /// The run stopped before its end.
  case interrupted
  /// No backend answered any attempt, or a served model became unusable during the run.
  case nothingRan
  /// A gate was missed, something regressed, a comparison has too many backend errors, or a stored
  /// answer differs from the same answer computed anew.
  case failed
  /// A requested comparison is impossible.
  case notComparable
  /// The sample of a comparison is too small to tell, or a test case newly fails.
  case inconclusive
  /// Everything that would make the run fail is acknowledged.
  case acknowledged
  /// No gate and no baseline judges the answers of any model, because they were written for other
  /// models than the one that the user named.
  case notJudged
  /// No gate was missed, and nothing got worse.
  case passed

  /// Creates a conclusion from the facts about a run.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - attempts: Its attempts.
  ///   - gates: The results of its gates, or an empty array if only a comparison judges the run.
  ///   - verdicts: The verdicts of its comparisons.
  ///   - hasNewlyFailing: Whether a test case newly fails in any of them.
  ///   - acknowledged: What acknowledgements make of the findings, or `nil` if there are none.
  public init(
    _ run: RunRecord, _ attempts: [AttemptRecord], gates: [GateResultRecord],
    verdicts: [ComparisonVerdict], hasNewlyFailing: Bool = false,
    acknowledged: AcknowledgedFindings? = nil
  ) {
    let missedGates = acknowledged?.missedGates ?? gates.filter { !$0.isPassed }
    let verdicts = acknowledged?.verdicts ?? verdicts
    let hasNewlyFailing = acknowledged?.hasNewlyFailing ?? hasNewlyFailing
    let unjudged = run.unjudgedSuites
    if attempts.contains(where: \.isDefect) {
      self = .defect
    } else if run.details.hasEndedBackend {
      self = .nothingRan
    } else if run.status == .interrupted {
      self = .interrupted
    } else if attempts.isEmpty, !gates.isEmpty || verdicts.isEmpty, run.details.shard != nil {
      // A shard of a larger run may have no test cases, so gates judge only the merged run.
      self = .passed
    } else if !gates.isEmpty || !unjudged.isEmpty || !verdicts.isEmpty && !attempts.isEmpty,
      attempts.allSatisfy({ $0.failure?.kind == .backend && $0.isBackendError })
    {
      self = .nothingRan
    } else if !missedGates.isEmpty || verdicts.contains(.regressed) || verdicts.contains(.broken)
      || run.details.hasFailedAudit
    {
      self = .failed
    } else if verdicts.contains(.notComparable)
      || !gates.isEmpty && run.details.lacksReference
      || unjudged.contains(where: { !$0.used.isNamed })
    {
      self = .notComparable
    } else if verdicts.contains(.inconclusive) || hasNewlyFailing {
      self = .inconclusive
    } else if acknowledged?.covered.isEmpty == false {
      self = .acknowledged
    } else if !unjudged.isEmpty, verdicts.isEmpty,
      !gates.contains(where: { run.details.selectedModels?[$0.backend] != nil })
    {
      self = .notJudged
    } else {
      self = .passed
    }
  }
}

/// The rule that turns a conclusion into success or failure, where the user has a choice.
public struct Judging: Sendable, Hashable, Codable {
  /// Whether an inconclusive comparison fails the command.
  public var failsInconclusive: Bool
  /// Whether runs that are not comparable count as passed.
  public var allowsNotComparable: Bool

  /// Creates a rule; by default, an inconclusive comparison passes, and a comparison that is
  /// impossible doesn't.
  public init(failsInconclusive: Bool = false, allowsNotComparable: Bool = false) {
    self.failsInconclusive = failsInconclusive
    self.allowsNotComparable = allowsNotComparable
  }

  /// Returns whether a run with a conclusion ends with exit status 0.
  ///
  /// JUnit, annotations, the badge and the dashboard are red if and only if it doesn't.
  public func isSuccess(_ conclusion: Conclusion) -> Bool {
    switch conclusion {
    case .passed, .acknowledged, .notJudged: true
    case .inconclusive: !failsInconclusive
    case .notComparable: allowsNotComparable
    case .defect, .interrupted, .nothingRan, .failed: false
    }
  }
}
