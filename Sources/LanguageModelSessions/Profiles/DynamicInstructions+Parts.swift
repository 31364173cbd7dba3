import GuidedGeneration

extension Instructions: DynamicInstructions, PrimitiveDynamicInstructions {
  /// The type of the body: `Never`, because this type has no body.
  public typealias Body = Never

  func add(to resolved: inout ResolvedInstructions) { resolved.parts.append(self) }
}

/// Tools that are part of dynamic instructions.
struct ToolInstructions: DynamicInstructions, PrimitiveDynamicInstructions {
  typealias Body = Never

  let tools: [any Tool]

  func add(to resolved: inout ResolvedInstructions) { resolved.tools += tools }
}

/// A type-erased wrapper for dynamic instructions.
public struct AnyDynamicInstructions: DynamicInstructions, PrimitiveDynamicInstructions {
  /// The type of the body: `Never`, because this type has no body.
  public typealias Body = Never

  private let content: any DynamicInstructions

  /// Creates a wrapper.
  ///
  /// - Parameter dynamicInstructions: The instructions to wrap.
  public init(_ dynamicInstructions: any DynamicInstructions) { content = dynamicInstructions }

  /// Creates a wrapper; the compiler calls this initializer to erase an opaque type.
  ///
  /// - Parameter dynamicInstructions: The instructions to wrap.
  public init(erasing dynamicInstructions: some DynamicInstructions) {
    self.init(dynamicInstructions)
  }

  func add(to resolved: inout ResolvedInstructions) { resolved.add(content) }
}

/// A sequence of dynamic instructions.
public struct TupleDynamicInstructions<each Content: DynamicInstructions>: DynamicInstructions,
  PrimitiveDynamicInstructions
{
  /// The type of the body: `Never`, because this type has no body.
  public typealias Body = Never

  private let contents: (repeat each Content)

  /// Creates a sequence.
  ///
  /// - Parameter contents: The instructions in order.
  public init(_ contents: repeat each Content) { self.contents = (repeat each contents) }

  func add(to resolved: inout ResolvedInstructions) { repeat resolved.add(each contents) }
}

/// Dynamic instructions from one of the two branches of a condition.
public struct ConditionalDynamicInstructions<
  TrueContent: DynamicInstructions, FalseContent: DynamicInstructions
>: DynamicInstructions, PrimitiveDynamicInstructions {
  /// The type of the body: `Never`, because this type has no body.
  public typealias Body = Never

  /// The branch in use, with its instructions.
  public enum Branch {
    /// The first branch.
    case trueContent(TrueContent)
    /// The second branch.
    case falseContent(FalseContent)
  }

  private let branch: Branch

  /// Creates instructions from one of the branches.
  ///
  /// - Parameter branch: The branch in use, with its instructions.
  public init(_ branch: Branch) { self.branch = branch }

  func add(to resolved: inout ResolvedInstructions) {
    switch branch {
    case .trueContent(let content): resolved.add(content)
    case .falseContent(let content): resolved.add(content)
    }
  }
}

extension Optional: DynamicInstructions, PrimitiveDynamicInstructions
where Wrapped: DynamicInstructions {
  /// The type of the body: `Never`, because this type has no body.
  public typealias Body = Never

  func add(to resolved: inout ResolvedInstructions) { if let self { resolved.add(self) } }
}

/// Empty dynamic instructions.
public struct EmptyDynamicInstructions: DynamicInstructions, PrimitiveDynamicInstructions,
  Sendable
{
  /// The type of the body: `Never`, because this type has no body.
  public typealias Body = Never

  /// Creates empty instructions.
  public init() {}

  func add(to resolved: inout ResolvedInstructions) {}
}

/// Dynamic instructions for each element of a collection.
public struct DynamicInstructionsForEach<
  Data: RandomAccessCollection, ID: Hashable, Content: DynamicInstructions
>: DynamicInstructions, PrimitiveDynamicInstructions {
  /// The type of the body: `Never`, because this type has no body.
  public typealias Body = Never

  private let data: Data
  private let content: (Data.Element) -> Content

  /// Creates instructions for a collection.
  ///
  /// - Parameters:
  ///   - data: The collection.
  ///   - id: The key path of a value that identifies an element; not used here.
  ///   - content: A closure that returns the instructions for an element.
  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @DynamicInstructionsBuilder content: @escaping (Data.Element) -> Content
  ) {
    self.data = data
    self.content = content
  }

  /// Creates instructions for a collection of identifiable elements.
  ///
  /// - Parameters:
  ///   - data: The collection.
  ///   - content: A closure that returns the instructions for an element.
  public init(
    _ data: Data, @DynamicInstructionsBuilder content: @escaping (Data.Element) -> Content
  ) where Data.Element: Identifiable, ID == Data.Element.ID {
    self.init(data, id: \.id, content: content)
  }

  func add(to resolved: inout ResolvedInstructions) {
    for element in data { resolved.add(content(element)) }
  }
}
