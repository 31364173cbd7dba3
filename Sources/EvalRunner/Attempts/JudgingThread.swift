import EvalRecords
import Synchronization
import SystemBasics

/// Judges an answer on a separate thread, because external programs may block the thread.
///
/// Swift's cooperative pool has only as many threads as there are cores, and the rest of the run
/// needs these threads. On a machine with two cores, two slow programs would block everything.
final class JudgingThread: Sendable {
  private struct State {
    var continuation: CheckedContinuation<AttemptRecord?, Never>?
    var isGivenUp = false
  }

  private let state = Mutex(State())

  /// Whether nobody is waiting for the result anymore, because the task was cancelled.
  var isGivenUp: Bool { state.withLock(\.isGivenUp) }

  /// Judges on a new thread, and waits until the thread ends or the task is cancelled.
  ///
  /// - Parameter judge: The function to call on the thread.
  /// - Returns: The result, or `nil` if the task was cancelled first.
  func result(_ judge: @escaping @Sendable () -> AttemptRecord) async -> AttemptRecord? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isGivenUp = state.withLock { state in
          if !state.isGivenUp { state.continuation = continuation }
          return state.isGivenUp
        }
        guard !isGivenUp else { return continuation.resume(returning: nil) }
        // Judging recurses as deep as values and assertions are nested, so it needs a large stack.
        DetachedThread.start(stackSize: 8 << 20) {
          self.end(with: judge())
        }
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
