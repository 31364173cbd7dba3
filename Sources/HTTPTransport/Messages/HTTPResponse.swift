/// A server's whole response.
public struct HTTPResponse: Sendable, Hashable {
  /// The status, for example 200.
  public var status: Int
  /// The headers, in the order in which they came.
  public var headers: [HTTPHeader]
  /// The body, decoded where it was compressed.
  public var body: [UInt8]
  /// The seconds that the exchange took.
  public var duration: Double
  /// The number of connections that were opened for it; 0 where a kept one was used.
  public var connections: Int

  /// Makes a response.
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

  /// The value of the first header with a name, in any case.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

extension [HTTPHeader] {
  /// Reads header lines as they come over the wire; the status line is left out.
  init(lines: String) {
    self = lines.split(whereSeparator: \.isNewline).compactMap { line in
      guard let colon = line.firstIndex(of: ":"), !line.hasPrefix("HTTP/") else { return nil }
      let value = line[line.index(after: colon)...]
      return HTTPHeader(String(line[..<colon]), value.trimmed)
    }
  }
}

extension Substring {
  /// The text without spaces and tabs around it.
  fileprivate var trimmed: String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    guard let first = firstIndex(where: { !isBlank($0) }),
      let last = lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(self[first...last])
  }
}
