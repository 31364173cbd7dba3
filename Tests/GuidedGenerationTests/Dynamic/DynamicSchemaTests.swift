import GuidedGeneration
import StructuredText
import Testing

@Suite("Dynamic schemas")
struct DynamicSchemaTests {
  private typealias Dynamic = DynamicGenerationSchema

  private func schema(_ root: Dynamic, _ dependencies: Dynamic...) throws -> GenerationSchema {
    try GenerationSchema(root: root, dependencies: dependencies)
  }

  @Test("every form of dynamic schema is written like its static counterpart")
  func forms() throws {
    let root = Dynamic(
      name: "Order", description: "What is wanted",
      properties: [
        .init(name: "size", schema: Dynamic(name: "Size", anyOf: ["small", "large"])),
        .init(
          name: "extras", description: "On the side",
          schema: Dynamic(
            arrayOf: Dynamic(type: String.self, guides: [.anyOf(["bread", "oil"])]),
            minimumElements: 1, maximumElements: 2), isOptional: true),
        .init(name: "guest", schema: Dynamic(referenceTo: "Guest")),
        .init(name: "next", schema: Dynamic(referenceTo: "Order"), isOptional: true),
        .init(
          name: "table",
          schema: Dynamic(name: "Table", anyOf: [Dynamic(type: Int.self), Dynamic.null])),
      ])
    let guest = Dynamic(
      name: "Guest",
      properties: [
        .init(name: "friend", schema: Dynamic(referenceTo: "Guest"), isOptional: true)
      ])
    let schema = try schema(root, guest)
    #expect(schema.name == "Order")
    #expect(
      schema.json == [
        "$defs": [
          "Guest": [
            "additionalProperties": false, "properties": ["friend": ["$ref": "#/$defs/Guest"]],
            "required": [], "title": "Guest", "type": "object", "x-order": ["friend"],
          ],
          "Table": ["anyOf": [["type": "integer"], ["type": "null"]], "title": "Table"],
        ],
        "additionalProperties": false, "description": "What is wanted",
        "properties": [
          "size": ["type": "string", "enum": ["small", "large"]],
          "extras": [
            "type": "array", "description": "On the side", "minItems": 1, "maxItems": 2,
            "items": ["type": "string", "enum": ["bread", "oil"]],
          ],
          "guest": ["$ref": "#/$defs/Guest"], "next": ["$ref": "#"],
          "table": ["$ref": "#/$defs/Table"],
        ],
        "required": ["size", "guest", "table"], "title": "Order", "type": "object",
        "x-order": ["size", "extras", "guest", "next", "table"],
      ])
  }

  @Test("a dynamic schema may be used in several places")
  func shared() throws {
    let point = Dynamic(
      name: "Point", properties: [.init(name: "x", schema: Dynamic(type: Int.self))])
    let line = Dynamic(
      name: "Line",
      properties: [.init(name: "from", schema: point), .init(name: "to", schema: point)])
    #expect(try schema(line).definitions.map(\.name) == ["Point"])
  }

  @Test("if an object represents nil explicitly, its optional properties are written as required")
  func explicitNull() throws {
    let root = Dynamic(
      name: "Note", representNilExplicitlyInGeneratedContent: true,
      properties: [.init(name: "text", schema: Dynamic(type: String.self), isOptional: true)])
    #expect(try schema(root).json["required"] == ["text"])
  }

  @Test("duplicate names, empty choices and undefined references are rejected")
  func errors() {
    let text = Dynamic(type: String.self)
    func object(_ name: String, _ properties: String...) -> Dynamic {
      Dynamic(name: name, properties: properties.map { .init(name: $0, schema: text) })
    }
    func check(
      _ root: Dynamic, _ dependencies: Dynamic...,
      is matches: (GenerationSchema.SchemaError) -> Bool
    ) {
      #expect {
        try GenerationSchema(root: root, dependencies: dependencies)
      } throws: { error in
        (error as? GenerationSchema.SchemaError).map(matches) ?? false
      }
    }
    check(object("A"), object("B"), object("B", "b")) {
      if case .duplicateType("A", "B", _) = $0 { true } else { false }
    }
    check(object("A"), object("A")) {
      if case .duplicateType("A", "A", _) = $0 { true } else { false }
    }
    check(
      Dynamic(
        name: "A",
        properties: [
          .init(name: "p", schema: object("B", "x")), .init(name: "q", schema: object("B", "y")),
        ])
    ) { if case .duplicateType("A", "B", _) = $0 { true } else { false } }
    check(object("A", "p", "q", "p")) {
      if case .duplicateProperty("A", "p", _) = $0 { true } else { false }
    }
    check(Dynamic(name: "A", anyOf: [String]())) {
      if case .emptyTypeChoices("A", _) = $0 { true } else { false }
    }
    check(Dynamic(name: "A", anyOf: [Dynamic]())) {
      if case .emptyTypeChoices("A", _) = $0 { true } else { false }
    }
    check(
      Dynamic(name: "A", anyOf: [Dynamic(referenceTo: "B"), Dynamic(referenceTo: "C")])
    ) {
      if case .undefinedReferences("A", ["B", "C"], let context) = $0 {
        !context.debugDescription.isEmpty && $0.errorDescription != nil
      } else {
        false
      }
    }
  }
}
