extension Instructions: DynamicInstructions, PrimitiveDynamicInstructions {
  public typealias Body = Never

  func add(to resolved: inout ResolvedInstructions) { resolved.parts.append(self) }
}

/// Tools among dynamic instructions.
struct ToolInstructions: DynamicInstructions, PrimitiveDynamicInstructions {
  typealias Body = Never

  let tools: [any Tool]

  func add(to resolved: inout ResolvedInstructions) { resolved.tools += tools }
}

/// Dynamic instructions of any type.
public struct AnyDynamicInstructions: DynamicInstructions, PrimitiveDynamicInstructions {
  public typealias Body = Never

  private let content: any DynamicInstructions

  /// Creates an instance of dynamic instructions.
  ///
  /// - Parameter dynamicInstructions: The instructions.
  public init(_ dynamicInstructions: any DynamicInstructions) { content = dynamicInstructions }

  /// Creates an instance of dynamic instructions.
  ///
  /// - Parameter dynamicInstructions: The instructions.
  public init(erasing dynamicInstructions: some DynamicInstructions) {
    self.init(dynamicInstructions)
  }

  func add(to resolved: inout ResolvedInstructions) { resolved.add(content) }
}

/// Dynamic instructions one after the other.
public struct TupleDynamicInstructions<each Content: DynamicInstructions>: DynamicInstructions,
  PrimitiveDynamicInstructions
{
  public typealias Body = Never

  private let contents: (repeat each Content)

  /// Creates an instance of several.
  ///
  /// - Parameter contents: The instructions.
  public init(_ contents: repeat each Content) { self.contents = (repeat each contents) }

  func add(to resolved: inout ResolvedInstructions) { repeat resolved.add(each contents) }
}

/// One or the other dynamic instructions.
public struct ConditionalDynamicInstructions<
  TrueContent: DynamicInstructions, FalseContent: DynamicInstructions
>: DynamicInstructions, PrimitiveDynamicInstructions {
  public typealias Body = Never

  /// Which one.
  public enum Branch {
    case trueContent(TrueContent)
    case falseContent(FalseContent)
  }

  private let branch: Branch

  /// Creates an instance of a branch.
  ///
  /// - Parameter branch: The branch.
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
  public typealias Body = Never

  func add(to resolved: inout ResolvedInstructions) { if let self { resolved.add(self) } }
}

/// No instructions.
public struct EmptyDynamicInstructions: DynamicInstructions, PrimitiveDynamicInstructions,
  Sendable
{
  public typealias Body = Never

  /// Creates an instance.
  public init() {}

  func add(to resolved: inout ResolvedInstructions) {}
}

/// Dynamic instructions for every element of a collection.
public struct DynamicInstructionsForEach<
  Data: RandomAccessCollection, ID: Hashable, Content: DynamicInstructions
>: DynamicInstructions, PrimitiveDynamicInstructions {
  public typealias Body = Never

  private let data: Data
  private let content: (Data.Element) -> Content

  /// Creates an instance of a collection.
  ///
  /// - Parameters:
  ///   - data: The collection.
  ///   - id: What tells its elements apart.
  ///   - content: The instructions for an element.
  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @DynamicInstructionsBuilder content: @escaping (Data.Element) -> Content
  ) {
    self.data = data
    self.content = content
  }

  /// Creates an instance of a collection of identifiable elements.
  ///
  /// - Parameters:
  ///   - data: The collection.
  ///   - content: The instructions for an element.
  public init(
    _ data: Data, @DynamicInstructionsBuilder content: @escaping (Data.Element) -> Content
  ) where Data.Element: Identifiable, ID == Data.Element.ID {
    self.init(data, id: \.id, content: content)
  }

  func add(to resolved: inout ResolvedInstructions) {
    for element in data { resolved.add(content(element)) }
  }
}
