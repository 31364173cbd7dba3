import CTransport

/// Turns libcurl's result of an exchange into a response or a failure.
enum CurlEnding {
  /// libcurl's error codes, which never change.
  private enum Code {
    static let proxyNotFound: Int32 = 5
    static let hostNotFound: Int32 = 6
    static let refused: Int32 = 7
    static let strangeReply: Int32 = 8
    static let partialBody: Int32 = 18
    static let timeout: Int32 = 28
    static let emptyReply: Int32 = 52
    static let sendFailed: Int32 = 55
    static let receiveFailed: Int32 = 56
    static let badEncoding: Int32 = 61
    static let http2: Int32 = 16
    static let http2Stream: Int32 = 92
    static let unsupportedProtocol: Int32 = 1
    static let untrusted: Set<Int32> = [51, 60, 83, 90, 91]
    static let tls: Set<Int32> = [35, 53, 54, 58, 59, 64, 66, 77, 80, 82]
  }

  /// Returns the response of an exchange, or the reason why there is none.
  static func ending(of result: assay_result, _ request: HTTPRequest) -> ExchangeQueue.Ending {
    guard result.code == 0 else { return .failure(failure(of: result, request)) }
    return .success(
      HTTPResponse(
        status: Int(result.status),
        headers: [HTTPHeader](
          lines: String(decoding: bytes(result.headers, result.headers_length), as: UTF8.self)),
        body: bytes(result.body, result.body_length), duration: result.seconds,
        connections: Int(result.connections)))
  }

  private static func failure(of result: assay_result, _ request: HTTPRequest) -> HTTPFailure {
    if result.is_too_long != 0 { return .tooLong(limit: request.bodyLimit) }
    let words = withUnsafeBytes(of: result.error) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    switch result.code {
    case Code.hostNotFound: return .hostNotFound(request.address.host)
    case Code.proxyNotFound: return .other(words)
    case Code.refused: return .refused(request.address.description)
    case Code.timeout:
      // Connecting has a separate, shorter limit.
      let isEarly = .seconds(result.seconds + 1) < request.timeLimit
      return .timeout(isEarly ? CurlLoop.longestConnecting : request.timeLimit)
    case Code.partialBody: return .incomplete
    case Code.emptyReply, Code.sendFailed, Code.receiveFailed: return .connectionLost
    case Code.strangeReply, Code.badEncoding, Code.http2, Code.http2Stream,
      Code.unsupportedProtocol:
      return .malformedResponse(words)
    case _ where Code.untrusted.contains(result.code): return .untrusted(words)
    case _ where Code.tls.contains(result.code): return .tls(words)
    default: return .other(words)
    }
  }

  private static func bytes(_ start: UnsafeMutablePointer<CChar>?, _ count: Int) -> [UInt8] {
    guard let start, count > 0 else { return [] }
    return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }
}
