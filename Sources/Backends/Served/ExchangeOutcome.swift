import EvalRecords
import HTTPTransport
import ModelServers
import StructuredText

/// The result of one exchange with a server, reduced to what decides the backend's next action.
enum ExchangeOutcome<Answer> {
  /// The server answered.
  case answered(Answer)
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
  ///   - error: Reads a response whose status doesn't mean success.
  ///   - read: Reads the answer in a body, or throws an error if the body contains none.
  init(
    _ result: Result<HTTPResponse, HTTPFailure>, now: Double,
    error: (HTTPResponse) -> ServerError = { ServerError($0) },
    read: (JSONValue) throws(ServerError) -> Answer
  ) {
    switch result {
    case .failure(.cancelled): self = .cancelled
    // The connection can't succeed until somebody installs or renews a certificate.
    case .failure(.untrusted(let reason)):
      self = .ended(AttemptFailure(.untrusted(reason)))
    // No program can answer until somebody changes the command or installs the program.
    case .failure(let failure) where failure.isMissingProgram:
      self = .ended(AttemptFailure(failure))
    // A replay proves nothing without the recorded answer, so the replay ends.
    case .failure(let failure) where failure.isNotRecorded: self = .ended(AttemptFailure(failure))
    // The recording would lack this answer and all later ones.
    case .failure(let failure) where failure.isUnrecorded: self = .ended(AttemptFailure(failure))
    case .failure(let failure):
      let words = AttemptFailure(failure)
      let isTimeout = if case .timeout = failure { true } else { false }
      self =
        failure.mayPass
        ? .tryAgain(words, asked: nil, isCongested: isTimeout) : .failed(words)
    case .success(let response):
      do throws(ServerError) {
        guard (200..<300).contains(response.status) else { throw error(response) }
        self = .answered(try read(try ServerError.body(of: response)))
      } catch let problem {
        self.init(problem, response, now: now)
      }
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
}
