import EvalRecords
import Synchronization
import SystemBasics

/// The rule for waiting while another process holds a lock: how long to wait, whom to tell, and
/// whether to stop early.
///
/// The rule applies to the database and to the folder of reports.
public final class LockWait: Sendable {
  /// The time to wait for each lock, in seconds.
  public let limit: Double

  private let clock: any Clock<Duration>
  private let onWait: @Sendable (LockNotice) -> Void
  private let isHurried = Atomic(false)
  private let hasEnded = Atomic(false)

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - limit: The time to wait for each lock, in seconds.
  ///   - clock: The clock for the time.
  ///   - onWait: Receives a notice once for each wait that takes longer than a second, on the thread
  ///     that waits.
  public init(
    limit: Double = 60, clock: any Clock<Duration> = ContinuousClock(),
    onWait: @escaping @Sendable (LockNotice) -> Void = { _ in }
  ) {
    self.limit = limit
    self.clock = clock
    self.onWait = onWait
  }

  /// One wait for one lock.
  struct Turn {
    /// Returns the time since the wait began, in seconds.
    fileprivate let elapsed: @Sendable () -> Double
    fileprivate var tries = 0
    fileprivate var isTold = false
  }

  /// Begins to wait for a lock.
  func begin() -> Turn { Turn(elapsed: clock.stopwatch()) }

  /// Ends every wait, now and later, after a quarter of a second and a few tries.
  ///
  /// That is long enough for the short transactions of other runs, even on a busy machine.
  public func hurry() { isHurried.store(true, ordering: .relaxed) }

  /// Whether a wait ended early because of ``hurry()``.
  public var hasEndedEarly: Bool { hasEnded.load(ordering: .relaxed) }

  /// Pauses before another try to take a lock.
  ///
  /// If thirty processes write, a process that pauses for a tenth of a second, as SQLite does, may
  /// never get the lock before its time is up. So the pauses take 1 to 8 ms, and depend on the
  /// process id, so that the processes don't all try at the same moments.
  ///
  /// - Parameters:
  ///   - turn: The wait.
  ///   - path: The locked file or folder, for the notice.
  ///   - files: The files whose locks show which process holds the lock.
  /// - Returns: False if the wait is over; the function has then not paused.
  func pause(_ turn: inout Turn, path: String, files: [String]) -> Bool {
    let waited = turn.elapsed()
    if waited >= 1, limit > 1, !turn.isTold {
      turn.isTold = true
      onWait(LockNotice(path: path, holder: .first(of: files), limit: limit))
    }
    guard waited < limit else { return false }
    if waited >= 0.25, turn.tries >= 8, isHurried.load(ordering: .relaxed) {
      hasEnded.store(true, ordering: .relaxed)
      return false
    }
    let process = UInt64(UInt32(bitPattern: getpid()))
    usleep(UInt32(1 + (UInt64(turn.tries) &* 5 &+ process) % 8) * 1000)
    turn.tries += 1
    return true
  }

  /// Takes the exclusive lock of an open file or folder (`flock`), which the kernel releases when
  /// the descriptor is closed.
  ///
  /// On a file system without locks, the function does nothing.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor.
  ///   - path: The path, for messages.
  /// - Throws: `LockTimeout` if another process keeps the lock.
  public func lock(_ descriptor: Int32, path: String) throws(LockTimeout) {
    var turn = begin()
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      guard errno == EWOULDBLOCK else { return }
      guard pause(&turn, path: path, files: [path]) else {
        throw LockTimeout(path: path, holder: .first(of: [path]))
      }
    }
  }
}

/// The error for a lock that another process kept for too long.
public struct LockTimeout: Error, Sendable, Hashable, CustomStringConvertible {
  /// The locked file or folder.
  public let path: String
  /// The process that holds the lock, or `nil` if the system doesn't tell.
  public let holder: LockHolder?

  /// The reason, without the path.
  public var reason: String { "\(holder.map(\.description) ?? "another process") has locked it" }

  public var description: String { "\(path): \(reason)" }
}
