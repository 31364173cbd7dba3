import Synchronization

/// The exchanges of a client: callers hand them in, and the client's thread takes and ends them.
///
/// ```
/// exchange(_:) ─► waiting ─► take: the client's thread ─► finish ─► the caller
///                    └── wake: ends the thread's wait immediately
/// ```
final class ExchangeQueue: Sendable {
  typealias Ending = Result<HTTPResponse, HTTPFailure>

  /// An exchange whose caller is waiting for its result.
  struct Exchange: Sendable {
    let number: UInt64
    let request: HTTPRequest
    fileprivate let continuation: CheckedContinuation<Ending, Never>
  }

  private struct State {
    var waiting: [UInt64: Exchange] = [:]
    /// The numbers of exchanges that the thread has to start.
    var begun: [UInt64] = []
    /// The numbers of exchanges that the thread has to cancel.
    var cancelled: [UInt64] = []
    /// The numbers of exchanges that were cancelled before `begin` was called.
    var cancelledEarly: Set<UInt64> = []
    var isStopped = false
  }

  private let state = Mutex(State())
  private let numbers = Atomic<UInt64>(0)
  private let wake: @Sendable () -> Void

  /// Creates a queue.
  ///
  /// - Parameter wake: Ends the thread's wait. The queue holds its lock meanwhile, and doesn't call
  ///   the function after the thread has learned that the client has stopped.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// Hands in a request, and waits for its response.
  func exchange(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    let number = numbers.wrappingAdd(1, ordering: .relaxed).newValue
    let result: Ending = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        begin(Exchange(number: number, request: request, continuation: continuation))
      }
    } onCancel: {
      cancel(number)
    }
    return try result.get()
  }

  private func begin(_ exchange: Exchange) {
    let isCancelled = state.withLock { state in
      if state.isStopped || state.cancelledEarly.remove(exchange.number) != nil { return true }
      state.waiting[exchange.number] = exchange
      state.begun.append(exchange.number)
      wake()
      return false
    }
    if isCancelled { exchange.continuation.resume(returning: .failure(.cancelled)) }
  }

  private func cancel(_ number: UInt64) {
    let exchange = state.withLock { state -> Exchange? in
      guard !state.isStopped else { return nil }
      guard let exchange = state.waiting.removeValue(forKey: number) else {
        state.cancelledEarly.insert(number)
        return nil
      }
      state.cancelled.append(number)
      wake()
      return exchange
    }
    exchange?.continuation.resume(returning: .failure(.cancelled))
  }

  /// Stops the client; no exchange begins anymore.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      wake()
    }
  }

  // MARK: Calls from the client's thread

  /// Returns the exchanges to start and the numbers of those to cancel, or `nil` if the client has
  /// stopped.
  func take() -> (begun: [Exchange], cancelled: [UInt64])? {
    state.withLock { state in
      if state.isStopped { return nil }
      defer { (state.begun, state.cancelled) = ([], []) }
      return (state.begun.compactMap { state.waiting[$0] }, state.cancelled)
    }
  }

  /// Returns the request of an exchange, or `nil` if the exchange was cancelled.
  func request(of number: UInt64) -> HTTPRequest? {
    state.withLock { $0.waiting[number]?.request }
  }

  /// Ends an exchange, unless it was cancelled.
  func finish(_ number: UInt64, _ ending: Ending) {
    let exchange = state.withLock { $0.waiting.removeValue(forKey: number) }
    exchange?.continuation.resume(returning: ending)
  }

  /// Cancels all exchanges in progress.
  func cancelAll() {
    let rest = state.withLock { state in
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for exchange in rest { exchange.continuation.resume(returning: .failure(.cancelled)) }
  }
}
