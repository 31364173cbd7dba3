/// The result type of tools in the first betas of OS 26.
@available(
  *, unavailable,
  message:
    "return a String, a GeneratedContent or another PromptRepresentable from `call(arguments:)`"
)
public struct ToolOutput: Sendable, PromptRepresentable {
  /// Creates a text result.
  public init(_ string: String) {}

  /// Creates a structured result.
  public init(_ content: GeneratedContent) {}

  /// The result as a prompt.
  public var promptRepresentation: Prompt { Prompt(text: "") }
}
