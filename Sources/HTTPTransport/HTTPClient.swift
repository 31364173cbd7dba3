/// Carries requests to servers: the one seam in front of the network.
///
/// libcurl stands behind it, or a recording, or a server of a test.
public protocol HTTPClient: Sendable {
  /// Makes one exchange; nothing is tried twice.
  ///
  /// Cancelling the task ends it at once.
  ///
  /// - Parameter request: The request.
  /// - Returns: The whole response, whatever its status.
  /// - Throws: Why none came.
  func exchange(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse
}
