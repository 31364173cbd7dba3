import GuidedGeneration
import RegexBuilder
import StructuredText
import Testing

/// A type that is written like the macro's output, and is recursive through an array.
private struct Branch: Generable, Equatable {
  var label: String
  var twigs: [Branch]
  var owner: Owner?

  static var generationSchema: GenerationSchema {
    GenerationSchema(
      type: Self.self, description: "A part of a tree",
      properties: [
        .init(name: "label", description: "A word", type: String.self, guides: [/[a-z]+/]),
        .init(name: "twigs", type: [Branch].self, guides: [.count(0...4)]),
        .init(name: "owner", type: Owner?.self),
      ])
  }

  init(_ content: GeneratedContent) throws {
    label = try content.value(forProperty: "label")
    twigs = try content.value(forProperty: "twigs")
    owner = try content.value(Owner?.self, forProperty: "owner")
  }

  var generatedContent: GeneratedContent {
    GeneratedContent(properties: ["label": label, "twigs": twigs, "owner": owner])
  }
}

private struct Owner: Generable, Equatable {
  static var generationSchema: GenerationSchema {
    GenerationSchema(
      type: Self.self, properties: [.init(name: "favourite", type: Branch?.self)])
  }
  init(_ content: GeneratedContent) throws {}
  var generatedContent: GeneratedContent { GeneratedContent(properties: [:]) }
}

private enum Signal: Generable {
  case sound(volume: Int, label: String?)
  case light
  case relay(Branch)

  static var generationSchema: GenerationSchema {
    GenerationSchema(
      type: Self.self, name: nil, description: "What was noticed",
      cases: [
        .init(
          name: "sound", description: "A noise",
          payload: [
            .init(name: "volume", type: Int.self, guides: [.range(0...10)]),
            .init(name: "label", type: String?.self),
          ]),
        .init(name: "light"),
        .init(name: "relay", payload: [.init(name: "value", type: Branch.self)]),
      ])
  }
  init(_ content: GeneratedContent) throws { self = .light }
  var generatedContent: GeneratedContent { GeneratedContent(properties: ["type": "light"]) }
}

private enum Outer {
  struct Item: Generable {
    static var generationSchema: GenerationSchema {
      GenerationSchema(type: Self.self, properties: [.init(name: "a", type: Int.self)])
    }
    init(_ content: GeneratedContent) throws {}
    var generatedContent: GeneratedContent { GeneratedContent(properties: [:]) }
  }
}

private struct Item: Generable {
  static var generationSchema: GenerationSchema {
    GenerationSchema(
      type: Self.self,
      properties: [
        .init(name: "other", type: Outer.Item.self), .init(name: "self", type: Item?.self),
      ])
  }
  init(_ content: GeneratedContent) throws {}
  var generatedContent: GeneratedContent { GeneratedContent(properties: [:]) }
}

@Suite("Schemas of Swift types")
struct TypeSchemaTests {
  @Test("the schema of a recursive type refers to itself")
  func recursion() {
    #expect(
      Branch.generationSchema.json == [
        "$defs": [
          "Owner": [
            "additionalProperties": false, "properties": ["favourite": ["$ref": "#"]],
            "required": [], "title": "Owner", "type": "object", "x-order": ["favourite"],
          ]
        ],
        "additionalProperties": false, "description": "A part of a tree",
        "properties": [
          "label": ["type": "string", "description": "A word", "pattern": "[a-z]+"],
          "twigs": ["type": "array", "items": ["$ref": "#"], "minItems": 0, "maxItems": 4],
          "owner": ["$ref": "#/$defs/Owner"],
        ],
        "required": ["label", "twigs"], "title": "Branch", "type": "object",
        "x-order": ["label", "twigs", "owner"],
      ])
  }

  @Test("every case of an enum with payloads becomes an object that begins with the case's name")
  func payloads() throws {
    let json = Signal.generationSchema.json
    #expect(
      json["anyOf"] == [
        ["$ref": "#/$defs/DiscriminatedSound"], ["$ref": "#/$defs/DiscriminatedLight"],
        ["$ref": "#/$defs/DiscriminatedRelay"],
      ])
    #expect(
      json["$defs"]?["DiscriminatedSound"] == [
        "additionalProperties": false, "description": "A noise",
        "properties": [
          "type": ["const": "sound"],
          "volume": ["type": "integer", "minimum": 0, "maximum": 10],
          "label": ["type": "string"],
        ],
        "required": ["type", "volume"], "title": "DiscriminatedSound", "type": "object",
        "x-order": ["type", "volume", "label"],
      ])
    #expect(
      json["$defs"]?["Branch"]?["properties"]?["twigs"]?["items"] == ["$ref": "#/$defs/Branch"])
    let schema = Signal.generationSchema
    #expect(schema.branches(of: schema.root) == ["sound", "light", "relay"])
    #expect(schema.name == "Signal")
  }

  @Test("two types with the same unqualified name get different names")
  func sameName() {
    let json = Item.generationSchema.json
    #expect(json["properties"]?["self"] == ["$ref": "#"])
    #expect(json["properties"]?["other"] == ["$ref": "#/$defs/Item2"])
    #expect(json["$defs"]?["Item2"]?["properties"] == ["a": ["type": "integer"]])
  }

  @Test(
    "a written schema reads back unchanged",
    arguments: [
      Branch.generationSchema, Signal.generationSchema, Item.generationSchema,
      [Branch].generationSchema, [[Int]].generationSchema, GeneratedContent.generationSchema,
    ])
  func identity(schema: GenerationSchema) throws {
    #expect(try GenerationSchema(json: schema.json).json == schema.json)
  }

  @Test("a guide constrains the property, or its elements if the guide says so")
  func guides() {
    let properties: [GenerationSchema.Property] = [
      .init(name: "one", type: String.self, guides: [.constant("x")]),
      .init(name: "some", type: String?.self, guides: [.anyOf(["x", "y"])]),
      .init(name: "each", type: [String].self, guides: [.element(.anyOf(["a", "b"])), .count(2)]),
      .init(name: "deep", type: [[Int]].self, guides: [.element(.element(.maximum(3)))]),
      .init(name: "ratio", type: Double.self, guides: [.minimum(0.25), .maximum(0.5)]),
      .init(name: "small", type: Float.self, guides: [.range(0.1...0.2)]),
    ]
    let json = GenerationSchema(type: Item.self, properties: properties).json["properties"]
    #expect(json?["one"] == ["type": "string", "enum": ["x"]])
    #expect(json?["some"] == ["type": "string", "enum": ["x", "y"]])
    #expect(
      json?["each"] == [
        "type": "array", "items": ["type": "string", "enum": ["a", "b"]], "minItems": 2,
        "maxItems": 2,
      ])
    #expect(json?["deep"]?["items"]?["items"] == ["type": "integer", "maximum": 3])
    #expect(json?["ratio"] == ["type": "number", "minimum": 0.25, "maximum": 0.5])
    #expect(json?["small"] == ["type": "number", "minimum": 0.1, "maximum": 0.2])
  }

  @Test("the guides of cases without payloads become part of the enum's description")
  func caseGuides() {
    let schema = GenerationSchema(
      type: Item.self, name: "Mood", description: "How it feels",
      cases: [.init(name: "calm", description: "Nothing moves"), .init(name: "wild")])
    #expect(
      schema.json == [
        "type": "string", "enum": ["calm", "wild"], "title": "Mood",
        "description": "How it feels\ncalm: Nothing moves",
      ])
  }

  @Test(
    "a regular expression becomes a pattern, whether it is a literal, a builder or parsed text")
  func patterns() throws {
    let properties: [GenerationSchema.Property] = [
      .init(name: "literal", type: String.self, guides: [/\d{4}-\d\d/]),
      .init(
        name: "built", type: String?.self,
        guides: [
          Regex {
            OneOrMore(.digit)
            "-"
            Optionally { "x.y" }
          }
        ]),
      .init(name: "read", type: String.self, guides: [try Regex("^[A-Z]{2}$")]),
      .init(name: "guide", type: String.self, guides: [.pattern(#/a/b/#)]),
      .init(name: "both", type: String.self, guides: [/[a-z]+/, /.{3}/]),
    ]
    let json = GenerationSchema(type: Item.self, properties: properties).json["properties"]
    #expect(json?["literal"]?["pattern"] == #"\d{4}\-\d\d"#)
    #expect(json?["built"]?["pattern"] == #"\d+-(?:x\.y)?"#)
    #expect(json?["read"]?["pattern"] == "^[A-Z]{2}$")
    #expect(json?["guide"]?["pattern"] == "a/b")
    #expect(json?["both"]?["pattern"] == "[a-z]+")
    #expect(json?["both"]?["allOf"] == [["pattern": ".{3}"]])
  }
}
