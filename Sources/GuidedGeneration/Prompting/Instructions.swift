/// Instructions that a model reads before the prompts of a session.
public struct Instructions: Sendable {
  package let content: PromptContent

  package init(content: PromptContent) { self.content = content }

  package init(text: String) { content = PromptContent(text: text) }

  /// The text that the model reads.
  package var text: String { content.text }

  /// Creates instructions from content that can be represented as instructions.
  ///
  /// - Parameter content: The content to represent.
  public init(_ content: some InstructionsRepresentable) {
    self = content.instructionsRepresentation
  }

  /// Creates instructions by joining parts with line breaks.
  ///
  /// - Parameter content: A closure with the parts.
  /// - Throws: The error that the closure throws.
  public init(@InstructionsBuilder _ content: () throws -> Instructions) rethrows {
    self = try content()
  }

  package init(joining parts: [Instructions]) {
    content = PromptContent(joining: parts.map(\.content))
  }
}

/// A type that can be represented as instructions.
public protocol InstructionsRepresentable {
  /// The instructions that the model reads.
  @InstructionsBuilder var instructionsRepresentation: Instructions { get }
}

// Without `return`, the builder would transform the body, which would then call itself forever.
extension Instructions: InstructionsRepresentable {
  /// The instructions themselves.
  public var instructionsRepresentation: Instructions { return self }
}

extension String: InstructionsRepresentable {
  /// The string as instructions.
  public var instructionsRepresentation: Instructions { return Instructions(text: self) }
}

extension Array: InstructionsRepresentable where Element: InstructionsRepresentable {
  /// The instructions of the elements, joined with line breaks.
  public var instructionsRepresentation: Instructions {
    return Instructions(joining: map(\.instructionsRepresentation))
  }
}

/// Builds instructions from the statements of a closure.
@resultBuilder
public struct InstructionsBuilder {
  /// Combines several statements by joining them with line breaks.
  ///
  /// - Parameter components: The statements in order.
  /// - Returns: The combined instructions.
  public static func buildBlock<each P>(_ components: repeat each P) -> Instructions
  where repeat each P: InstructionsRepresentable {
    var parts: [Instructions] = []
    repeat parts.append((each components).instructionsRepresentation)
    return Instructions(joining: parts)
  }

  /// Combines the results of a loop by joining them with line breaks.
  ///
  /// - Parameter parts: The content of each iteration.
  /// - Returns: The combined instructions.
  public static func buildArray(_ parts: [some InstructionsRepresentable]) -> Instructions {
    parts.instructionsRepresentation
  }

  /// Returns the instructions of the first branch of a condition.
  ///
  /// - Parameter component: The content of the branch.
  public static func buildEither(first component: some InstructionsRepresentable) -> Instructions {
    component.instructionsRepresentation
  }

  /// Returns the instructions of the second branch of a condition.
  ///
  /// - Parameter component: The content of the branch.
  public static func buildEither(second component: some InstructionsRepresentable) -> Instructions {
    component.instructionsRepresentation
  }

  /// Returns the instructions of an `if` without `else`; empty instructions if the condition is
  /// false.
  ///
  /// - Parameter component: The instructions, or `nil` if the condition is false.
  public static func buildOptional(_ component: Instructions?) -> Instructions {
    component ?? Instructions(text: "")
  }

  /// Returns instructions that are limited to newer systems.
  ///
  /// - Parameter part: The content that is limited to newer systems.
  public static func buildLimitedAvailability(
    _ part: some InstructionsRepresentable
  ) -> Instructions {
    part.instructionsRepresentation
  }

  /// Accepts a value that can be represented as instructions.
  ///
  /// - Parameter expression: The value.
  /// - Returns: The value, unchanged.
  @_disfavoredOverload
  public static func buildExpression<P: InstructionsRepresentable>(_ expression: P) -> P {
    expression
  }

  /// Accepts instructions as a statement.
  ///
  /// - Parameter expression: The instructions.
  /// - Returns: The instructions, unchanged.
  public static func buildExpression(_ expression: Instructions) -> Instructions { expression }

  /// Rejects any other statement with a compile-time error.
  ///
  /// Apple's version of this method compiles, but stops the program when it runs.
  ///
  /// - Parameter expression: The statement.
  /// - Returns: Nothing, because no program that calls this method compiles.
  @available(
    *, unavailable, message: "instructions can contain only InstructionsRepresentable values"
  )
  public static func buildExpression<T>(_ expression: T) -> Instructions {
    Instructions(text: "")
  }
}
