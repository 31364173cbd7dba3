extension GeneratedContent {
  /// Puts a structure together property by property, as `@Generable` does.
  public struct Builder {
    private let id: GenerationID?
    private let representsNilExplicitly: Bool
    private var members: [(String, GeneratedContent)] = []

    /// Creates a builder.
    ///
    /// - Parameters:
    ///   - id: What identifies the content.
    ///   - representsNilExplicitly: Whether an absent value is written as null.
    public init(id: GenerationID? = nil, representsNilExplicitly: Bool = false) {
      self.id = id
      self.representsNilExplicitly = representsNilExplicitly
    }

    /// Adds a property.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - value: Its value.
    public mutating func add(_ name: String, _ value: some ConvertibleToGeneratedContent) {
      members.append((name, value.generatedContent))
    }

    /// Adds a property where it has a value.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - value: Its value.
    public mutating func add<Value: ConvertibleToGeneratedContent>(_ name: String, _ value: Value?)
    {
      if let value {
        members.append((name, value.generatedContent))
      } else if representsNilExplicitly {
        members.append((name, GeneratedContent(storage: .null)))
      }
    }

    /// The structure.
    public var content: GeneratedContent { GeneratedContent(members: members, id: id) }
  }

  /// The value of a property that is still being generated.
  ///
  /// - Parameter property: The name of the property.
  /// - Returns: The value, or nil if it has not begun, is null, or says too little yet.
  /// - Throws: Where the property is complete and no such value.
  public func partialValue<Value: ConvertibleFromGeneratedContent>(
    forProperty property: String
  ) throws -> Value? {
    guard case .structure(let properties, _) = storage else { throw mismatch("a structure") }
    guard let content = properties[property], content.storage != .null else { return nil }
    do {
      return try Value(content)
    } catch  where !content.isComplete {
      return nil
    }
  }

  /// The error for a case that an enum does not have.
  ///
  /// - Parameter name: The name of the case.
  /// - Returns: The error.
  public func unknownCase(_ name: String) -> ParsingError { failure(.unknownCase(name)) }
}
