import CTransport
import Synchronization
import SystemBasics

/// The thread that handles a client's exchanges.
///
/// ```
/// exchange(_:) ─► state (a lock) ─► the thread: begin, cancel ─► libcurl ─► continuation
///                      └── wake: ends the thread's wait immediately
/// ```
final class CurlLoop: @unchecked Sendable {
  typealias Ending = Result<HTTPResponse, HTTPFailure>

  /// The time limit for connecting.
  static let longestConnecting = Duration.seconds(10)

  /// An exchange whose caller is waiting for its result.
  struct Exchange {
    let number: UInt64
    let request: HTTPRequest
    let certificates: String?
    let continuation: CheckedContinuation<Ending, Never>
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

  /// libcurl's state.
  ///
  /// Only the client's thread uses this state, but any thread may wake the client's thread.
  private let transport: OpaquePointer
  private let state = Mutex(State())
  private let numbers = Atomic<UInt64>(0)

  init(_ transport: OpaquePointer) { self.transport = transport }

  func nextNumber() -> UInt64 { numbers.wrappingAdd(1, ordering: .relaxed).newValue }

  func start() {
    DetachedThread.start(stackSize: 512 << 10) { self.run() }
  }

  func begin(_ exchange: Exchange) {
    let isCancelled = state.withLock { state in
      if state.isStopped || state.cancelledEarly.remove(exchange.number) != nil { return true }
      state.waiting[exchange.number] = exchange
      state.begun.append(exchange.number)
      assay_transport_wake(transport)
      return false
    }
    if isCancelled { exchange.continuation.resume(returning: .failure(.cancelled)) }
  }

  func cancel(_ number: UInt64) {
    let exchange = state.withLock { state -> Exchange? in
      guard !state.isStopped else { return nil }
      guard let exchange = state.waiting.removeValue(forKey: number) else {
        state.cancelledEarly.insert(number)
        return nil
      }
      state.cancelled.append(number)
      assay_transport_wake(transport)
      return exchange
    }
    exchange?.continuation.resume(returning: .failure(.cancelled))
  }

  /// Ends the thread and cancels the exchanges in progress.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      assay_transport_wake(transport)
    }
  }

  // MARK: The thread

  /// The maximum time in milliseconds that the thread waits if nothing wakes it.
  private static let longestWait: Int32 = 1000

  private func run() {
    assay_transport_block_signals()
    while true {
      let (begun, cancelled, isStopped) = state.withLock { state in
        defer {
          state.begun = []
          state.cancelled = []
        }
        return (
          state.begun.compactMap { state.waiting[$0] }, state.cancelled, state.isStopped
        )
      }
      if isStopped { break }
      for number in cancelled { assay_transport_cancel(transport, number) }
      for exchange in begun where !add(exchange) {
        finish(exchange.number, .failure(.other("the request can't be sent")))
      }
      assay_transport_step(transport, Self.longestWait)
      takeEnded()
    }
    let rest = state.withLock { state in
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for exchange in rest { exchange.continuation.resume(returning: .failure(.cancelled)) }
    assay_transport_free(transport)
  }

  private func add(_ exchange: Exchange) -> Bool {
    let request = exchange.request
    let headers = (request.headers + request.secretHeaders).map { "\($0.name): \($0.value)" }
    // A line break in a value would start another header.
    guard headers.allSatisfy({ !$0.utf8.contains { $0 == 10 || $0 == 13 || $0 == 0 } }) else {
      return false
    }
    let lines = (headers + ["Expect:"]).map { strdup($0) }
    defer { for line in lines { free(line) } }
    let pointers: [UnsafePointer<CChar>?] = lines.map { UnsafePointer($0) }
    return pointers.withUnsafeBufferPointer { list in
      request.method.withCString { method in
        request.target.withCString { url in
          withOptionalCString(exchange.certificates) { certificates in
            withOptionalBytes(request.body) { body, length in
              guard let start = list.baseAddress else { return false }
              var raw = assay_request(
                method: method, url: url, headers: start, header_count: lines.count, body: body,
                body_length: length, timeout_ms: request.timeLimit.milliseconds,
                connect_timeout_ms: min(
                  request.timeLimit, CurlLoop.longestConnecting
                ).milliseconds,
                body_limit: max(0, request.bodyLimit), certificates: certificates,
                ignores_proxies: request.address.isLoopback ? 1 : 0,
                waits_for_connection: request.address.scheme == .https ? 1 : 0)
              return assay_transport_add(transport, &raw, exchange.number) == 0
            }
          }
        }
      }
    }
  }

  private func takeEnded() {
    var result = assay_result()
    while assay_transport_next(transport, &result) == 1 {
      let request = state.withLock { $0.waiting[result.number]?.request }
      if let request { finish(result.number, CurlEnding.ending(of: result, request)) }
      assay_result_free(&result)
    }
  }

  private func finish(_ number: UInt64, _ ending: Ending) {
    let exchange = state.withLock { $0.waiting.removeValue(forKey: number) }
    exchange?.continuation.resume(returning: ending)
  }
}

extension HTTPRequest {
  /// The complete URL of the request.
  fileprivate var target: String { address.description + path }

  /// The header with the key.
  ///
  /// No other code reads the key.
  fileprivate var secretHeaders: [HTTPHeader] {
    secret.map { [HTTPHeader($0.name, $0.value)] } ?? []
  }
}

private func withOptionalCString<Result>(
  _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
) -> Result {
  guard let text else { return body(nil) }
  return text.withCString { body($0) }
}

private func withOptionalBytes<Result>(
  _ bytes: [UInt8]?, _ body: (UnsafeRawPointer?, Int) -> Result
) -> Result {
  guard let bytes else { return body(nil, 0) }
  if bytes.isEmpty { return withUnsafeBytes(of: UInt8(0)) { body($0.baseAddress, 0) } }
  return bytes.withUnsafeBytes { body($0.baseAddress, $0.count) }
}
