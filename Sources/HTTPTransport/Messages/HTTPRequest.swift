/// One request to a server.
public struct HTTPRequest: Sendable, Hashable {
  /// The method, for example `POST`.
  public var method: String
  /// Where the server is.
  public var address: ServerAddress
  /// The path below the address, with its query where it has one; begins with `/`.
  public var path: String
  /// The headers, without those that carry a key.
  public var headers: [HTTPHeader]
  /// The header that carries the key; nil where the server wants none.
  public var secret: SecretHeader?
  /// The body; nil for none.
  public var body: [UInt8]?
  /// The longest that the exchange may take.
  public var timeLimit: Duration
  /// The most bytes that the response's body may have.
  public var bodyLimit: Int

  /// The most bytes of a response unless a request says otherwise.
  ///
  /// An answer of 8,192 tokens with twenty alternatives each takes about 20 MB.
  public static let defaultBodyLimit = 64 << 20

  /// Makes a request.
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
  /// The name; compared without regard to case.
  public var name: String
  /// The value.
  public var value: String

  /// Makes a header.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A header that carries a key.
///
/// Nothing but the transport reads the value: descriptions, recordings and errors don't show it.
public struct SecretHeader: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The header's name.
  public var name: String
  /// The header's value with the key.
  package var value: String

  /// Makes a header.
  ///
  /// - Parameters:
  ///   - name: The header's name, for example `Authorization`.
  ///   - value: The value with the key.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  public var description: String { "\(name): ***" }

  public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
