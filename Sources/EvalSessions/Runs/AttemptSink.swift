import EvalRecords
import ResultStore
import Synchronization

/// Stores the attempts of a run as they finish, and emits them as events.
///
/// If the database stops accepting attempts, the sink collects the finished attempts, and `end`
/// writes them to a file beside the database.
final class AttemptSink: Sendable {
  private struct State {
    var attempts: [AttemptRecord] = []
    /// Finished attempts that could not be stored.
    var pending: [AttemptRecord] = []
    var keeper: AttemptKeeper
    var failure: String?
    /// The ends of ``AttemptSink/failures``.
    var watchers: [AsyncStream<Void>.Continuation] = []
  }

  private let store: ResultStore
  private let run: RunRecord
  private let time: TimeMeter?
  private let onEvent: Evaluation.EventHandler
  private let state: Mutex<State>

  /// Creates a sink.
  ///
  /// - Parameters:
  ///   - store: The database.
  ///   - run: The run, as it was when it began.
  ///   - time: Measures the processor time that storing takes; `nil` to measure nothing.
  ///   - keeper: Decides which data of an attempt to keep.
  ///   - onEvent: Receives an event for each stored attempt, one at a time.
  init(
    store: ResultStore, run: RunRecord, time: TimeMeter? = nil, keeper: AttemptKeeper,
    onEvent: @escaping Evaluation.EventHandler
  ) {
    self.store = store
    self.run = run
    self.time = time
    self.onEvent = onEvent
    state = Mutex(State(keeper: keeper))
  }

  /// Stores an attempt and emits an event for it, unless storing an earlier attempt has failed.
  ///
  /// The function blocks its thread while another process has locked the database. Call it for one
  /// attempt at a time.
  func add(_ attempt: AttemptRecord) {
    let (attempt, isFailed) = state.withLock { ($0.keeper.kept(attempt), $0.failure != nil) }
    if isFailed { return keep(attempt) }
    do {
      let store = { try self.store.append(attempt, run: self.run.id) }
      if let time { try time.measure(store) } else { try store() }
    } catch {
      keep(attempt)
      let watchers = state.withLock { state in
        state.failure = String(describing: error)
        return state.watchers
      }
      for watcher in watchers { watcher.yield() }
      return
    }
    state.withLock { $0.attempts.append(attempt) }
    onEvent(.finished(attempt))
  }

  /// Keeps an attempt for the file of pending attempts; a continued run makes skipped attempts
  /// anyway.
  private func keep(_ attempt: AttemptRecord) {
    guard attempt.outcome != .skipped else { return }
    state.withLock { $0.pending.append(attempt) }
  }

  /// A new stream that yields one element if the database stops accepting attempts, or if it has
  /// done so already.
  ///
  /// A stream ends when the task that reads it is cancelled, so each reader needs its own.
  var failures: AsyncStream<Void> {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    let hasFailed = state.withLock { state in
      state.watchers.append(continuation)
      return state.failure != nil
    }
    if hasFailed { continuation.yield() }
    return stream
  }

  /// The attempts that were stored so far.
  var attempts: [AttemptRecord] { state.withLock(\.attempts) }

  /// The numbers of traces that were kept and dropped, or `nil` if there were no traces.
  var traceUse: TraceUse? {
    let use = state.withLock(\.keeper.use)
    return use.kept + use.dropped == 0 ? nil : use
  }

  /// Returns the stored attempts.
  ///
  /// - Throws: `SessionFailure` if the database stopped accepting attempts. The message says where
  ///   the finished attempts are.
  func end() throws(SessionFailure) -> [AttemptRecord] {
    let (attempts, pending, failure) = state.withLock { ($0.attempts, $0.pending, $0.failure) }
    guard let failure else { return attempts }
    guard !pending.isEmpty else { throw SessionFailure(.cannotRun, failure) }
    let count = pending.count.counted("finished attempt")
    do {
      let file = try PendingAttempts.write(pending, of: run, beside: store.path)
      throw SessionFailure(
        .cannotRun,
        "\(failure); \(count) of run \(run.id) \(pending.count == 1 ? "is" : "are") in \(file), "
          + "and the next command that writes to the database adds "
          + "\(pending.count == 1 ? "it" : "them")"
      )
    } catch let failure as SessionFailure {
      throw failure
    } catch {
      throw SessionFailure(
        .cannotRun, "\(failure); \(count) of run \(run.id) could not be kept: \(error)")
    }
  }
}
