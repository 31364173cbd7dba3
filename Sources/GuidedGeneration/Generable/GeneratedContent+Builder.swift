extension GeneratedContent {
  /// A builder that adds one property after another to a structure, for code that `@Generable`
  /// generates.
  ///
  /// Apple's framework has no such type.
  public struct Builder {
    private let id: GenerationID?
    private let representsNilExplicitly: Bool
    private var members: [(String, GeneratedContent)] = []

    /// Creates a builder.
    ///
    /// - Parameters:
    ///   - id: An identity that stays the same while the content grows.
    ///   - representsNilExplicitly: Whether an absent value is written as null instead of being
    ///     left out.
    public init(id: GenerationID? = nil, representsNilExplicitly: Bool = false) {
      self.id = id
      self.representsNilExplicitly = representsNilExplicitly
    }

    /// Adds a property.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - value: The value of the property.
    public mutating func add(_ name: String, _ value: some ConvertibleToGeneratedContent) {
      members.append((name, value.generatedContent))
    }

    /// Adds the value of an optional property.
    ///
    /// For `nil`, the builder adds null if `representsNilExplicitly` is true, and nothing
    /// otherwise.
    ///
    /// - Parameters:
    ///   - name: The name of the property.
    ///   - value: The value of the property, or `nil`.
    public mutating func add<Value: ConvertibleToGeneratedContent>(_ name: String, _ value: Value?)
    {
      if let value {
        members.append((name, value.generatedContent))
      } else if representsNilExplicitly {
        members.append((name, GeneratedContent(storage: .null)))
      }
    }

    /// The finished structure.
    public var content: GeneratedContent { GeneratedContent(members: members, id: id) }
  }

  /// Decodes a property that is still being generated; `@Generable` uses this method.
  ///
  /// Apple's framework has no such method.
  ///
  /// - Parameter property: The name of the property.
  /// - Returns: The value, or `nil` if the property is missing or null, or doesn't have enough
  ///   content yet.
  /// - Throws: `ParsingError` if the content is not a structure, or if the property is complete but
  ///   doesn't fit the type. The type's initializer may throw other errors.
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

  /// Returns the error for a case name that the enum doesn't have; `@Generable` uses this method.
  ///
  /// Apple's framework has no such method.
  ///
  /// - Parameter name: The name in the content.
  /// - Returns: The error, with the content's JSON text.
  public func unknownCase(_ name: String) -> ParsingError { failure(.unknownCase(name)) }
}
