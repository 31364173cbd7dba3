/// The reason why no complete response was received.
public enum HTTPFailure: Error, Sendable, Hashable {
  /// The host's name has no address.
  case hostNotFound(String)
  /// Nothing accepts connections at the address.
  case refused(String)
  /// The server's certificate is not trusted.
  case untrusted(String)
  /// The client could not make a secure connection.
  case tls(String)
  /// No complete response was received within the time limit.
  case timeout(Duration)
  /// The connection was reset or closed before a response was received.
  case connectionLost
  /// The response ended before it reached its stated length.
  case incomplete
  /// The response is longer than the limit, which is in bytes.
  case tooLong(limit: Int)
  /// The response violates the protocol.
  case malformedResponse(String)
  /// There is no such program, or the system can't run it.
  case noProgram(String)
  /// The program ended before it answered its first request.
  case neverAnswered(String)
  /// The program ended before it answered the request.
  case programEnded(String)
  /// The program wrote something other than an answer to the request.
  case brokenReply(String)
  /// The task was cancelled.
  case cancelled
  /// A recording has no answer to the request.
  case notRecorded(String)
  /// The recording of the exchange can't be written.
  case unrecorded(String)
  /// Any other failure, with libcurl's message.
  case other(String)
}

extension HTTPFailure {
  /// Whether a recording has no answer to the request.
  package var isNotRecorded: Bool {
    if case .notRecorded = self { true } else { false }
  }

  /// Whether the recording of the exchange can't be written.
  package var isUnrecorded: Bool {
    if case .unrecorded = self { true } else { false }
  }

  /// Whether there is no program to answer the request.
  package var isMissingProgram: Bool {
    if case .noProgram = self { true } else { false }
  }
}

extension HTTPFailure: CustomStringConvertible {
  /// A description of the failure.
  public var description: String {
    switch self {
    case .hostNotFound(let host): "the host \(host) was not found"
    case .refused(let place): "nothing accepts connections at \(place)"
    case .untrusted(let reason): "the server's certificate isn't trusted: \(reason)"
    case .tls(let reason): "the secure connection failed: \(reason)"
    case .timeout(let limit): "no answer within \(limit.wordsInSeconds)"
    case .connectionLost: "the server closed the connection before it answered"
    case .incomplete: "the server's answer is shorter than its stated length"
    case .tooLong(let limit):
      "the answer is longer than the \(limit >> 10) KiB allowed"
    case .malformedResponse(let reason): "the server's answer is not HTTP: \(reason)"
    case .noProgram(let reason), .neverAnswered(let reason), .programEnded(let reason),
      .brokenReply(let reason):
      reason
    case .cancelled: "the request was cancelled"
    case .notRecorded(let difference): difference
    case .unrecorded(let reason), .other(let reason): reason
    }
  }
}

extension Duration {
  /// The duration as text for messages: in seconds if it is a whole number of seconds, otherwise in
  /// milliseconds.
  package var wordsInSeconds: String {
    let seconds =
      Double(components.seconds) + Double(components.attoseconds) * 1e-18
    return seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(Int(seconds * 1000)) ms"
  }

  /// The duration in milliseconds, as an integer of at least 1.
  var milliseconds: Int {
    let whole = components.seconds.multipliedReportingOverflow(by: 1000)
    guard !whole.overflow else { return .max }
    return max(1, Int(whole.partialValue) + Int(components.attoseconds / 1_000_000_000_000_000))
  }
}
