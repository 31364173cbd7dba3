import EvalRecords
import ResultStore
import Synchronization

/// Stores the attempts of a run as they finish, and emits them as events.
final class AttemptSink: Sendable {
  private struct State {
    var attempts: [AttemptRecord] = []
    var keeper: AttemptKeeper
    var failure: String?
  }

  /// A stream that yields one element if the database stops accepting attempts.
  let failures: AsyncStream<Void>

  private let store: ResultStore
  private let run: Int
  private let time: TimeMeter?
  private let onEvent: Evaluation.EventHandler
  private let failed: AsyncStream<Void>.Continuation
  private let state: Mutex<State>

  /// Creates a sink.
  ///
  /// - Parameters:
  ///   - store: The database.
  ///   - run: The id of the run.
  ///   - time: Measures the processor time that storing takes; `nil` to measure nothing.
  ///   - keeper: Decides which data of an attempt to keep.
  ///   - onEvent: Receives an event for each stored attempt, one at a time.
  init(
    store: ResultStore, run: Int, time: TimeMeter? = nil, keeper: AttemptKeeper,
    onEvent: @escaping Evaluation.EventHandler
  ) {
    self.store = store
    self.run = run
    self.time = time
    self.onEvent = onEvent
    (failures, failed) = AsyncStream<Void>.makeStream()
    state = Mutex(State(keeper: keeper))
  }

  /// Stores an attempt and emits an event for it, unless storing an earlier attempt has failed.
  func add(_ attempt: AttemptRecord) {
    state.withLock { state in
      guard state.failure == nil else { return }
      let attempt = state.keeper.kept(attempt)
      do {
        let store = { try self.store.append(attempt, run: self.run) }
        if let time { try time.measure(store) } else { try store() }
      } catch {
        state.failure = String(describing: error)
        failed.yield()
        return
      }
      state.attempts.append(attempt)
      onEvent(.finished(attempt))
    }
  }

  /// The numbers of traces that were kept and dropped, or `nil` if there were no traces.
  var traceUse: TraceUse? {
    let use = state.withLock(\.keeper.use)
    return use.kept + use.dropped == 0 ? nil : use
  }

  /// Returns the stored attempts.
  ///
  /// - Throws: `SessionFailure` if the database stopped accepting attempts.
  func end() throws(SessionFailure) -> [AttemptRecord] {
    let (attempts, failure) = state.withLock { ($0.attempts, $0.failure) }
    if let failure { throw SessionFailure(.cannotRun, failure) }
    return attempts
  }
}
