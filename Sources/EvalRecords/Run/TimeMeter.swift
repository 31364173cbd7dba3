import Synchronization

/// Adds up the processor time of a phase that runs on several threads.
package final class TimeMeter: Sendable {
  private let now: @Sendable () -> Double
  private let sum = Mutex(0.0)

  /// Creates a meter.
  ///
  /// - Parameter now: A closure that returns the processor time of the current thread, in seconds.
  package init(now: @escaping @Sendable () -> Double) { self.now = now }

  /// The time so far, in seconds.
  package var seconds: Double { sum.withLock(\.self) }

  /// Runs a closure on the current thread and adds the closure's processor time.
  package func measure<Result>(_ body: () throws -> Result) rethrows -> Result {
    let start = now()
    defer {
      let elapsed = now() - start
      sum.withLock { $0 += elapsed }
    }
    return try body()
  }
}
