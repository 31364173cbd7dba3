import EvalRecords
import HTTPTransport
import ModelServers
import StructuredText

/// The result of one exchange with a server, reduced to what decides the backend's next action.
enum ExchangeOutcome {
  /// The server answered with this body.
  case answered(JSONValue)
  /// The request failed, but may succeed later.
  case tryAgain(AttemptFailure, asked: Duration?, isCongested: Bool)
  /// The attempt failed, and a retry wouldn't help.
  case failed(AttemptFailure)
  /// The server can't enforce the schema, in this attempt or any other.
  case refusedSchema(AttemptFailure)
  /// The server rejects a member of the request.
  case refusedMember(String, AttemptFailure)
  /// No request can succeed until the user changes something.
  case ended(AttemptFailure)
  /// The task was cancelled.
  case cancelled

  /// Creates the outcome of an exchange.
  ///
  /// - Parameters:
  ///   - result: The response, or the reason why there is none.
  ///   - now: The time in seconds since 1970, for dates in headers.
  init(_ result: Result<HTTPResponse, HTTPFailure>, now: Double) {
    switch result {
    case .failure(.cancelled): self = .cancelled
    // The connection can't succeed until somebody installs or renews a certificate.
    case .failure(.untrusted(let reason)):
      self = .ended(AttemptFailure(.untrusted(reason)))
    // A replay proves nothing without the recorded answer, so the replay ends.
    case .failure(let failure) where failure.isNotRecorded: self = .ended(AttemptFailure(failure))
    case .failure(let failure):
      let words = AttemptFailure(failure)
      let isTimeout = if case .timeout = failure { true } else { false }
      self =
        failure.mayPass
        ? .tryAgain(words, asked: nil, isCongested: isTimeout) : .failed(words)
    case .success(let response): self.init(response, now: now)
    }
  }

  private init(_ response: HTTPResponse, now: Double) {
    guard (200..<300).contains(response.status) else {
      self.init(ServerError(response), response, now: now)
      return
    }
    guard let text = String(validating: response.body, as: UTF8.self) else {
      self.init(
        ServerError(.malformedResponse, status: response.status, message: "it is not UTF-8"),
        response, now: now)
      return
    }
    do throws(StructuredTextError) {
      self = .answered(try JSONValue(parsing: text))
    } catch {
      self.init(
        ServerError(.malformedResponse, status: response.status, message: "\(error)"), response,
        now: now)
    }
  }

  private init(_ error: ServerError, _ response: HTTPResponse, now: Double) {
    let failure = AttemptFailure(error)
    switch (error.kind, error.consequence) {
    case (.schemaRefused, _): self = .refusedSchema(failure)
    case (.unsupportedMember(let name), _): self = .refusedMember(name, failure)
    case (_, .endBackend): self = .ended(failure)
    case (_, .fail): self = .failed(failure)
    case (_, .tryAgain):
      guard response.header("x-should-retry") != "false" else {
        self = .failed(failure)
        return
      }
      self = .tryAgain(
        failure, asked: RetryPause.asked(by: response, now: now), isCongested: true)
    }
  }

  /// Whether the request may succeed later and its failure suggests that the server is overloaded.
  var isCongested: Bool {
    if case .tryAgain(_, _, let isCongested) = self { isCongested } else { false }
  }
}
