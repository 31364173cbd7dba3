import StructuredText

extension GeneratedContent {
  /// Decodes the content as a value of a type.
  ///
  /// - Parameter type: The type to decode as.
  /// - Returns: The value.
  /// - Throws: `ParsingError` if the content doesn't fit the type, or another error that the type's
  ///   initializer throws.
  public func value<Value: ConvertibleFromGeneratedContent>(
    _ type: Value.Type = Value.self
  ) throws -> Value {
    try Value(self)
  }

  /// Decodes a property of a structure.
  ///
  /// - Parameters:
  ///   - type: The type to decode as.
  ///   - property: The name of the property.
  /// - Returns: The value.
  /// - Throws: `ParsingError` if the content is not a structure, the property is missing, or its
  ///   content doesn't fit the type. The type's initializer may throw other errors.
  public func value<Value: ConvertibleFromGeneratedContent>(
    _ type: Value.Type = Value.self, forProperty property: String
  ) throws -> Value {
    let properties = try self.properties
    guard let content = properties[property] else {
      throw failure(.missingProperty(property, properties: properties.keys.sorted()))
    }
    return try Value(content)
  }

  /// Decodes an optional property of a structure.
  ///
  /// - Parameters:
  ///   - type: The type to decode as, written as an optional.
  ///   - property: The name of the property.
  /// - Returns: The value, or `nil` if the property is absent or null.
  /// - Throws: `ParsingError` if the content is not a structure, or if the property's content
  ///   doesn't fit the type. The type's initializer may throw other errors.
  public func value<Value: ConvertibleFromGeneratedContent>(
    _ type: Value?.Type = Value?.self, forProperty property: String
  ) throws -> Value? {
    guard let content = try properties[property], content.storage != .null else { return nil }
    return try Value(content)
  }

  private var properties: [String: GeneratedContent] {
    get throws {
      guard case .structure(let properties, _) = storage else { throw mismatch("a structure") }
      return properties
    }
  }

  // MARK: Failures

  func failure(_ problem: ContentProblem) -> ParsingError {
    ParsingError(
      rawContent: jsonString, underlyingError: problem, debugDescription: problem.description)
  }

  func mismatch(_ expected: String) -> ParsingError {
    failure(.kind(found: kindName, expected: expected))
  }

  private var kindName: String {
    switch storage {
    case .null: "null"
    case .bool: "a Boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .structure: "a structure"
    }
  }

  func number() throws -> JSONNumber {
    guard case .number(let number) = storage else { throw mismatch("a number") }
    return number
  }
}
