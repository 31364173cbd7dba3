import StructuredText
import SystemBasics

extension GenerationSchema {
  fileprivate init(_ name: String, _ node: SchemaNode) {
    self.init(name: name, source: .nodes(SchemaNodes(root: node, definitions: [])))
  }
}

extension Bool: Generable {
  /// The schema of a Boolean.
  public static var generationSchema: GenerationSchema {
    GenerationSchema("Bool", .boolean(description: nil))
  }

  /// Creates a Boolean from generated content.
  ///
  /// - Parameter content: The content.
  /// - Throws: `ParsingError` if the content is not a Boolean.
  public init(_ content: GeneratedContent) throws {
    guard case .bool(let flag) = content.storage else { throw content.mismatch("a Boolean") }
    self = flag
  }

  /// The Boolean as generated content.
  public var generatedContent: GeneratedContent { GeneratedContent(storage: .bool(self)) }
}

extension String: Generable {
  /// The schema of a string of any length.
  public static var generationSchema: GenerationSchema {
    GenerationSchema("String", .string(StringSchema()))
  }

  /// Creates a string from generated content.
  ///
  /// - Parameter content: The content.
  /// - Throws: `ParsingError` if the content is not a string.
  public init(_ content: GeneratedContent) throws {
    guard case .string(let string) = content.storage else { throw content.mismatch("a string") }
    self = string
  }

  /// The string as generated content.
  public var generatedContent: GeneratedContent { GeneratedContent(storage: .string(self)) }
}

extension Int: Generable {
  /// The schema of an integer.
  public static var generationSchema: GenerationSchema {
    GenerationSchema("Int", .integer(IntegerSchema()))
  }

  /// Creates an integer from generated content.
  ///
  /// - Parameter content: The content.
  /// - Throws: `ParsingError` if the content is not an integer that fits in `Int`.
  public init(_ content: GeneratedContent) throws {
    let number = try content.number()
    guard let value = number.int else {
      throw content.failure(.number(number.text, type: "Int"))
    }
    self = value
  }

  /// The integer as generated content.
  public var generatedContent: GeneratedContent {
    GeneratedContent(storage: .number(JSONNumber(self)))
  }
}

extension Float: Generable {
  /// The schema of a number.
  public static var generationSchema: GenerationSchema {
    GenerationSchema("Float", .number(NumberSchema()))
  }

  /// Creates a float from generated content.
  ///
  /// - Parameter content: The content.
  /// - Throws: `ParsingError` if the content is not a number, or is too large for `Float`.
  public init(_ content: GeneratedContent) throws {
    let number = try content.number()
    guard let value = Float(number.text), value.isFinite else {
      throw content.failure(.number(number.text, type: "Float"))
    }
    self = value
  }

  /// The number as generated content, in the shortest text that reads back as the same float.
  ///
  /// Infinity and NaN become 0, because JSON has neither.
  public var generatedContent: GeneratedContent {
    GeneratedContent(storage: .number(JSONNumber(self)))
  }
}

extension Double: Generable {
  /// The schema of a number.
  public static var generationSchema: GenerationSchema {
    GenerationSchema("Double", .number(NumberSchema()))
  }

  /// Creates a double from generated content.
  ///
  /// - Parameter content: The content.
  /// - Throws: `ParsingError` if the content is not a number.
  public init(_ content: GeneratedContent) throws { self = try content.number().double }

  /// The number as generated content, in the shortest text that reads back as the same double.
  ///
  /// Infinity and NaN become 0, because JSON has neither.
  public var generatedContent: GeneratedContent {
    GeneratedContent(storage: .number(JSONNumber(self)))
  }
}

extension Decimal: Generable {
  /// The schema of a number.
  public static var generationSchema: GenerationSchema {
    GenerationSchema("Decimal", .number(NumberSchema()))
  }

  /// Creates a decimal from generated content, without converting it to a double first.
  ///
  /// - Parameter content: The content.
  /// - Throws: `ParsingError` if the content is not a number that fits in `Decimal`.
  public init(_ content: GeneratedContent) throws {
    let number = try content.number()
    guard let value = Decimal(string: number.text, locale: Locale(identifier: "en_US_POSIX"))
    else { throw content.failure(.number(number.text, type: "Decimal")) }
    self = value
  }

  /// The number as generated content, with all its digits.
  ///
  /// NaN becomes 0, because JSON has no NaN.
  public var generatedContent: GeneratedContent {
    GeneratedContent(storage: .number(JSONNumber(self)))
  }
}

extension Never: Generable {
  /// A schema that no value satisfies: a choice without alternatives.
  public static var generationSchema: GenerationSchema {
    GenerationSchema("Never", .string(StringSchema(choices: [])))
  }

  /// Always fails, because there are no values of this type.
  ///
  /// - Parameter content: The content.
  /// - Throws: `ParsingError`.
  public init(_ content: GeneratedContent) throws { throw content.mismatch("nothing") }

  /// Never called, because there are no values of this type.
  public var generatedContent: GeneratedContent { switch self {} }
}

extension GeneratedContent: Generable {
  /// The schema of any JSON value.
  public static var generationSchema: GenerationSchema {
    GenerationSchema("GeneratedContent", .any(description: nil))
  }

  /// Creates a copy of generated content; never throws.
  ///
  /// - Parameter content: The content.
  public init(_ content: GeneratedContent) throws { self = content }

  /// The content itself.
  public var generatedContent: GeneratedContent { self }
}
