import CTransport
import SystemBasics

/// The thread that handles a client's exchanges with libcurl.
final class CurlLoop: @unchecked Sendable {
  /// The time limit for connecting.
  static let longestConnecting = Duration.seconds(10)

  /// libcurl's state.
  ///
  /// Only the client's thread uses this state, but any thread may wake the client's thread.
  private let transport: OpaquePointer
  private let certificates: String?
  let exchanges: ExchangeQueue

  init(_ transport: OpaquePointer, certificates: String?) {
    self.transport = transport
    self.certificates = certificates
    nonisolated(unsafe) let transport = transport
    exchanges = ExchangeQueue { assay_transport_wake(transport) }
  }

  func start() {
    DetachedThread.start(stackSize: 512 << 10) { self.run() }
  }

  // MARK: The thread

  /// The maximum time in milliseconds that the thread waits if nothing wakes it.
  private static let longestWait: Int32 = 1000

  private func run() {
    assay_transport_block_signals()
    while let (begun, cancelled) = exchanges.take() {
      for number in cancelled { assay_transport_cancel(transport, number) }
      for exchange in begun where !add(exchange) {
        exchanges.finish(exchange.number, .failure(.other("the request can't be sent")))
      }
      assay_transport_step(transport, Self.longestWait)
      takeEnded()
    }
    exchanges.cancelAll()
    assay_transport_free(transport)
  }

  private func add(_ exchange: ExchangeQueue.Exchange) -> Bool {
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
          withOptionalCString(certificates) { certificates in
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
      if let request = exchanges.request(of: result.number) {
        exchanges.finish(result.number, CurlEnding.ending(of: result, request))
      }
      assay_result_free(&result)
    }
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
