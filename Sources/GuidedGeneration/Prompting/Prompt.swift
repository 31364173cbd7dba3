/// A prompt for a model: texts and attachments, in order.
public struct Prompt: Sendable {
  package let content: PromptContent

  package init(content: PromptContent) { self.content = content }

  package init(text: String) { content = PromptContent(text: text) }

  /// The text that the model reads.
  package var text: String { content.text }

  /// Creates a prompt from content that can be represented as a prompt.
  ///
  /// - Parameter content: The content to represent.
  public init(_ content: some PromptRepresentable) { self = content.promptRepresentation }

  /// Creates a prompt by joining parts with line breaks.
  ///
  /// - Parameter content: A closure with the parts.
  /// - Throws: The error that the closure throws.
  public init(@PromptBuilder _ content: () throws -> Prompt) rethrows { self = try content() }

  package init(joining parts: [Prompt]) {
    content = PromptContent(joining: parts.map(\.content))
  }
}

/// A type that can be represented as a prompt.
public protocol PromptRepresentable {
  /// The prompt that the model reads.
  @PromptBuilder var promptRepresentation: Prompt { get }
}

// Without `return`, the builder would transform the body, which would then call itself forever.
extension Prompt: PromptRepresentable {
  /// The prompt itself.
  public var promptRepresentation: Prompt { return self }
}

extension String: PromptRepresentable {
  /// The string as a prompt.
  public var promptRepresentation: Prompt { return Prompt(text: self) }
}

extension Array: PromptRepresentable where Element: PromptRepresentable {
  /// The prompts of the elements, joined with line breaks.
  public var promptRepresentation: Prompt {
    return Prompt(joining: map(\.promptRepresentation))
  }
}

/// Builds a prompt from the statements of a closure.
@resultBuilder
public struct PromptBuilder {
  /// Combines several statements by joining them with line breaks.
  ///
  /// - Parameter components: The statements in order.
  /// - Returns: The combined prompt.
  public static func buildBlock<each P>(_ components: repeat each P) -> Prompt
  where repeat each P: PromptRepresentable {
    var parts: [Prompt] = []
    repeat parts.append((each components).promptRepresentation)
    return Prompt(joining: parts)
  }

  /// Combines the results of a loop by joining them with line breaks.
  ///
  /// - Parameter prompts: The content of each iteration.
  /// - Returns: The combined prompt.
  public static func buildArray(_ prompts: [some PromptRepresentable]) -> Prompt {
    prompts.promptRepresentation
  }

  /// Returns the prompt of the first branch of a condition.
  ///
  /// - Parameter component: The content of the branch.
  public static func buildEither(first component: some PromptRepresentable) -> Prompt {
    component.promptRepresentation
  }

  /// Returns the prompt of the second branch of a condition.
  ///
  /// - Parameter component: The content of the branch.
  public static func buildEither(second component: some PromptRepresentable) -> Prompt {
    component.promptRepresentation
  }

  /// Returns the prompt of an `if` without `else`; an empty prompt if the condition is false.
  ///
  /// - Parameter component: The prompt, or `nil` if the condition is false.
  public static func buildOptional(_ component: Prompt?) -> Prompt {
    component ?? Prompt(text: "")
  }

  /// Returns a prompt that is limited to newer systems.
  ///
  /// - Parameter prompt: The content that is limited to newer systems.
  public static func buildLimitedAvailability(_ prompt: some PromptRepresentable) -> Prompt {
    prompt.promptRepresentation
  }

  /// Accepts a value that can be represented as a prompt.
  ///
  /// - Parameter expression: The value.
  /// - Returns: The value, unchanged.
  @_disfavoredOverload
  public static func buildExpression<P: PromptRepresentable>(_ expression: P) -> P { expression }

  /// Accepts a prompt as a statement.
  ///
  /// - Parameter expression: The prompt.
  /// - Returns: The prompt, unchanged.
  public static func buildExpression(_ expression: Prompt) -> Prompt { expression }

  /// Rejects any other statement with a compile-time error.
  ///
  /// Apple's version of this method compiles, but stops the program when it runs.
  ///
  /// - Parameter expression: The statement.
  /// - Returns: Nothing, because no program that calls this method compiles.
  @available(*, unavailable, message: "a prompt can contain only PromptRepresentable values")
  public static func buildExpression<T>(_ expression: T) -> Prompt { Prompt(text: "") }
}
