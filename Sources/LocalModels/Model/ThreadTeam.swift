import CKernels
import Dispatch
import Synchronization

/// Threads that compute the parts of one job after another, during one evaluation.
///
/// The caller publishes a job, and computes parts of it like all other threads. It continues when
/// all parts are done:
///
/// ```
/// caller   job 1: part 0, part 2, │ serial work │ job 2: part 1, │ … │ end
/// helper          part 1, part 3, │ waits       │        part 0, │ … │ returns
/// ```
///
/// A job takes some 50 µs, but waking up a thread can take longer. So a helper waits for the
/// next job in a loop. It yields to other threads on the machine, and returns at the end of the
/// evaluation. If a helper starts late, or never, the caller computes all parts.
final class ThreadTeam: @unchecked Sendable {
  // Unchecked because of `work`. The caller writes it only before it publishes a job. A thread
  // reads it only after it has claimed a part of this job, and the caller waits for all parts.
  private var work: (Int) -> Void = { _ in }
  /// The job's number, its number of parts and the next part to claim, with 16 bits for each of the
  /// last two; at the end, all bits are set.
  private let state = Atomic<UInt64>(0)
  /// The number of parts of the current job that are done.
  private let done = Atomic<Int>(0)
  /// The number of threads, including the caller's.
  let size: Int

  private static let end = UInt64.max

  /// Creates a team, and starts its helpers.
  ///
  /// - Parameter size: The number of threads, including the caller's.
  init(size: Int) {
    self.size = size
    for _ in 1..<max(1, size) { DispatchQueue.global().async { self.help() } }
  }

  /// Computes the parts of a job, and returns when all of them are done.
  ///
  /// - Parameters:
  ///   - parts: The number of parts, below 65,536.
  ///   - work: Computes a part. Several threads call the closure at the same time.
  func run(parts: Int, _ work: @escaping (_ part: Int) -> Void) {
    self.work = work
    done.store(0, ordering: .relaxed)
    let job = (state.load(ordering: .relaxed) >> 32) + 1
    state.store(job << 32 | UInt64(parts) << 16, ordering: .releasing)
    while computePart() {}
    var waits = 0
    while done.load(ordering: .acquiring) < parts { Self.pause(&waits) }
  }

  /// Ends the work of the helpers.
  func finish() { state.store(Self.end, ordering: .releasing) }

  private func help() {
    var waits = 0
    while state.load(ordering: .relaxed) != Self.end {
      if computePart() { waits = 0 } else { Self.pause(&waits) }
    }
  }

  /// Computes the next part of the current job.
  ///
  /// - Returns: False if other threads have claimed all parts.
  private func computePart() -> Bool {
    var seen = state.load(ordering: .acquiring)
    while true {
      let part = Int(seen & 0xFFFF)
      guard seen != Self.end, part < Int(seen >> 16 & 0xFFFF) else { return false }
      let (isMine, now) = state.weakCompareExchange(
        expected: seen, desired: seen + 1, ordering: .acquiringAndReleasing)
      if isMine {
        work(part)
        done.wrappingAdd(1, ordering: .releasing)
        return true
      }
      seen = now
    }
  }

  /// Waits for a moment, and lets other threads run if the wait gets long.
  private static func pause(_ waits: inout Int) {
    waits += 1
    ck_pause(waits % 256 == 0 ? 1 : 0)
  }
}
