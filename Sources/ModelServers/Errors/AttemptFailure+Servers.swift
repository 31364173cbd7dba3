public import EvalRecords
public import HTTPTransport

extension AttemptFailure {
  /// Creates a failure for an attempt that a server answered with an error.
  public init(_ error: ServerError) {
    let kind: Kind =
      switch error.kind {
      case .rateLimited: .rateLimited
      case .schemaRefused: .unsupportedGenerationGuide
      case .contextTooLong: .promptTooLong
      case .filtered: .refusal
      case .quota, .key, .unavailable, .notFound, .redirect, .unsupportedMember, .badRequest,
        .malformedResponse:
        .backend
      }
    self.init(kind: kind, message: error.description)
  }

  /// Creates a failure for an attempt that got no complete response.
  public init(_ failure: HTTPFailure) {
    if case .timeout = failure {
      self.init(kind: .timeout, message: failure.description)
    } else {
      self.init(kind: .backend, message: failure.description)
    }
  }
}

extension HTTPFailure {
  /// Whether the same request may succeed later.
  public var mayPass: Bool {
    switch self {
    case .hostNotFound, .refused, .tls, .timeout, .connectionLost, .incomplete,
      .malformedResponse, .neverAnswered, .programEnded, .brokenReply, .other:
      true
    case .untrusted, .noProgram, .tooLong, .cancelled, .notRecorded, .unrecorded: false
    }
  }
}
