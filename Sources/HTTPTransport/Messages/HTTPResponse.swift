/// A complete response from a server.
public struct HTTPResponse: Sendable, Hashable {
  /// The status, for example 200.
  public var status: Int
  /// The headers, in the order in which they were received.
  public var headers: [HTTPHeader]
  /// The body, decompressed if necessary.
  public var body: [UInt8]
  /// The duration of the exchange in seconds.
  public var duration: Double
  /// The number of connections that the client opened for the exchange, or 0 if it reused one.
  public var connections: Int

  /// Creates a response.
  public init(
    status: Int, headers: [HTTPHeader] = [], body: [UInt8] = [], duration: Double = 0,
    connections: Int = 0
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.duration = duration
    self.connections = connections
  }

  /// Returns the value of the first header with this name, compared case-insensitively.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

extension [HTTPHeader] {
  /// Creates a list of headers from the lines of a response, without the status line.
  init(lines: String) {
    self = lines.split(whereSeparator: \.isNewline).compactMap { line in
      guard let colon = line.firstIndex(of: ":"), !line.hasPrefix("HTTP/") else { return nil }
      let value = line[line.index(after: colon)...]
      return HTTPHeader(String(line[..<colon]), value.trimmed)
    }
  }
}

extension Substring {
  /// The text without leading and trailing spaces and tabs.
  fileprivate var trimmed: String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    guard let first = firstIndex(where: { !isBlank($0) }),
      let last = lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(self[first...last])
  }
}
