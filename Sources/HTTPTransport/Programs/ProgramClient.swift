/// Sends each request over the network or to a program, depending on its address.
package struct RoutingClient: HTTPClient {
  private let network: any HTTPClient
  private let programs: any HTTPClient

  package init(network: any HTTPClient, programs: any HTTPClient) {
    self.network = network
    self.programs = programs
  }

  package func exchange(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    let client = request.address.scheme == .exec ? programs : network
    return try await client.exchange(request)
  }
}

/// Sends requests to programs on this machine, over their standard input and output.
///
/// The client starts a program for a request if none of the program's processes is free, and keeps
/// it for later requests. A program may end after each answer; the client then starts it again.
/// All programs end with the client.
public final class ProgramClient: HTTPClient {
  private let loop: ProgramLoop

  /// Creates a client, without starting anything.
  ///
  /// - Parameters:
  ///   - environment: The environment of the programs.
  ///   - elapsed: Returns the time since some moment, in seconds, for time limits and durations.
  public init(environment: [String: String], elapsed: @escaping @Sendable () -> Double) {
    loop = ProgramLoop(environment: environment, elapsed: elapsed)
  }

  deinit { loop.stop() }

  /// Sends a request to a program, and receives its reply as the body of a response.
  public func exchange(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    try await loop.exchange(request)
  }
}
