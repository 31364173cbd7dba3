import Foundation
import StructuredText

extension GenerationSchema {
  fileprivate init(_ name: String, _ node: SchemaNode) {
    self.init(name: name, source: .nodes(SchemaNodes(root: node, definitions: [])))
  }
}

extension Bool: Generable {
  /// The schema that every value of the type follows.
  public static var generationSchema: GenerationSchema {
    GenerationSchema("Bool", .boolean(description: nil))
  }

  /// Creates a value from generated content; throws `ParsingError` if the content doesn't fit.
  public init(_ content: GeneratedContent) throws {
    guard case .bool(let flag) = content.storage else { throw content.mismatch("a Boolean") }
    self = flag
  }

  /// The value as generated content.
  public var generatedContent: GeneratedContent { GeneratedContent(storage: .bool(self)) }
}

extension String: Generable {
  /// The schema that every value of the type follows.
  public static var generationSchema: GenerationSchema {
    GenerationSchema("String", .string(StringSchema()))
  }

  /// Creates a value from generated content; throws `ParsingError` if the content doesn't fit.
  public init(_ content: GeneratedContent) throws {
    guard case .string(let string) = content.storage else { throw content.mismatch("a string") }
    self = string
  }

  /// The value as generated content.
  public var generatedContent: GeneratedContent { GeneratedContent(storage: .string(self)) }
}

extension Int: Generable {
  /// The schema that every value of the type follows.
  public static var generationSchema: GenerationSchema {
    GenerationSchema("Int", .integer(IntegerSchema()))
  }

  /// Creates a value from generated content; throws `ParsingError` if the content doesn't fit.
  public init(_ content: GeneratedContent) throws {
    let number = try content.number()
    guard let value = number.int else {
      throw content.failure(.number(number.text, type: "Int"))
    }
    self = value
  }

  /// The value as generated content.
  public var generatedContent: GeneratedContent {
    GeneratedContent(storage: .number(JSONNumber(self)))
  }
}

extension Float: Generable {
  /// The schema that every value of the type follows.
  public static var generationSchema: GenerationSchema {
    GenerationSchema("Float", .number(NumberSchema()))
  }

  /// Creates a value from generated content; throws `ParsingError` if the content doesn't fit.
  public init(_ content: GeneratedContent) throws {
    let number = try content.number()
    guard let value = Float(number.text), value.isFinite else {
      throw content.failure(.number(number.text, type: "Float"))
    }
    self = value
  }

  /// The value as generated content.
  public var generatedContent: GeneratedContent {
    GeneratedContent(storage: .number(JSONNumber(self)))
  }
}

extension Double: Generable {
  /// The schema that every value of the type follows.
  public static var generationSchema: GenerationSchema {
    GenerationSchema("Double", .number(NumberSchema()))
  }

  /// Creates a value from generated content; throws `ParsingError` if the content doesn't fit.
  public init(_ content: GeneratedContent) throws { self = try content.number().double }

  /// The value as generated content.
  public var generatedContent: GeneratedContent {
    GeneratedContent(storage: .number(JSONNumber(self)))
  }
}

extension Decimal: Generable {
  /// The schema that every value of the type follows.
  public static var generationSchema: GenerationSchema {
    GenerationSchema("Decimal", .number(NumberSchema()))
  }

  /// Creates a value from generated content; throws `ParsingError` if the content doesn't fit.
  public init(_ content: GeneratedContent) throws {
    let number = try content.number()
    guard let value = Decimal(string: number.text, locale: Locale(identifier: "en_US_POSIX"))
    else { throw content.failure(.number(number.text, type: "Decimal")) }
    self = value
  }

  /// The value as generated content.
  public var generatedContent: GeneratedContent {
    GeneratedContent(storage: .number(JSONNumber(self)))
  }
}

extension Never: Generable {
  /// The schema that every value of the type follows.
  public static var generationSchema: GenerationSchema {
    GenerationSchema("Never", .string(StringSchema(choices: [])))
  }

  /// Creates a value from generated content; throws `ParsingError` if the content doesn't fit.
  public init(_ content: GeneratedContent) throws { throw content.mismatch("nothing") }

  /// The value as generated content.
  public var generatedContent: GeneratedContent { switch self {} }
}

extension GeneratedContent: Generable {
  /// The schema that every value of the type follows.
  public static var generationSchema: GenerationSchema {
    GenerationSchema("GeneratedContent", .any(description: nil))
  }

  /// Creates a value from generated content; throws `ParsingError` if the content doesn't fit.
  public init(_ content: GeneratedContent) throws { self = content }

  /// The value as generated content.
  public var generatedContent: GeneratedContent { self }
}
