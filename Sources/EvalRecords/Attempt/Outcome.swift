/// How an attempt ended.
///
/// Every attempt has exactly one outcome and stays in the denominator.
public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
  /// No assertion failed and at least one passed.
  case pass
  /// An assertion failed, or all were vacuous.
  case fail
  /// No value came back; `AttemptRecord.failure` says why. Counts as not passed.
  case error
  /// The attempt was planned and not run (an interrupted run, a budget that ended).
  case skipped
}

/// Why generation stopped.
public enum StopReason: String, Sendable, Hashable, Codable, CaseIterable {
  /// The model ended a complete value.
  case complete
  /// The limit on tokens was reached before the value was complete.
  case tokenLimit
  /// The model's context was full before the value was complete.
  case contextFull
  /// The model declined to answer.
  case refusal
  /// The backend failed, or the time was up; see the failure.
  case failed
}

/// What went wrong where no value came back.
public struct AttemptFailure: Error, Sendable, Hashable, Codable {
  /// The kinds of failure, after Apple's error names where there is one.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case truncated
    case refusal
    case malformedOutput
    /// The answer is JSON that doesn't keep to its schema, which no mask held it to.
    case schemaMismatch
    case timeout
    case contextSizeExceeded
    case unsupportedGenerationGuide
    case rateLimited
    case backend
  }

  /// The kind.
  public var kind: Kind
  /// The details in words.
  public var message: String

  /// Makes a failure.
  public init(kind: Kind, message: String) {
    self.kind = kind
    self.message = message
  }
}
