public import EvalRecords

/// What a run or a comparison came to: the one place that decides it, for the headline and for the exit
/// status.
///
/// The first of these that holds counts:
///
/// ```
/// nothingRan       a backend refused to go on
/// interrupted      the run was stopped
/// nothingRan       no attempt reached its backend
/// failed           a gate was missed, something regressed, or a comparison is broken
/// notComparable    a comparison that was wanted is impossible
/// inconclusive     a comparison couldn't tell
/// passed
/// ```
public enum Conclusion: String, Sendable, Hashable, CaseIterable {
  case interrupted
  case nothingRan
  case failed
  case notComparable
  case inconclusive
  case passed

  /// Concludes from the facts.
  ///
  /// - Parameters:
  ///   - status: How far the run came.
  ///   - attempts: Its attempts.
  ///   - gates: The results of its gates; none if a comparison alone judges it.
  ///   - verdicts: The verdicts of its comparisons.
  ///   - isShare: Whether the run is one share of several. A share may have no case; the merged run is
  ///     what is judged.
  ///   - hasEndedBackend: Whether a backend refused to go on, so that attempts were skipped.
  public init(
    status: RunRecord.Status, attempts: [AttemptRecord], gates: [GateResultRecord],
    verdicts: [ComparisonVerdict], isShare: Bool = false, hasEndedBackend: Bool = false
  ) {
    if hasEndedBackend {
      self = .nothingRan
    } else if status == .interrupted {
      self = .interrupted
    } else if attempts.isEmpty, isShare {
      self = .passed
    } else if !gates.isEmpty,
      attempts.allSatisfy({ $0.failure?.kind == .backend && $0.isBackendError })
    {
      self = .nothingRan
    } else if gates.contains(where: { !$0.isPassed }) || verdicts.contains(.regressed)
      || verdicts.contains(.broken)
    {
      self = .failed
    } else if verdicts.contains(.notComparable) {
      self = .notComparable
    } else if verdicts.contains(.inconclusive) {
      self = .inconclusive
    } else {
      self = .passed
    }
  }
}
