/// The outcome of an attempt.
///
/// Every attempt has exactly one outcome. Every attempt that was made counts in the denominator of
/// the pass rate.
public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
  /// No assertion failed and at least one passed or, with a threshold, the score was high enough
  /// and no guardrail failed.
  case pass
  /// The verdicts don't meet the conditions of ``pass``, or the answer was not a complete value of
  /// the schema (for example, because it was cut off or refused).
  ///
  /// If there was no complete value, `AttemptRecord.failure` has the reason.
  case fail
  /// The backend or Assay itself failed. The attempt says nothing about the model, but counts as
  /// not passed.
  ///
  /// `AttemptRecord.failure` has the reason.
  case error
  /// The attempt was planned but not made, for example because its gate was already settled or the
  /// run's budget was used up.
  case skipped
}

/// The reason why generation stopped.
public enum StopReason: String, Sendable, Hashable, Codable, CaseIterable {
  /// The value is complete.
  case complete
  /// The answer reached the token limit before the value was complete.
  case tokenLimit
  /// The model's context was full before the value was complete.
  case contextFull
  /// The model declined to answer.
  case refusal
  /// Every decision that the request asks for was made: see ``BackendRequest/needs``.
  case decided
  /// The backend failed or timed out; see the failure.
  case failed
}

/// The reason why an attempt returned no complete value of the schema.
public struct AttemptFailure: Error, Sendable, Hashable, Codable {
  /// The kinds of failure, named after Apple's errors if there is a counterpart.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The answer was cut off at the token limit.
    case truncated
    /// The model declined to answer.
    case refusal
    /// The answer is not JSON.
    case malformedOutput
    /// The answer is JSON that doesn't conform to the schema, which can happen if no mask enforces
    /// the schema.
    case schemaMismatch
    /// A transcript contains the prompt but no answer.
    case noAnswer
    /// There was no answer within the time limit.
    case timeout
    /// The context was full before the answer was complete.
    case contextSizeExceeded
    /// The prompt alone doesn't fit into the model's context.
    case promptTooLong
    /// The backend can't apply a guide.
    case unsupportedGenerationGuide
    /// The backend refused the request because it had received too many requests.
    case rateLimited
    /// The backend failed in another way.
    case backend
    /// Assay itself failed: its engine contradicted itself. Neither the model nor the backend can
    /// cause this.
    case defect

    /// Whether the backend or Assay failed, not the model, so that the attempt says nothing about
    /// the model.
    public var saysNothing: Bool {
      switch self {
      case .timeout, .unsupportedGenerationGuide, .rateLimited, .backend, .defect: true
      case .truncated, .refusal, .malformedOutput, .schemaMismatch, .noAnswer,
        .contextSizeExceeded, .promptTooLong:
        false
      }
    }
  }

  /// The kind.
  public var kind: Kind
  /// A description of the failure.
  public var message: String

  /// Creates a failure.
  public init(kind: Kind, message: String) {
    self.kind = kind
    self.message = message
  }
}
