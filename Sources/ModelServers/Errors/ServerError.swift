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
  /// The status of the response.
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
  /// A description of the error, with the server's message.
  public var description: String {
    let said = message.isEmpty ? "" : ": \(message)"
    return switch kind {
    case .rateLimited: "the server limits the rate of requests (status \(status))\(said)"
    case .quota: "the account has used up its quota (status \(status))\(said)"
    case .key: "the server refuses the key (status \(status))\(said)"
    case .unavailable: "the server can't answer now (status \(status))\(said)"
    case .notFound: "the server has no such model or path (status \(status))\(said)"
    case .redirect: "the server redirects the request, and redirects are not followed\(said)"
    case .schemaRefused: "the server can't enforce the schema\(said)"
    case .contextTooLong: "the prompt and the answer don't fit into the model's context\(said)"
    case .filtered: "the server's content filter blocked the request\(said)"
    case .unsupportedMember(let name): "the server doesn't support `\(name)`\(said)"
    case .badRequest: "the server refuses the request (status \(status))\(said)"
    case .malformedResponse: "the server's response is not an answer (status \(status))\(said)"
    }
  }
}
