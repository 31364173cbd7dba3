import Synchronization

/// A clock whose pauses take no time: it is set forward instead. Replays need no patience.
public final class SkippingClock: Clock {
  public typealias Instant = ContinuousClock.Instant

  private let skipped = Mutex<Duration>(.zero)

  /// Creates a clock that shows the time as it is.
  public init() {}

  public var now: Instant { ContinuousClock.now.advanced(by: skipped.withLock(\.self)) }
  public var minimumResolution: Duration { ContinuousClock().minimumResolution }

  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    let pause = now.duration(to: deadline)
    if pause > .zero { skipped.withLock { $0 += pause } }
  }
}
