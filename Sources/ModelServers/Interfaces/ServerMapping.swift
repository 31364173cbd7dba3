public import StructuredText

/// The pure mapping of one interface: questions to requests, responses to answers.
public protocol ServerMapping: Sendable {
  /// Writes a question in the server's form.
  func call(for question: ServerQuestion) -> ServerCall

  /// Reads a successful response.
  ///
  /// - Parameter body: The response's body.
  /// - Returns: The answer; one whose ending is `unusable` where the body has none.
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
