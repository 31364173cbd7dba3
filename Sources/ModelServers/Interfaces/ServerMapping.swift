public import StructuredText

/// Maps questions to requests, and responses to answers, for one interface.
///
/// A mapping has no side effects.
public protocol ServerMapping: Sendable {
  /// Returns the request for a question.
  func call(for question: ServerQuestion) -> ServerCall

  /// Reads a successful response.
  ///
  /// - Parameter body: The response's body.
  /// - Returns: The answer. Its ending is `unusable` if the body contains no answer.
  func reply(from body: JSONValue) -> ServerReply
}

extension ServerInterface {
  /// The mapping of the interface.
  public var mapping: any ServerMapping {
    switch self {
    case .ollama: OllamaChat()
    case .anthropic: AnthropicMessages()
    case .google: GeminiGenerate()
    default: ChatCompletions(dialect: self)
    }
  }
}
