import HTTPTransport
import ModelServers
public import StructuredText

extension ServedBackend {
  /// Asks the server for a report, with one request that counts nowhere.
  ///
  /// - Parameter path: The path below the server's root, for example `/health`.
  /// - Returns: The report, or `nil` if there was none.
  public func report(at path: String) async -> JSONValue? {
    var address = name.address
    if address.path.hasSuffix("/v1") { address.path.removeLast(3) }
    let response = try? await client.exchange(
      HTTPRequest(
        method: "GET", address: address, path: path, secret: options.key, timeLimit: .seconds(5)))
    guard let response, (200..<300).contains(response.status) else { return nil }
    return response.text.flatMap { try? JSONValue(parsing: $0) }
  }
}
