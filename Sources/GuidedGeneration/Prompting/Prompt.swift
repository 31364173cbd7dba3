/// What a model is asked.
public struct Prompt: Sendable {
  let content: PromptContent

  init(content: PromptContent) { self.content = content }

  init(text: String) { content = PromptContent(text: text) }

  /// The text that the model reads.
  package var text: String { content.text }

  /// Creates a prompt of something that can stand in one.
  ///
  /// - Parameter content: The content.
  public init(_ content: some PromptRepresentable) { self = content.promptRepresentation }

  /// Creates a prompt of parts, each on a line of its own.
  ///
  /// - Parameter content: The parts.
  /// - Throws: What the parts throw.
  public init(@PromptBuilder _ content: () throws -> Prompt) rethrows { self = try content() }

  init(joining parts: [Prompt]) {
    content = PromptContent(joining: parts.map(\.content))
  }
}

/// Something that can stand in a prompt.
public protocol PromptRepresentable {
  /// What the model reads.
  @PromptBuilder var promptRepresentation: Prompt { get }
}

// The builder applies to the bodies below unless they return: without `return` they would never end.
extension Prompt: PromptRepresentable {
  public var promptRepresentation: Prompt { return self }
}

extension String: PromptRepresentable {
  public var promptRepresentation: Prompt { return Prompt(text: self) }
}

extension Array: PromptRepresentable where Element: PromptRepresentable {
  public var promptRepresentation: Prompt {
    return Prompt(joining: map(\.promptRepresentation))
  }
}

/// Puts a prompt together of the statements of a closure.
@resultBuilder
public struct PromptBuilder {
  public static func buildBlock<each P>(_ components: repeat each P) -> Prompt
  where repeat each P: PromptRepresentable {
    var parts: [Prompt] = []
    repeat parts.append((each components).promptRepresentation)
    return Prompt(joining: parts)
  }

  public static func buildArray(_ prompts: [some PromptRepresentable]) -> Prompt {
    prompts.promptRepresentation
  }

  public static func buildEither(first component: some PromptRepresentable) -> Prompt {
    component.promptRepresentation
  }

  public static func buildEither(second component: some PromptRepresentable) -> Prompt {
    component.promptRepresentation
  }

  public static func buildOptional(_ component: Prompt?) -> Prompt {
    component ?? Prompt(text: "")
  }

  public static func buildLimitedAvailability(_ prompt: some PromptRepresentable) -> Prompt {
    prompt.promptRepresentation
  }

  @_disfavoredOverload
  public static func buildExpression<P: PromptRepresentable>(_ expression: P) -> P { expression }

  public static func buildExpression(_ expression: Prompt) -> Prompt { expression }

  @available(*, unavailable, message: "only what is PromptRepresentable can stand in a prompt")
  public static func buildExpression<T>(_ expression: T) -> Prompt { Prompt(text: "") }
}
