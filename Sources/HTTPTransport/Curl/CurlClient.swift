import CTransport

/// Sends HTTP requests with libcurl.
///
/// The library is loaded when the first client is created.
///
/// Each client has one thread for all exchanges, and keeps connections open so that later exchanges
/// can reuse them. A client uses the proxies in the usual environment variables, except for servers
/// on this machine. It trusts the system's certificates, unless it is created with another
/// certificate file.
public final class CurlClient: HTTPClient {
  private let loop: CurlLoop

  /// Creates a client.
  ///
  /// - Parameter certificates: A file of trusted certificates, which replace the system's.
  /// - Throws: `CurlMissing` if libcurl can't be loaded.
  public init(certificates: String? = nil) throws(CurlMissing) {
    var message = [CChar](repeating: 0, count: 512)
    guard assay_transport_load(&message, message.count) == 0 else {
      let end = message.firstIndex(of: 0) ?? message.endIndex
      throw CurlMissing(
        reason: String(decoding: message[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    guard let transport = assay_transport_make() else {
      throw CurlMissing(reason: "libcurl ran out of memory")
    }
    loop = CurlLoop(transport, certificates: certificates)
    loop.start()
  }

  deinit { loop.exchanges.stop() }

  /// Sends a request and receives its response, without retries.
  public func exchange(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    try await loop.exchanges.exchange(request)
  }
}

/// A failure to load libcurl for a new client.
public struct CurlMissing: Error, Sendable, Hashable, CustomStringConvertible {
  /// The system's error message, or a description of the problem.
  public var reason: String

  /// A description of the problem, with the commands that install libcurl.
  public var description: String {
    "served models need libcurl, which can't be loaded (\(reason)); "
      + "`apt-get install libcurl4` installs it on Debian and Ubuntu, `dnf install libcurl` on "
      + "Fedora"
  }
}
