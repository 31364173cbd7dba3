/// Instructions and tools that are asked for again before every request to a model.
@_typeEraser(AnyDynamicInstructions)
public protocol DynamicInstructions {
  /// What they are made of.
  associatedtype Body: DynamicInstructions

  /// The instructions and tools as the app's state has them now.
  @DynamicInstructionsBuilder var body: Body { get }
}

extension DynamicInstructions {
  /// Instructions and tools for every element of a collection.
  public typealias ForEach = DynamicInstructionsForEach
}

/// What dynamic instructions come to.
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
  /// Never called: a type without a body is resolved through its parts.
  public var body: Never { fatalError("\(Self.self) has no body") }
}

extension Never: DynamicInstructions {
  public typealias Body = Never
  public var body: Never { fatalError("Never has no body") }
}

/// Puts dynamic instructions together of the statements of a closure.
@resultBuilder
public struct DynamicInstructionsBuilder {
  public static func buildExpression<T: Tool>(_ expression: T) -> some DynamicInstructions {
    ToolInstructions(tools: [expression])
  }

  public static func buildExpression<T: DynamicInstructions>(_ expression: T) -> T { expression }

  public static func buildExpression(_ tools: [any Tool]) -> some DynamicInstructions {
    ToolInstructions(tools: tools)
  }

  @_disfavoredOverload
  public static func buildBlock<each Content: DynamicInstructions>(
    _ contents: repeat each Content
  ) -> TupleDynamicInstructions<repeat each Content> {
    TupleDynamicInstructions(repeat each contents)
  }

  public static func buildBlock<T: DynamicInstructions>(_ content: T) -> T { content }

  public static func buildBlock() -> EmptyDynamicInstructions { EmptyDynamicInstructions() }

  public static func buildEither<TrueContent, FalseContent>(
    first content: TrueContent
  ) -> ConditionalDynamicInstructions<TrueContent, FalseContent> {
    ConditionalDynamicInstructions(.trueContent(content))
  }

  public static func buildEither<TrueContent, FalseContent>(
    second content: FalseContent
  ) -> ConditionalDynamicInstructions<TrueContent, FalseContent> {
    ConditionalDynamicInstructions(.falseContent(content))
  }

  public static func buildOptional<Content: DynamicInstructions>(
    _ content: Content?
  ) -> Content? {
    content
  }

  public static func buildLimitedAvailability(
    _ content: some DynamicInstructions
  ) -> AnyDynamicInstructions {
    AnyDynamicInstructions(content)
  }
}
