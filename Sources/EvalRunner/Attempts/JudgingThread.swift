import EvalRecords
import Foundation
import Synchronization

/// Judges an answer on a thread of its own, which external programs may keep waiting.
///
/// The threads of Swift's cooperative pool are as few as the cores, and everything else of the run
/// goes on on them: two slow programs would hold up a machine of two cores.
final class JudgingThread: Sendable {
  private struct State {
    var continuation: CheckedContinuation<AttemptRecord?, Never>?
    var isGivenUp = false
  }

  private let state = Mutex(State())

  /// Whether nobody waits for the result any longer.
  var isGivenUp: Bool { state.withLock(\.isGivenUp) }

  /// Waits for the thread, or for the task to be cancelled.
  ///
  /// - Parameter judge: What the thread does.
  /// - Returns: What came of it; nil where the task was cancelled before.
  func result(_ judge: @escaping @Sendable () -> AttemptRecord) async -> AttemptRecord? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isGivenUp = state.withLock { state in
          if !state.isGivenUp { state.continuation = continuation }
          return state.isGivenUp
        }
        guard !isGivenUp else { return continuation.resume(returning: nil) }
        let thread = Thread { self.end(with: judge()) }
        // Judging goes as deep as values and assertions are nested.
        thread.stackSize = 8 << 20
        thread.start()
      }
    } onCancel: {
      state.withLock { $0.isGivenUp = true }
      end(with: nil)
    }
  }

  private func end(with attempt: AttemptRecord?) {
    let continuation = state.withLock { state in
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(returning: attempt)
  }
}
