/// The reason why a server gave no answer, according to the response's status and body.
public struct ServerError: Error, Sendable, Hashable {
  /// The kind of an error.
  ///
  /// The client's reaction depends on the kind.
  public enum Kind: Sendable, Hashable {
    /// There were too many requests recently.
    case rateLimited
    /// The account's quota or credit is used up.
    case quota
    /// The key is missing or wrong, or lacks the required permission.
    case key
    /// The server is temporarily overloaded, starting up, or broken.
    case unavailable
    /// The model or path doesn't exist.
    case notFound
    /// The server redirects the request. The client doesn't follow redirects.
    case redirect
    /// The server can't enforce the schema.
    case schemaRefused
    /// The prompt and the answer don't fit into the model's context.
    case contextTooLong
    /// A filter refused the prompt or the answer.
    case filtered
    /// The server doesn't support a member of the request.
    case unsupportedMember(String)
    /// The server rejects the request for another reason.
    case badRequest
    /// The status means success, but the body is not a message of the interface.
    case malformedResponse
  }

  /// The kind of error.
  public var kind: Kind
  /// The status of the response, or 0 for a program's reply.
  public var status: Int
  /// The server's message, on one line.
  public var message: String

  /// Creates an error.
  public init(_ kind: Kind, status: Int, message: String) {
    self.kind = kind
    self.status = status
    self.message = message
  }

  /// The reaction of a client to an error.
  public enum Consequence: Sendable, Hashable {
    /// Retries after a pause.
    case tryAgain
    /// Fails this attempt, without a retry.
    case fail
    /// Stops using this server, because no request can succeed until the user changes something.
    case endBackend
  }

  /// The reaction to this error.
  public var consequence: Consequence {
    switch kind {
    case .rateLimited, .unavailable, .malformedResponse: .tryAgain
    case .quota, .key, .notFound, .redirect: .endBackend
    case .schemaRefused, .contextTooLong, .filtered, .unsupportedMember, .badRequest: .fail
    }
  }
}

extension ServerError: CustomStringConvertible {
  /// The status of an error in the reply of a program, which has no status.
  static let programStatus = 0

  /// A description of the error, with the server's message.
  public var description: String {
    let said = message.isEmpty ? "" : ": \(message)"
    let isProgram = status == Self.programStatus
    let server = isProgram ? "the program" : "the server"
    let number = isProgram ? "" : " (status \(status))"
    return switch kind {
    case .rateLimited: "\(server) limits the rate of requests\(number)\(said)"
    case .quota: "the account has used up its quota\(number)\(said)"
    case .key: "\(server) refuses the key\(number)\(said)"
    case .unavailable: "\(server) can't answer now\(number)\(said)"
    case .notFound: "\(server) has no such model or path\(number)\(said)"
    case .redirect: "\(server) redirects the request, and redirects are not followed\(said)"
    case .schemaRefused: "\(server) can't enforce the schema\(said)"
    case .contextTooLong: "the prompt and the answer don't fit into the model's context\(said)"
    case .filtered: "\(server)'s content filter blocked the request\(said)"
    case .unsupportedMember(let name): "\(server) doesn't support `\(name)`\(said)"
    case .badRequest: "\(server) refuses the request\(number)\(said)"
    case .malformedResponse:
      isProgram
        ? "the program's reply can't be used\(said)"
        : "the server's response is not an answer\(number)\(said)"
    }
  }
}
