/// Why a server gave no answer, told by the status and body of its response.
public struct ServerError: Error, Sendable, Hashable {
  /// The kinds of errors, by what follows from them.
  public enum Kind: Sendable, Hashable {
    /// Too many requests for now.
    case rateLimited
    /// The account's quota or money is used up.
    case quota
    /// The key is missing, wrong, or not allowed to do this.
    case key
    /// The server is too busy, starting, or broken for now.
    case unavailable
    /// There is no such model or path.
    case notFound
    /// The server sends the request elsewhere, which is not followed.
    case redirect
    /// The schema can't be enforced by this server.
    case schemaRefused
    /// Prompt and answer don't fit the model's context.
    case contextTooLong
    /// A filter refused the prompt or the answer.
    case filtered
    /// The server does not take a member of the request.
    case unsupportedMember(String)
    /// The server refuses the request for another reason.
    case badRequest
    /// A response of success that holds no JSON.
    case malformedResponse
  }

  /// The kind.
  public var kind: Kind
  /// The status of the response.
  public var status: Int
  /// The server's words, on one line.
  public var message: String

  /// Makes an error.
  public init(_ kind: Kind, status: Int, message: String) {
    self.kind = kind
    self.status = status
    self.message = message
  }

  /// What a client does about an error.
  public enum Consequence: Sendable, Hashable {
    /// Asks again, after a pause.
    case tryAgain
    /// Gives this attempt up.
    case fail
    /// Asks this server no more: nothing can be answered until the user changes something.
    case endBackend
  }

  /// What follows.
  public var consequence: Consequence {
    switch kind {
    case .rateLimited, .unavailable: .tryAgain
    case .quota, .key, .notFound, .redirect: .endBackend
    case .schemaRefused, .contextTooLong, .filtered, .unsupportedMember, .badRequest,
      .malformedResponse:
      .fail
    }
  }
}

extension ServerError: CustomStringConvertible {
  public var description: String {
    let said = message.isEmpty ? "" : ": \(message)"
    return switch kind {
    case .rateLimited: "the server limits the rate of requests (status \(status))\(said)"
    case .quota: "the account's quota is used up (status \(status))\(said)"
    case .key: "the server refuses the key (status \(status))\(said)"
    case .unavailable: "the server can't answer now (status \(status))\(said)"
    case .notFound: "the server has no such model or path (status \(status))\(said)"
    case .redirect: "the server sends the request elsewhere, which is not followed\(said)"
    case .schemaRefused: "the server can't hold answers to the schema\(said)"
    case .contextTooLong: "prompt and answer don't fit the model's context\(said)"
    case .filtered: "the server's content filter refused\(said)"
    case .unsupportedMember(let name): "the server does not take `\(name)`\(said)"
    case .badRequest: "the server refuses the request (status \(status))\(said)"
    case .malformedResponse: "the server's response is not JSON\(said)"
    }
  }
}
