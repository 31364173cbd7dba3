/// Why no whole response came.
public enum HTTPFailure: Error, Sendable, Hashable {
  /// The host's name has no address.
  case hostNotFound(String)
  /// Nothing accepts connections there.
  case refused(String)
  /// The server's certificate is not trusted, or the secure connection could not be made.
  case tls(String)
  /// No response in the time that the exchange may take.
  case timeout(Duration)
  /// The connection was reset or closed before a response came.
  case connectionLost
  /// The response ended before its stated length.
  case incomplete
  /// The response has more bytes than allowed.
  case tooLong(limit: Int)
  /// The response breaks the protocol.
  case malformedResponse(String)
  /// The task was cancelled.
  case cancelled
  /// A recording has no answer to the request.
  case notRecorded(String)
  /// Anything else, with libcurl's words.
  case other(String)
}

extension HTTPFailure {
  /// Whether a recording lacks the request.
  package var isNotRecorded: Bool {
    if case .notRecorded = self { true } else { false }
  }
}

extension HTTPFailure: CustomStringConvertible {
  public var description: String {
    switch self {
    case .hostNotFound(let host): "the host \(host) was not found"
    case .refused(let place): "nothing accepts connections at \(place)"
    case .tls(let reason): "no secure connection: \(reason)"
    case .timeout(let limit): "no answer within \(limit.wordsInSeconds)"
    case .connectionLost: "the server closed the connection before it answered"
    case .incomplete: "the server's answer stops before its stated end"
    case .tooLong(let limit):
      "the server's answer is longer than the \(limit >> 10) KiB that are allowed"
    case .malformedResponse(let reason): "the server's answer is not HTTP: \(reason)"
    case .cancelled: "the request was cancelled"
    case .notRecorded(let difference): difference
    case .other(let reason): reason
    }
  }
}

extension Duration {
  /// The duration as messages state it.
  package var wordsInSeconds: String {
    let seconds =
      Double(components.seconds) + Double(components.attoseconds) * 1e-18
    return seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(Int(seconds * 1000)) ms"
  }

  /// The duration in whole milliseconds, at least one.
  var milliseconds: Int {
    let whole = components.seconds.multipliedReportingOverflow(by: 1000)
    guard !whole.overflow else { return .max }
    return max(1, Int(whole.partialValue) + Int(components.attoseconds / 1_000_000_000_000_000))
  }
}
