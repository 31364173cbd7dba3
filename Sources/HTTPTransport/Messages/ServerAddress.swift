/// A server's address: scheme, host, port, and the base path of its interface.
///
/// A program that answers requests has an address too, so that a client treats both alike.
public struct ServerAddress: Sendable, Hashable {
  /// The supported URL schemes.
  public enum Scheme: String, Sendable, Hashable {
    /// An unencrypted connection.
    case http
    /// An encrypted connection.
    case https
    /// The standard input and output of a program on this machine.
    case exec
  }

  /// The scheme, which decides how the client connects.
  public var scheme: Scheme
  /// The host's name or IP address.
  ///
  /// IPv6 addresses are in brackets. For a program, this is its command.
  public var host: String
  /// The port, or `nil` for the scheme's default port.
  public var port: Int?
  /// The path, for example `/v1`, or an empty string for none.
  ///
  /// For a program, this is the folder in which it runs, or an empty string for the current one.
  public var path: String

  /// Creates the address of a program.
  ///
  /// - Parameters:
  ///   - command: The command that starts the program, for a shell.
  ///   - folder: The folder in which the program runs, or an empty string for the current one.
  public init(command: String, folder: String = "") {
    scheme = .exec
    host = command
    path = folder
  }

  /// Creates an address by parsing text such as `http://127.0.0.1:8080/v1`.
  ///
  /// - Parameter text: The address. Without a scheme, it means `http` for this machine and `https`
  ///   for any other host.
  /// - Throws: The problem with the address. If the address contains an `@`, this is `userInfo`,
  ///   because the description of any other problem could show a part of a password.
  public init(parsing text: String) throws(Problem) {
    do throws(Problem) {
      try self.init(reading: text)
    } catch {
      throw text.contains("@") ? .userInfo : error
    }
  }

  private init(reading text: String) throws(Problem) {
    var rest = text[...]
    var named: Scheme?
    if let range = rest.firstRange(of: "://") {
      guard let scheme = Scheme(rawValue: rest[..<range.lowerBound].lowercased()),
        scheme != .exec
      else {
        throw .scheme(String(rest[..<range.lowerBound]))
      }
      named = scheme
      rest = rest[range.upperBound...]
    }
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    let authority = rest[..<end]
    let tail = rest[end...]
    if tail.contains(where: { "?#".contains($0) }) { throw .query }
    if authority.contains("@") { throw .userInfo }
    (host, port) = try Self.hostAndPort(authority)
    var path = tail
    while path.hasSuffix("/") { path.removeLast() }
    guard path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .characters }
    self.path = String(path)
    scheme = named ?? (Self.isLoopback(host) ? .http : .https)
  }

  private static func hostAndPort(
    _ text: Substring
  ) throws(Problem) -> (host: String, port: Int?) {
    var host = text
    var port: Int?
    let bracket = text.hasPrefix("[") ? text.firstIndex(of: "]") : nil
    let start = bracket.map { text.index(after: $0) } ?? text.startIndex
    if let colon = text[start...].firstIndex(of: ":") {
      let digits = text[text.index(after: colon)...]
      guard let number = Int(digits), (1...65535).contains(number) else {
        throw .port(String(digits))
      }
      (host, port) = (text[..<colon], number)
    }
    let allowed: (UInt8) -> Bool = { byte in
      switch UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 {
      case true: true
      case false: "0123456789.-_:[]".utf8.contains(byte)
      }
    }
    guard !host.isEmpty, host.utf8.allSatisfy(allowed) else { throw .host(String(host)) }
    return (host.lowercased(), port)
  }

  /// Whether the server is on this machine.
  public var isLoopback: Bool { scheme == .exec || Self.isLoopback(host) }

  private static func isLoopback(_ host: String) -> Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// The problem with an address.
  public enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The scheme is neither `http` nor `https`.
    case scheme(String)
    /// The host is empty or contains a character that no host contains.
    case host(String)
    /// The port is not a number from 1 to 65535.
    case port(String)
    /// The address contains a user name, a password or a key.
    case userInfo
    /// The address contains a query or a fragment.
    case query
    /// The path contains a character that must be escaped.
    case characters

    /// A description of the problem, and of what is allowed.
    public var description: String {
      switch self {
      case .scheme(let name): "the scheme is `\(name)`; http and https are allowed"
      case .host(let host):
        "`\(host)` is not a host; a name or an address such as 127.0.0.1 is allowed"
      case .port(let port): "the port is `\(port)`; a port is a number from 1 to 65535"
      case .userInfo:
        "it contains a user name, a password or a key; put keys into environment variables, never "
          + "into addresses"
      case .query: "it has a query or a fragment; only scheme, host, port and path are allowed"
      case .characters: "its path contains characters that must be written as %XX"
      }
    }
  }
}

extension ServerAddress: CustomStringConvertible {
  /// The address as a URL, or the command of a program.
  public var description: String {
    scheme == .exec
      ? "exec:\(host)"
      : "\(scheme.rawValue)://\(host)\(port.map { ":\($0)" } ?? "")\(path)"
  }
}
