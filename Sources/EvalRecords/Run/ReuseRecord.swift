/// The answers that a run reused from earlier runs, and the audit of these answers.
///
/// An attempt that samples nothing new gives the same answer again, so a run may take the answer
/// from an earlier run. To prove that it would have been the same, the run computes some of these
/// attempts anew, drawn by date, and compares them bit for bit. A single difference shows that the
/// stored answers can't be trusted. Then the run reuses none of them.
public struct ReuseRecord: Sendable, Hashable, Codable {
  /// An attempt that was computed anew and differs from the stored one.
  public struct Difference: Sendable, Hashable, Codable {
    /// The first part of an answer that differs.
    public enum Part: String, Sendable, Hashable, Codable, CaseIterable {
      /// The text of the output.
      case output
      /// The reason why the answer ended.
      case stopReason
      /// The number of tokens of the prompt or of the output.
      case tokens
      /// The decisions or their probabilities.
      case decisions
      /// The constraint pressure.
      case pressure
    }

    /// The attempt.
    public var attempt: AttemptKey
    /// The run that made the stored attempt.
    public var origin: RunOrigin
    /// The first part that differs.
    public var part: Part

    /// Creates a difference.
    public init(attempt: AttemptKey, origin: RunOrigin, part: Part) {
      self.attempt = attempt
      self.origin = origin
      self.part = part
    }
  }

  /// The number of answers that the run reused.
  public var reused: Int
  /// The number of attempts that the run computed anew and compared with stored ones.
  public var audited: Int
  /// The runs that made the reused answers.
  public var origins: [RunOrigin]
  /// The audited attempts that differ from the stored ones, or `nil` if there are none.
  public var differences: [Difference]?

  /// Creates a record.
  public init(
    reused: Int = 0, audited: Int = 0, origins: [RunOrigin] = [], differences: [Difference] = []
  ) {
    self.reused = reused
    self.audited = audited
    self.origins = origins
    self.differences = differences.isEmpty ? nil : differences
  }

  /// Returns the record of a run that was continued: the sum of both parts.
  package func followed(by next: ReuseRecord) -> ReuseRecord {
    ReuseRecord(
      reused: reused + next.reused, audited: audited + next.audited,
      origins: origins + next.origins.filter { !origins.contains($0) },
      differences: (differences ?? []) + (next.differences ?? []))
  }
}

extension ReuseRecord.Difference.Part {
  /// Returns the first part in which an attempt that was computed anew differs from the stored
  /// attempt, or `nil` if they are equal to the last bit.
  ///
  /// The duration may differ, and so may everything that the suite's assertions decide.
  package static func first(_ stored: AttemptRecord, _ anew: AttemptRecord) -> Self? {
    if stored.output != anew.output
      || !stored.output.utf8.elementsEqual(anew.output.utf8)
    {
      return .output
    }
    if stored.stopReason != anew.stopReason { return .stopReason }
    if stored.promptTokens != anew.promptTokens || stored.outputTokens != anew.outputTokens
      || stored.forcedTokens != anew.forcedTokens
    {
      return .tokens
    }
    if stored.decisions != anew.decisions { return .decisions }
    return stored.constraintPressure == anew.constraintPressure ? nil : .pressure
  }
}

extension RunDetails {
  /// Whether an attempt that the run computed anew differs from the stored attempt.
  public var hasFailedAudit: Bool { reuse?.differences?.isEmpty == false }
}
