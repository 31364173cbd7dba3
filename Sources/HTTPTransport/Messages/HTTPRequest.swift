/// One request to a server.
public struct HTTPRequest: Sendable, Hashable {
  /// The method, for example `POST`.
  public var method: String
  /// The address of the server.
  public var address: ServerAddress
  /// The path relative to the address, including any query.
  ///
  /// The path begins with `/`.
  public var path: String
  /// The headers, without the header that carries the key.
  public var headers: [HTTPHeader]
  /// The header that carries the key, or `nil` if the server needs no key.
  public var secret: SecretHeader?
  /// The body, or `nil` for none.
  public var body: [UInt8]?
  /// The time limit for the exchange.
  public var timeLimit: Duration
  /// The maximum length of the response's body in bytes.
  public var bodyLimit: Int

  /// The default maximum length of a response's body, in bytes.
  ///
  /// An answer of 8,192 tokens with twenty alternatives each takes about 20 MB.
  public static let defaultBodyLimit = 64 << 20

  /// Creates a request.
  public init(
    method: String = "POST", address: ServerAddress, path: String, headers: [HTTPHeader] = [],
    secret: SecretHeader? = nil, body: [UInt8]? = nil, timeLimit: Duration = .seconds(600),
    bodyLimit: Int = HTTPRequest.defaultBodyLimit
  ) {
    self.method = method
    self.address = address
    self.path = path
    self.headers = headers
    self.secret = secret
    self.body = body
    self.timeLimit = timeLimit
    self.bodyLimit = bodyLimit
  }
}

/// A header's name and value.
public struct HTTPHeader: Sendable, Hashable {
  /// The name, which `HTTPResponse.header(_:)` compares case-insensitively.
  public var name: String
  /// The value.
  public var value: String

  /// Creates a header.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A header that carries a key.
///
/// Only the transport reads the value: descriptions, recordings and errors don't show it.
public struct SecretHeader: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The header's name.
  public var name: String
  /// The header's value, including the key.
  package var value: String

  /// Creates a header.
  ///
  /// - Parameters:
  ///   - name: The header's name, for example `Authorization`.
  ///   - value: The value, including the key.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// The header without its value.
  public var description: String { "\(name): ***" }

  /// A mirror that doesn't show the value.
  public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
