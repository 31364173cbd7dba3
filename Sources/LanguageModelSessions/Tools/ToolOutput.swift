import GuidedGeneration

/// The result type of tools in the first betas of OS 26.
///
/// The type is unavailable, and the compiler's error names the types to return instead.
@available(
  *, unavailable,
  message:
    "return a String, a GeneratedContent or another PromptRepresentable from `call(arguments:)`"
)
public struct ToolOutput: Sendable, PromptRepresentable {
  /// Creates a text result.
  ///
  /// - Parameter string: The text.
  public init(_ string: String) {}

  /// Creates a structured result.
  ///
  /// - Parameter content: The content.
  public init(_ content: GeneratedContent) {}

  /// The result as a prompt.
  public var promptRepresentation: Prompt { Prompt(text: "") }
}
