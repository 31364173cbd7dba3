/// What a model is told before it is asked.
public struct Instructions: Sendable {
  let content: PromptContent

  init(content: PromptContent) { self.content = content }

  init(text: String) { content = PromptContent(text: text) }

  /// The text that the model reads.
  package var text: String { content.text }

  /// Creates instructions of something that can stand in them.
  ///
  /// - Parameter content: The content.
  public init(_ content: some InstructionsRepresentable) {
    self = content.instructionsRepresentation
  }

  /// Creates instructions of parts, each on a line of its own.
  ///
  /// - Parameter content: The parts.
  /// - Throws: What the parts throw.
  public init(@InstructionsBuilder _ content: () throws -> Instructions) rethrows {
    self = try content()
  }

  init(joining parts: [Instructions]) {
    content = PromptContent(joining: parts.map(\.content))
  }
}

/// Something that can stand in instructions.
public protocol InstructionsRepresentable {
  /// What the model reads.
  @InstructionsBuilder var instructionsRepresentation: Instructions { get }
}

// The builder applies to the bodies below unless they return: without `return` they would never end.
extension Instructions: InstructionsRepresentable {
  public var instructionsRepresentation: Instructions { return self }
}

extension String: InstructionsRepresentable {
  public var instructionsRepresentation: Instructions { return Instructions(text: self) }
}

extension Array: InstructionsRepresentable where Element: InstructionsRepresentable {
  public var instructionsRepresentation: Instructions {
    return Instructions(joining: map(\.instructionsRepresentation))
  }
}

/// Puts instructions together of the statements of a closure.
@resultBuilder
public struct InstructionsBuilder {
  public static func buildBlock<each P>(_ components: repeat each P) -> Instructions
  where repeat each P: InstructionsRepresentable {
    var parts: [Instructions] = []
    repeat parts.append((each components).instructionsRepresentation)
    return Instructions(joining: parts)
  }

  public static func buildArray(_ parts: [some InstructionsRepresentable]) -> Instructions {
    parts.instructionsRepresentation
  }

  public static func buildEither(first component: some InstructionsRepresentable) -> Instructions {
    component.instructionsRepresentation
  }

  public static func buildEither(second component: some InstructionsRepresentable) -> Instructions {
    component.instructionsRepresentation
  }

  public static func buildOptional(_ component: Instructions?) -> Instructions {
    component ?? Instructions(text: "")
  }

  public static func buildLimitedAvailability(
    _ part: some InstructionsRepresentable
  ) -> Instructions {
    part.instructionsRepresentation
  }

  @_disfavoredOverload
  public static func buildExpression<P: InstructionsRepresentable>(_ expression: P) -> P {
    expression
  }

  public static func buildExpression(_ expression: Instructions) -> Instructions { expression }

  @available(
    *, unavailable, message: "only what is InstructionsRepresentable can stand in instructions"
  )
  public static func buildExpression<T>(_ expression: T) -> Instructions {
    Instructions(text: "")
  }
}
