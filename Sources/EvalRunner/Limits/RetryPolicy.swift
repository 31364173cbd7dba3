import EvalRecords

/// The rule for retrying attempts that failed.
///
/// The runner retries only after failures of the backend, because such failures say nothing about
/// the guides. It never retries after a failed assertion, a refusal or a cut-off answer. The
/// attempt's record keeps every earlier try.
public struct RetryPolicy: Sendable, Hashable {
  /// The maximum number of retries.
  public var limit: Int
  /// The pause before the first retry, which doubles with each further retry, up to a minute.
  public var pause: Duration

  /// Creates a policy.
  public init(limit: Int = 0, pause: Duration = .seconds(1)) {
    self.limit = max(0, limit)
    self.pause = max(.zero, pause)
  }

  /// Returns whether the attempt should be tried again.
  ///
  /// - Parameters:
  ///   - failure: The failure, or `nil` if there was none.
  ///   - earlier: The number of tries that failed before this try.
  func isWorthAnother(_ failure: AttemptFailure?, after earlier: Int) -> Bool {
    guard earlier < limit, let failure else { return false }
    return switch failure.kind {
    case .backend, .rateLimited, .timeout: true
    default: false
    }
  }

  /// Returns the pause before the next try, after one or more failed tries.
  func pause(after tries: Int) -> Duration {
    var pause = pause
    for _ in 1..<max(1, tries) where pause < .seconds(60) { pause *= 2 }
    return min(pause, .seconds(60))
  }
}
