public import HTTPTransport
public import StructuredText

/// Maps questions to requests, and responses to answers, for one interface.
///
/// A mapping has no side effects.
public protocol ServerMapping: Sendable {
  /// Returns the request for a question.
  func call(for question: ServerQuestion) -> ServerCall

  /// Reads the body of a response whose status means success.
  ///
  /// - Parameter body: The body.
  /// - Returns: The answer. Its ending is `unusable` if the model wrote no content.
  /// - Throws: `ServerError` with the server's words if the body reports an error, or is not a
  ///   message of the interface.
  func reply(from body: JSONValue) throws(ServerError) -> ServerReply

  /// Reads a message of the interface.
  ///
  /// - Parameter message: The body of a response that reports no error.
  /// - Returns: The answer. Its ending is `unusable` if the message has no content.
  /// - Throws: `ServerError` if the body is not a message of the interface.
  func reply(fromMessage message: JSONValue) throws(ServerError) -> ServerReply

  /// Reads a response whose status is outside 200–299.
  ///
  /// - Parameter response: The response.
  func error(from response: HTTPResponse) -> ServerError
}

extension ServerMapping {
  /// Reads a response whose status is outside 200–299, by its status and by phrases in its body.
  public func error(from response: HTTPResponse) -> ServerError { ServerError(response) }

  /// Reads a message, or throws the error that the body reports instead.
  public func reply(from body: JSONValue) throws(ServerError) -> ServerReply {
    if ServerError.report(in: body) != nil { throw ServerError(inAnswer: body, lack: "") }
    return try reply(fromMessage: body)
  }
}

extension ServerInterface {
  /// The mapping of the interface.
  public var mapping: any ServerMapping {
    switch self {
    case .ollama: OllamaChat()
    case .anthropic: AnthropicMessages()
    case .apple: AppleChat()
    case .google: GeminiGenerate()
    case .program: ProgramLines()
    default: ChatCompletions(dialect: self)
    }
  }
}

extension [JSONValue] {
  /// The alternative with the index 0, which is also the index of an alternative without one, or
  /// `nil` if there are no alternatives.
  var withIndexZero: JSONValue? { first { ($0["index"]?.int ?? 0) == 0 } ?? first }
}

extension JSONValue? {
  /// The number of tokens above which a count is a mistake of the server.
  private static var mostTokens: Int { 1_000_000_000 }

  /// Returns the number of tokens under a name, or `nil` if it is unknown: if the number or the
  /// whole object is missing, or if the number is negative, not whole, or absurdly large.
  func count(_ name: String) -> Int? {
    guard let count = self?[name]?.int, (0...Self.mostTokens).contains(count) else { return nil }
    return count
  }
}
