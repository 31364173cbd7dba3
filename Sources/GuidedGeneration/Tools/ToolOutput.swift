/// The result type of tools in the first betas of OS 26.
@available(
  *, unavailable,
  message:
    "return a String, a GeneratedContent or another PromptRepresentable from `call(arguments:)`"
)
public struct ToolOutput: Sendable, PromptRepresentable {
  /// A result that is text.
  public init(_ string: String) {}

  /// A result that is structured.
  public init(_ content: GeneratedContent) {}

  /// The result in a prompt.
  public var promptRepresentation: Prompt { Prompt(text: "") }
}
