import Foundation
import StructuredText

extension GenerationSchema {
  fileprivate init(_ name: String, _ node: SchemaNode) {
    self.init(name: name, source: .nodes(SchemaNodes(root: node, definitions: [])))
  }
}

extension Bool: Generable {
  public static var generationSchema: GenerationSchema {
    GenerationSchema("Bool", .boolean(description: nil))
  }

  public init(_ content: GeneratedContent) throws {
    guard case .bool(let flag) = content.storage else { throw content.mismatch("a Boolean") }
    self = flag
  }

  public var generatedContent: GeneratedContent { GeneratedContent(storage: .bool(self)) }
}

extension String: Generable {
  public static var generationSchema: GenerationSchema {
    GenerationSchema("String", .string(StringSchema()))
  }

  public init(_ content: GeneratedContent) throws {
    guard case .string(let string) = content.storage else { throw content.mismatch("a string") }
    self = string
  }

  public var generatedContent: GeneratedContent { GeneratedContent(storage: .string(self)) }
}

extension Int: Generable {
  public static var generationSchema: GenerationSchema {
    GenerationSchema("Int", .integer(IntegerSchema()))
  }

  public init(_ content: GeneratedContent) throws {
    let number = try content.number()
    guard let value = number.int else {
      throw content.failure(.number(number.text, type: "Int"))
    }
    self = value
  }

  public var generatedContent: GeneratedContent {
    GeneratedContent(storage: .number(JSONNumber(self)))
  }
}

extension Float: Generable {
  public static var generationSchema: GenerationSchema {
    GenerationSchema("Float", .number(NumberSchema()))
  }

  public init(_ content: GeneratedContent) throws {
    let number = try content.number()
    guard let value = Float(number.text), value.isFinite else {
      throw content.failure(.number(number.text, type: "Float"))
    }
    self = value
  }

  public var generatedContent: GeneratedContent {
    GeneratedContent(storage: .number(JSONNumber(self)))
  }
}

extension Double: Generable {
  public static var generationSchema: GenerationSchema {
    GenerationSchema("Double", .number(NumberSchema()))
  }

  public init(_ content: GeneratedContent) throws { self = try content.number().double }

  public var generatedContent: GeneratedContent {
    GeneratedContent(storage: .number(JSONNumber(self)))
  }
}

extension Decimal: Generable {
  public static var generationSchema: GenerationSchema {
    GenerationSchema("Decimal", .number(NumberSchema()))
  }

  public init(_ content: GeneratedContent) throws {
    let number = try content.number()
    guard let value = Decimal(string: number.text, locale: Locale(identifier: "en_US_POSIX"))
    else { throw content.failure(.number(number.text, type: "Decimal")) }
    self = value
  }

  public var generatedContent: GeneratedContent {
    GeneratedContent(storage: .number(JSONNumber(self)))
  }
}

extension Never: Generable {
  public static var generationSchema: GenerationSchema {
    GenerationSchema("Never", .string(StringSchema(choices: [])))
  }

  public init(_ content: GeneratedContent) throws { throw content.mismatch("nothing") }

  public var generatedContent: GeneratedContent { switch self {} }
}

extension GeneratedContent: Generable {
  public static var generationSchema: GenerationSchema {
    GenerationSchema("GeneratedContent", .any(description: nil))
  }

  public init(_ content: GeneratedContent) throws { self = content }

  public var generatedContent: GeneratedContent { self }
}
