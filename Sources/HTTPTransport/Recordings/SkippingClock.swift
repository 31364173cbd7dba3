import Synchronization

/// A clock that doesn't wait: sleeping only moves its time forward.
///
/// Replays use this clock, because they don't have to wait for a server.
public final class SkippingClock: Clock {
  /// A point in time: the sum of all pauses before it.
  public struct Instant: InstantProtocol {
    fileprivate var offset: Duration

    /// Returns the point in time after a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// Returns the duration to another point in time.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Returns whether a point in time is before another point in time.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let skipped = Mutex<Duration>(.zero)

  /// Creates a clock at time zero.
  public init() {}

  /// The clock's time.
  public var now: Instant { Instant(offset: skipped.withLock(\.self)) }
  /// The smallest duration that the clock distinguishes.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Moves the clock's time forward to a deadline, without waiting.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    skipped.withLock { $0 = max($0, deadline.offset) }
  }
}
