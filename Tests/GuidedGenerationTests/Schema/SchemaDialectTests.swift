import GuidedGeneration
import StructuredText
import Testing

@Suite("Dialects of schema documents")
struct SchemaDialectTests {
  private static let draft: JSONValue = "https://json-schema.org/draft/2020-12/schema"
  private static let detections: [(document: JSONValue, dialect: SchemaDialect)] = [
    (["type": "string", "pattern": "[a-z]"], .apple),
    (["title": "A", "type": "object", "x-order": ["a"], "properties": ["a": [:]]], .apple),
    (["$schema": draft, "type": "string", "pattern": "[a-z]"], .jsonSchema),
    (["$schema": draft, "type": "object", "x-order": ["a"], "properties": ["a": [:]]], .apple),
    (["$schema": draft, "enum": [["x-order": ["a"]]]], .jsonSchema),
    (true, .apple),
  ]

  @Test("a document with a $schema is JSON Schema, unless it has Apple's x-order")
  func detection() {
    for (document, dialect) in Self.detections {
      #expect(SchemaDialect(of: document) == dialect, "\(document.compactText)")
    }
  }

  @Test(
    "patterns match parts of strings in JSON Schema, and whole strings in Apple's dialect")
  func patterns() throws {
    func pattern(_ document: JSONValue, _ dialect: SchemaDialect?) throws -> JSONValue? {
      try GenerationSchema(json: document, options: SchemaReadOptions(dialect: dialect))
        .json["pattern"]
    }
    let plain: JSONValue = ["type": "string", "pattern": "[a-z]"]
    let named: JSONValue = ["$schema": Self.draft, "type": "string", "pattern": "[a-z]"]
    for document in [plain, named] {
      #expect(try pattern(document, .apple) == "[a-z]")
      #expect(try pattern(document, .jsonSchema) == "^(?:[\\s\\S]*(?:[a-z])[\\s\\S]*)$")
    }
    #expect(try pattern(plain, nil) == "[a-z]")
    #expect(try pattern(named, nil) == pattern(named, .jsonSchema))
    // A schema keeps its meaning when it is written and read again.
    let once = try GenerationSchema(json: named)
    #expect(try GenerationSchema(json: once.json) == once)
  }
}
