/// Sends requests to servers.
///
/// All network access goes through this protocol. Its implementations use libcurl, a recording, or
/// a test server.
public protocol HTTPClient: Sendable {
  /// Sends a request and receives its response, without retries.
  ///
  /// Cancelling the task ends the exchange immediately.
  ///
  /// - Parameter request: The request.
  /// - Returns: The whole response, whatever its status is.
  /// - Throws: The reason why no response was received.
  func exchange(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse
}
