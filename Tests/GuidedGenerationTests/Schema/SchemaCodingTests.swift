import Foundation
import GuidedGeneration
import StructuredText
import Testing

@Suite("Schemas as JSON")
struct SchemaCodingTests {
  /// A schema with most kinds of nodes, in the form that Apple's encoder writes.
  static let library: JSONValue = [
    "$defs": [
      "Book": [
        "additionalProperties": false,
        "properties": [
          "title": ["type": "string", "pattern": "[A-Z].*"],
          "pages": ["type": "integer", "minimum": 1, "maximum": 3000],
          "price": ["type": "number", "minimum": 0.5],
          "genre": ["type": "string", "enum": ["novel", "essay"]],
          "sequels": ["type": "array", "items": ["$ref": "#/$defs/Book"], "maxItems": 3],
        ],
        "required": ["title", "pages", "genre"],
        "title": "Book", "type": "object",
        "x-order": ["title", "pages", "price", "genre", "sequels"],
      ],
      "DiscriminatedLent": [
        "additionalProperties": false,
        "description": "Somebody has it.",
        "properties": [
          "type": ["const": "lent"], "reader": ["type": "string"], "days": ["type": "integer"],
        ],
        "required": ["type", "reader"],
        "title": "DiscriminatedLent", "type": "object", "x-order": ["type", "reader", "days"],
      ],
      "DiscriminatedMissing": [
        "additionalProperties": false,
        "properties": ["type": ["const": "missing"]],
        "required": ["type"],
        "title": "DiscriminatedMissing", "type": "object", "x-order": ["type"],
      ],
      "State": [
        "anyOf": [["$ref": "#/$defs/DiscriminatedLent"], ["$ref": "#/$defs/DiscriminatedMissing"]],
        "title": "State",
      ],
    ],
    "additionalProperties": false,
    "description": "A shelf",
    "properties": [
      "books": [
        "type": "array", "description": "What stands here", "minItems": 1,
        "items": ["$ref": "#/$defs/Book"],
      ],
      "state": ["$ref": "#/$defs/State"],
      "inner": ["$ref": "#", "description": "A shelf in the shelf"],
      "isOpen": ["type": "boolean"],
      "anything": [:],
    ],
    "required": ["books", "state", "isOpen"],
    "title": "Shelf", "type": "object",
    "x-order": ["books", "state", "inner", "isOpen", "anything"],
  ]

  @Test("reading a schema and writing it back gives an equal JSON value")
  func readThenWrite() throws {
    let schema = try GenerationSchema(json: Self.library)
    #expect(schema.json == Self.library)
    #expect(try GenerationSchema(json: schema.json) == schema)
  }

  @Test("a schema survives a round trip through JSONEncoder, which reorders keys")
  func codable() throws {
    let schema = try GenerationSchema(json: Self.library)
    let data = try JSONEncoder().encode(schema)
    #expect(try JSONDecoder().decode(GenerationSchema.self, from: data) == schema)
  }

  @Test("a schema's text has sorted keywords, and its properties are in declared order")
  func text() throws {
    let schema = try GenerationSchema(json: [
      "type": "object", "title": "Pair", "x-order": ["b", "a"], "required": ["b", "a"],
      "properties": ["a": ["type": "integer"], "b": ["type": "string"]],
    ])
    #expect(
      schema.debugDescription == """
        {"additionalProperties": false, "properties": {"b": {"type": "string"}, \
        "a": {"type": "integer"}}, "required": ["b", "a"], "title": "Pair", "type": "object", \
        "x-order": ["b", "a"]}
        """)
  }

  @Test("definitions are sorted by their first use, depth-first, and unused definitions come last")
  func definitionOrder() throws {
    func object(_ properties: JSONObject) -> JSONValue {
      ["type": "object", "properties": .object(properties)]
    }
    let schema = try GenerationSchema(json: [
      "$defs": [
        "Unused": ["type": "string"], "D": object([:]), "C": object([:]),
        "B": object(["d": ["$ref": "#/$defs/D"]]),
      ],
      "type": "object",
      "properties": ["b": ["$ref": "#/$defs/B"], "c": ["$ref": "#/$defs/C"]],
    ])
    #expect(schema.definitions.map(\.name) == ["B", "D", "C", "Unused"])
  }

  @Test(
    "a property with an explicit null is written as required and nullable, and read back unchanged")
  func explicitNull() throws {
    let schema = GenerationSchema(
      root: .object(
        ObjectSchema(
          name: "Note",
          properties: [
            PropertySchema(
              name: "date", description: "If any", node: .string(StringSchema()),
              isOptional: true)
          ], representsNilExplicitly: true)),
      definitions: [])
    #expect(
      schema.json["properties"]
        == ["date": ["anyOf": [["type": "string"], ["type": "null"]], "description": "If any"]])
    #expect(schema.json["required"] == ["date"])
    #expect(try GenerationSchema(json: schema.json) == schema)
  }

  @Test(
    "a reference to a name with special characters survives a round trip",
    arguments: ["a/b", "a~b", "~1", "a/\u{308}b", "/\u{301}", "Überschrift", "with space"])
  func referenceNames(name: String) throws {
    let schema = GenerationSchema(
      root: .array(ArraySchema(element: .reference(name, description: nil))),
      definitions: [(name, .boolean(description: nil))])
    #expect(try GenerationSchema(json: schema.json) == schema)
  }
}
