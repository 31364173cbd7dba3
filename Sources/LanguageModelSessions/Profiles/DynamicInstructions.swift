import GuidedGeneration

/// Instructions and tools that a session evaluates again before every request to a model.
///
/// This timing is Assay's choice, because Apple's behavior is unknown.
@_typeEraser(AnyDynamicInstructions)
public protocol DynamicInstructions {
  /// The type of the body, or `Never` if there is no body.
  associatedtype Body: DynamicInstructions

  /// The instructions and tools for the app's current state.
  @DynamicInstructionsBuilder var body: Body { get }
}

extension DynamicInstructions {
  /// Instructions and tools for each element of a collection.
  public typealias ForEach = DynamicInstructionsForEach
}

/// The instructions and tools that dynamic instructions evaluate to.
struct ResolvedInstructions {
  var parts: [Instructions] = []
  var tools: [any Tool] = []

  init(_ instructions: some DynamicInstructions) { add(instructions) }

  mutating func add(_ instructions: some DynamicInstructions) {
    if let primitive = instructions as? any PrimitiveDynamicInstructions {
      primitive.add(to: &self)
    } else {
      add(instructions.body)
    }
  }
}

/// Dynamic instructions that have no body.
protocol PrimitiveDynamicInstructions {
  func add(to resolved: inout ResolvedInstructions)
}

extension DynamicInstructions where Body == Never {
  /// Stops the program.
  ///
  /// Assay's own types have no body, and the session never reads this property.
  public var body: Never { fatalError("\(Self.self) has no body") }
}

extension Never: DynamicInstructions {
  /// The type of the body: `Never`, because there are no values of this type.
  public typealias Body = Never
  /// Never called, because there are no values of this type.
  public var body: Never { fatalError("Never has no body") }
}

/// Builds dynamic instructions from the statements of a closure.
@resultBuilder
public struct DynamicInstructionsBuilder {
  /// Accepts a tool as a statement.
  ///
  /// - Parameter expression: The tool.
  /// - Returns: Instructions that consist of the tool.
  public static func buildExpression<T: Tool>(_ expression: T) -> some DynamicInstructions {
    ToolInstructions(tools: [expression])
  }

  /// Accepts dynamic instructions as a statement.
  ///
  /// - Parameter expression: The instructions.
  /// - Returns: The instructions, unchanged.
  public static func buildExpression<T: DynamicInstructions>(_ expression: T) -> T { expression }

  /// Accepts a list of tools as a statement.
  ///
  /// - Parameter tools: The tools.
  /// - Returns: Instructions that consist of the tools.
  public static func buildExpression(_ tools: [any Tool]) -> some DynamicInstructions {
    ToolInstructions(tools: tools)
  }

  /// Combines several statements.
  ///
  /// - Parameter contents: The instructions of the statements in order.
  /// - Returns: The sequence of the instructions.
  @_disfavoredOverload
  public static func buildBlock<each Content: DynamicInstructions>(
    _ contents: repeat each Content
  ) -> TupleDynamicInstructions<repeat each Content> {
    TupleDynamicInstructions(repeat each contents)
  }

  /// Returns a single statement unchanged.
  ///
  /// - Parameter content: The instructions of the statement.
  public static func buildBlock<T: DynamicInstructions>(_ content: T) -> T { content }

  /// Returns empty instructions for a closure without statements.
  public static func buildBlock() -> EmptyDynamicInstructions { EmptyDynamicInstructions() }

  /// Wraps the instructions of the first branch of a condition.
  ///
  /// - Parameter content: The instructions of the branch.
  /// - Returns: The instructions, with the branch that they come from.
  public static func buildEither<TrueContent, FalseContent>(
    first content: TrueContent
  ) -> ConditionalDynamicInstructions<TrueContent, FalseContent> {
    ConditionalDynamicInstructions(.trueContent(content))
  }

  /// Wraps the instructions of the second branch of a condition.
  ///
  /// - Parameter content: The instructions of the branch.
  /// - Returns: The instructions, with the branch that they come from.
  public static func buildEither<TrueContent, FalseContent>(
    second content: FalseContent
  ) -> ConditionalDynamicInstructions<TrueContent, FalseContent> {
    ConditionalDynamicInstructions(.falseContent(content))
  }

  /// Returns the instructions of an `if` without `else` unchanged.
  ///
  /// - Parameter content: The instructions, or `nil` if the condition is false.
  public static func buildOptional<Content: DynamicInstructions>(
    _ content: Content?
  ) -> Content? {
    content
  }

  /// Wraps instructions that are limited to newer systems.
  ///
  /// - Parameter content: The instructions.
  /// - Returns: The instructions, with their type erased.
  public static func buildLimitedAvailability(
    _ content: some DynamicInstructions
  ) -> AnyDynamicInstructions {
    AnyDynamicInstructions(content)
  }
}
