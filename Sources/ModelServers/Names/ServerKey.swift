public import HTTPTransport

/// A server's key, which comes only from the environment.
public enum ServerKey {
  /// Finds the header that carries a server's key.
  ///
  /// - Parameters:
  ///   - name: The served model.
  ///   - variable: The environment variable that contains the key, or `nil` for the interface's
  ///     usual variable.
  ///   - environment: The environment.
  /// - Returns: The header, or `nil` if no key is set and the server doesn't need one.
  /// - Throws: `Problem` if a required key is missing, if the key can't be a header's value, or if
  ///   the key would be sent unencrypted to another machine.
  public static func header(
    for name: ServedModelName, variable: String? = nil, environment: [String: String]
  ) throws(Problem) -> SecretHeader? {
    // A program has Assay's environment, so it finds its keys itself.
    if name.interface == .program { return nil }
    let variable = variable ?? name.interface.keyVariable
    guard let key = environment[variable], !key.isEmpty else {
      if name.interface.needsKey { throw .missing(name.interface, variable: variable) }
      return nil
    }
    guard key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .characters(variable) }
    guard name.address.scheme == .https || name.address.isLoopback else {
      throw .inTheClear(variable: variable, name.address)
    }
    return switch name.interface {
    case .azure: SecretHeader("api-key", key)
    case .anthropic: SecretHeader("x-api-key", key)
    case .google: SecretHeader("x-goog-api-key", key)
    default: SecretHeader("Authorization", "Bearer \(key)")
    }
  }

  /// The reason why there is no usable key.
  public enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The interface needs a key, and the environment variable is not set.
    case missing(ServerInterface, variable: String)
    /// The environment variable's value contains a character that is not allowed in a key.
    case characters(String)
    /// The key would be sent unencrypted to another machine.
    case inTheClear(variable: String, ServerAddress)

    /// A description of the problem, and of what is allowed.
    public var description: String {
      switch self {
      case .missing(let interface, let variable):
        "\(interface.rawValue) needs a key in the environment variable \(variable), which is not "
          + "set"
      case .characters(let variable):
        "the key in \(variable) contains a space or another character that is not allowed in a key"
      case .inTheClear(let variable, let address):
        "the key in \(variable) would go unencrypted to \(address.host); "
          + "use https://, or unset \(variable) for a server without a key"
      }
    }
  }
}
