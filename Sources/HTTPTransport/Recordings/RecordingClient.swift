import Synchronization

/// Forwards requests to another client and passes each exchange to a recorder.
public final class RecordingClient: HTTPClient {
  private let client: any HTTPClient
  private let keep: @Sendable (RecordedExchange) throws(HTTPFailure) -> Void
  private let counts = Mutex<[String: Int]>([:])

  /// Creates a client that records the exchanges of another client.
  ///
  /// - Parameters:
  ///   - client: The client that makes the exchanges.
  ///   - keep: A closure that receives each exchange when the exchange ends. Its calls don't
  ///     overlap. If it throws a failure, that is the result of the exchange.
  public init(
    _ client: any HTTPClient,
    keep: @escaping @Sendable (RecordedExchange) throws(HTTPFailure) -> Void
  ) {
    self.client = client
    self.keep = keep
  }

  /// Sends a request with the other client, and records the exchange when it ends.
  public func exchange(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    let key = RecordedExchange.key(of: request)
    let occurrence = counts.withLock { counts in
      counts[key, default: 0] += 1
      return (counts[key] ?? 1) - 1
    }
    let result: Result<HTTPResponse, HTTPFailure>
    do throws(HTTPFailure) {
      result = .success(try await client.exchange(request))
    } catch {
      result = .failure(error)
    }
    if case .failure(.cancelled) = result {
      // Nobody received an answer, so the next equal request reuses the occurrence number.
      counts.withLock { $0[key, default: 1] -= 1 }
    } else {
      let exchange = RecordedExchange(request, occurrence: occurrence, result)
      let kept = counts.withLock { _ -> Result<Void, HTTPFailure> in
        do throws(HTTPFailure) {
          return .success(try keep(exchange))
        } catch {
          return .failure(error)
        }
      }
      try kept.get()
    }
    return try result.get()
  }
}
