import GuidedGeneration
import StructuredText
import Testing

@Suite("Reading plain JSON Schema")
struct SchemaImportTests {
  private func root(_ json: JSONValue) throws -> SchemaNode {
    try GenerationSchema(json: json).root
  }

  @Test("a document without x-order keeps the order of its properties")
  func documentOrder() throws {
    let schema = try GenerationSchema(
      json: JSONValue(
        parsing: #"""
          {"type": "object", "strict": true, "additionalProperties": false,
           "properties": {"zeta": {"type": "string"}, "alpha": {"type": ["string", "null"]}},
           "required": ["zeta", "alpha"]}
          """#))
    #expect(schema.propertyNames(of: schema.root) == ["zeta", "alpha"])
    guard case .object(let object) = schema.root else {
      Issue.record("the root is not an object")
      return
    }
    #expect(object.representsNilExplicitly)
    #expect(object.properties.map(\.isOptional) == [false, true])
  }

  @Test("a document that Pydantic wrote is read correctly")
  func pydantic() throws {
    let schema = try GenerationSchema(json: [
      "$defs": [
        "Colour": ["enum": ["red", "blue"], "title": "Colour", "type": "string"],
        "Cat": [
          "type": "object", "title": "Cat", "required": ["kind"],
          "properties": ["kind": ["const": "cat", "title": "Kind", "type": "string"]],
        ],
        "Dog": [
          "type": "object", "title": "Dog", "required": ["kind"],
          "properties": ["kind": ["const": "dog", "title": "Kind", "type": "string"]],
        ],
      ],
      "properties": [
        "age": [
          "anyOf": [["type": "integer"], ["type": "null"]], "default": nil, "title": "Age",
        ],
        "colour": ["allOf": [["$ref": "#/$defs/Colour"]], "default": "red", "description": "Coat"],
        "pet": [
          "oneOf": [["$ref": "#/$defs/Cat"], ["$ref": "#/$defs/Dog"]],
          "discriminator": ["propertyName": "kind"],
        ],
        "size": ["type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10],
      ],
      "required": ["pet"], "title": "Owner", "type": "object",
    ])
    guard case .object(let owner) = schema.root else {
      Issue.record("the root is not an object")
      return
    }
    #expect(
      owner.properties[0].node
        == .union(
          UnionSchema(
            name: "Age",
            choices: [.integer(IntegerSchema()), .null(description: nil)])))
    #expect(owner.properties[1].description == "Coat")
    #expect(owner.properties[1].node == .reference("Colour", description: nil))
    #expect(schema.shapes(of: owner.properties[2].node).count == 2)
    #expect(owner.properties[3].node == .integer(IntegerSchema(minimum: 1, maximum: 9)))
  }

  @Test("an enum of several types becomes a union of constants")
  func mixedEnum() throws {
    #expect(
      try root(["enum": ["a", 1, nil, "b"]])
        == .union(
          UnionSchema(choices: [
            .string(StringSchema(choices: ["a", "b"])),
            .integer(IntegerSchema(minimum: 1, maximum: 1)), .null(description: nil),
          ])))
  }

  static let refused: [(JSONValue, String)] = [
    (["type": "string", "minLength": "3"], "#/minLength"),
    (["type": "string", "minLength": -1], "#/minLength"),
    (["type": "array", "minItems": .number(JSONNumber(2.5))], "#/minItems"),
    (["type": "integer", "minimum": 5, "exclusiveMaximum": 5], "#/exclusiveMaximum"),
    (["type": "number", "multipleOf": 0], "#/multipleOf"),
    (
      ["type": "object", "properties": ["a": ["type": "string", "required": true]]],
      "#/properties/a/required"
    ),
    (["type": "array", "items": ["type": "boolean"], "uniqueItems": "yes"], "#/uniqueItems"),
    (["type": "array", "items": ["type": "boolean"], "uniqueItems": 1], "#/uniqueItems"),
    (["type": "string", "nullable": "true"], "#/nullable"),
    (["type": "string", "format": "date", "x-format-assertion": "true"], "#/x-format-assertion"),
    (["type": "integer", "pattern": 5], "#/pattern"),
    (["type": "string", "items": "z"], "#/items"),
    (["type": "string", "items": [["type": "string"], 4]], "#/items/1"),
    (["type": "string", "properties": 7], "#/properties"),
    (["type": "string", "properties": ["a": "string"]], "#/properties/a"),
    (["type": "object", "minItems": -1], "#/minItems"),
    (["type": "string", "exclusiveMinimum": "5"], "#/exclusiveMinimum"),
    (["type": "string", "title": 5], "#/title"),
    (["type": "string", "description": ["x"]], "#/description"),
    (["enum": ["a"], "required": "a"], "#/required"),
    (["const": 1, "enum": 5], "#/enum"),
    (["type": "string", "dependentRequired": ["a": ["b", 1]]], "#/dependentRequired/a/1"),
    (["type": "string", "then": "x"], "#/then"),
    (["anyOf": [["type": "string"], 5]], "#/anyOf/1"),
    (["type": "integer", "minimum": 5, "maximum": 4], "#/maximum"),
    (["type": "number", "exclusiveMinimum": 1, "maximum": 1], "#/maximum"),
    (["type": "array", "items": ["type": "text"]], "#/items/type"),
    (["type": "array", "minItems": 4, "maxItems": 2], "#/maxItems"),
    (["type": "array", "uniqueItems": true], "#/uniqueItems"),
    (["type": "array", "contains": ["type": "string"]], "#/contains"),
    (["anyOf": [[:]], "unevaluatedItems": false], "#/unevaluatedItems"),
    (["type": "string", "enum": []], "#/enum"),
    (["type": "string", "enum": [1, 2]], "#/enum"),
    (["const": true, "type": "string"], "#/const"),
    (["anyOf": []], "#/anyOf"),
    (["anyOf": [["type": "string"], ["uniqueItems": true]]], "#/anyOf/1/uniqueItems"),
    (["type": "number", "not": ["type": "integer"]], "#/not"),
    (["oneOf": [["type": "number"], ["type": "integer"]]], "#/oneOf"),
    (["allOf": [["type": "string"], ["type": "integer"]]], "#"),
    (["$ref": "#/$defs/Gone"], "#/$ref"),
    (["$ref": "https://example.org/schema"], "#/$ref"),
    (
      ["$defs": ["A": ["type": "string", "extends": [:]]], "$ref": "#/$defs/A"],
      "#/$defs/A/extends"
    ),
    (["$ref": "#"], "#"),
    (["$defs": ["A": ["anyOf": [["$ref": "#/$defs/A"]]]], "$ref": "#/$defs/A"], "#/$defs/A"),
    (
      ["type": "object", "properties": ["a": ["$ref": "#"]], "required": ["a"]], "#"
    ),
    (["type": "object", "properties": ["a": false], "required": ["a"]], "#"),
    (
      ["type": "object", "propertyNames": ["anyOf": [["maxLength": 2], ["pattern": "a"]]]],
      "#/propertyNames"
    ),
    ([], "#"),
    ("schema", "#"),
  ]

  @Test(
    "an open object combined with a closed one is closed, even if `offersExtraKeys` is set",
    arguments: [
      #"""
      {"type": "object", "properties": {"a": {}}, "anyOf": [{"properties": {"a": false}}],
       "unevaluatedProperties": false}
      """#,
      #"{"allOf": [{"type": "object"}, {"type": "object", "additionalProperties": false}]}"#,
      #"{"allOf": [{"type": "object", "additionalProperties": false}, {"type": "object"}]}"#,
    ])
  func closedObject(text: String) throws {
    var options = SchemaReadOptions()
    options.offersExtraKeys = true
    let schema = try GenerationSchema(json: JSONValue(parsing: text), options: options)
    guard case .object(let object) = schema.root else {
      Issue.record("the root is not an object: \(schema.root)")
      return
    }
    #expect(object.properties.isEmpty && object.extra == nil)
  }

  @Test("the error for a keyword that can't be enforced names its place", arguments: refused)
  func refusal(json: JSONValue, path: String) {
    #expect {
      try GenerationSchema(json: json)
    } throws: { error in
      (error as? SchemaReadError)?.path == path
    }
  }

  @Test(
    "a key with a keyword's name is no keyword in data, in `properties`, or in an ignored keyword",
    arguments: [
      ["type": "object", "properties": ["required": ["type": "boolean"]]],
      ["enum": [["uniqueItems": "yes"]]], ["const": ["title": 5]],
      ["type": "string", "default": 5, "examples": "x", "deprecated": "since 2"],
      ["type": "integer", "minimum": 1, "exclusiveMinimum": true],
      ["type": "string", "items": true, "minItems": 5_000_000_000],
      ["type": "string", "nullable": true, "description": "x"],
    ] as [JSONValue])
  func keywordsInData(json: JSONValue) throws {
    #expect(throws: Never.self) { try GenerationSchema(json: json) }
  }

  @Test(
    "an `allOf` of two arrays forbids equal elements if either array does",
    arguments: [(false, false), (true, false), (false, true), (true, true)])
  func distinctElements(left: Bool, right: Bool) throws {
    func array(_ isUnique: Bool) -> JSONValue {
      ["type": "array", "items": ["enum": ["a", "b"]], "uniqueItems": .bool(isUnique)]
    }
    guard case .array(let both) = try root(["allOf": [array(left), array(right)]]) else {
      Issue.record("the root should be an array")
      return
    }
    #expect(both.hasUniqueElements == (left || right))
  }

  @Test("a schema that is nested too deeply is rejected")
  func depth() {
    var json: JSONValue = ["type": "string"]
    for _ in 0..<200 { json = ["type": "array", "items": json] }
    #expect(throws: SchemaReadError.self) { try GenerationSchema(json: json) }
  }

  @Test("the reader ignores an unknown keyword unless an option says to reject it")
  func unknownKeywords() throws {
    let json: JSONValue = ["type": "string", "minLenght": 3, "_note": "x"]
    #expect(try root(json) == .string(StringSchema()))
    var options = SchemaReadOptions()
    options.refusesUnknownKeywords = true
    #expect {
      try GenerationSchema(json: json, options: options)
    } throws: { error in
      let error = error as? SchemaReadError
      return error?.path == "#/minLenght" && error?.allowed == ["minLength"]
    }
  }

  static let misspelt: [(String, String?)] = [
    ("minItem", "minItems"), ("maxlength", "maxLength"), ("propertis", "properties"),
    ("requierd", "required"), ("additionalproperties", "additionalProperties"),
    ("propertys", "properties"), ("aditionalPropertes", "additionalProperties"),
    ("exclusive_minimun", "exclusiveMinimum"), ("propertyOrdering", nil), ("typos", nil),
    ("discriminators", "discriminator"), ("uniqueKeys", nil), ("markdownDescription", nil),
    ("_description", nil), ("name", nil), ("version", nil), ("id", nil),
  ]

  @Test("a key that looks like a misspelled keyword is recognized", arguments: misspelt)
  func spelling(key: String, keyword: String?) {
    #expect(KeywordSpelling.meant(by: key) == keyword)
  }

  @Test("the table has each keyword once, and the reader rejects every keyword marked as refused")
  func table() {
    #expect(Set(KeywordTable.rows.map(\.keyword)).count == KeywordTable.rows.count)
    for row in KeywordTable.rows where row.treatment == .refused {
      // Two keywords have an effect only next to `contains`.
      let json: JSONValue =
        row.keyword.hasSuffix("Contains")
        ? ["contains": [:], .init(row.keyword): 1] : [.init(row.keyword): ["x": 1]]
      #expect(throws: SchemaReadError.self, "\(row.keyword)") { try GenerationSchema(json: json) }
    }
  }
}
