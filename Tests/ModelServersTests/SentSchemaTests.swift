import ModelServers
import StructuredText
import Testing

@Suite struct SentSchemaTests {
  static let deck = """
    {"type":"object","title":"Deck of Cards","additionalProperties":false,
     "x-order":["cards","note","level"],"required":["cards","level"],"properties":{
       "cards":{"type":"array","items":{"$ref":"#/$defs/Card"},"minItems":3,"maxItems":8},
       "note":{"type":"string","maxLength":80,"description":"A note."},
       "level":{"$ref":"#/$defs/Level","description":"How hard."}},
     "$defs":{"Card":{"type":"object","x-order":["q"],"required":["q"],
        "properties":{"q":{"type":"string","pattern":"[a-z]+"}}},
       "Level":{"type":"string","enum":["easy","hard"]}}}
    """

  private static func sent(_ schema: String, _ profile: SchemaProfile) throws -> SentSchema {
    SentSchema(try JSONValue(parsing: schema), for: profile)
  }

  @Test("servers that build a grammar get the schema without losses, with its properties in order")
  func jsonSchema() throws {
    let sent = try Self.sent(Self.deck, .jsonSchema)
    #expect(sent.losses == [] && !sent.isWrapped)
    #expect(sent.name == "DeckofCards")
    #expect(sent.json["properties"]?.object?.keys == ["cards", "note", "level"])
    #expect(sent.json["x-order"] == nil)
    #expect(sent.json["$defs"]?["Card"]?["properties"]?["q"]?["pattern"] == "^([a-z]+)$")
  }

  @Test("OpenAI's strict subset requires all properties and has no keywords next to a reference")
  func openAI() throws {
    let sent = try Self.sent(Self.deck, .openAIStrict)
    let properties = sent.json["properties"]
    #expect(sent.json["required"] == ["cards", "note", "level"])
    #expect(
      properties?["note"] == [
        "anyOf": [["type": "string"], ["type": "null"]],
        "description": "A note. {maxLength: 80}",
      ])
    #expect(
      properties?["level"] == [
        "type": "string", "enum": ["easy", "hard"], "description": "How hard.",
      ])
    #expect(properties?["cards"]?["maxItems"] == 8)
    #expect(
      sent.losses.map(\.description) == [
        "#/properties/note: the server doesn't enforce `maxLength`; the description states it, and "
          + "Assay checks the answer",
        "#/properties/note: an optional property becomes required, and null means that it is "
          + "absent",
      ])
  }

  @Test("a null that stands for an absent property is removed, and a null that is a value stays")
  func restored() throws {
    let sent = try Self.sent(Self.deck, .openAIStrict)
    let answer = try JSONValue(parsing: #"{"cards":[{"q":"a"}],"note":null,"level":"easy"}"#)
    #expect(sent.restored(answer).compactText == #"{"cards":[{"q":"a"}],"level":"easy"}"#)
    let nullable = try Self.sent(
      """
      {"type":"object","required":["a"],"properties":{
       "a":{"anyOf":[{"type":"string"},{"type":"null"}]},
       "b":{"anyOf":[{"type":"object","required":["type"],"properties":{"type":{"const":"x"},
          "c":{"type":"string"}}},{"type":"null"}]}}}
      """, .openAIStrict)
    #expect(
      nullable.restored(try JSONValue(parsing: #"{"a":null,"b":{"type":"x","c":null}}"#))
        .compactText == #"{"a":null,"b":{"type":"x"}}"#)
  }

  @Test(
    "an optional property that allows null is sent as it is; it can no longer be absent",
    arguments: [
      #"{"anyOf":[{"type":"string"},{"type":"null"}]}"#, #"{"type":"null"}"#,
      #"{"enum":["x",null]}"#, ##"{"$ref":"#/$defs/N"}"##,
    ])
  func nullableOptional(property: String) throws {
    let sent = try Self.sent(
      """
      {"type":"object","required":[],"properties":{"a":\(property),"b":{"type":"string"}},
       "$defs":{"N":{"anyOf":[{"type":"integer"},{"type":"null"}]}}}
      """, .openAIStrict)
    let text = try #require(sent.json["properties"]?["a"]).compactText
    #expect(text.split(separator: "null", omittingEmptySubsequences: false).count <= 2, "\(text)")
    #expect(sent.losses.map(\.reason) == [.optionalAsRequired, .optionalAsNull])
    #expect(sent.restored(["a": nil, "b": nil]) == ["a": nil])
  }

  @Test("a root that isn't an object becomes a property, and answers are unwrapped")
  func wrapped() throws {
    let list = try Self.sent(#"{"type":"array","items":{"type":"integer"}}"#, .openAIStrict)
    #expect(list.isWrapped)
    #expect(
      list.json.compactText
        == #"{"type":"object","properties":{"value":{"type":"array","items":{"type":"integer"}}},"#
        + #""required":["value"],"additionalProperties":false}"#)
    #expect(list.restored(["value": [1, 2]]) == [1, 2])
    #expect(list.restored([1]) == [1])
    #expect(list.losses.map(\.reason) == [.wrappedRoot])
    let tree = try Self.sent(
      ##"{"anyOf":[{"type":"string"},{"type":"array","items":{"$ref":"#"}}]}"##, .openAIStrict)
    #expect(tree.json["properties"] == ["value": ["$ref": "#/$defs/Root"]])
    #expect(
      tree.json["$defs"]?["Root"]?["anyOf"] == [
        ["type": "string"], ["type": "array", "items": ["$ref": "#/$defs/Root"]],
      ])
  }

  @Test("Anthropic's subset states bounds in descriptions, loses the order and rejects recursion")
  func anthropic() throws {
    let sent = try Self.sent(Self.deck, .anthropic)
    #expect(
      sent.json["properties"]?["cards"]?["description"] == "{minItems: 3, maxItems: 8}")
    #expect(sent.json["required"] == ["cards", "level"])
    #expect(
      sent.losses.map(\.reason) == [
        .described("minItems"), .described("maxItems"), .described("maxLength"), .order,
      ])
    let one = try Self.sent(
      #"{"type":"array","minItems":1,"items":{"type":"integer","minimum":1}}"#, .anthropic)
    #expect(one.json["minItems"] == 1)
    #expect(one.losses.map(\.reason) == [.described("minimum")])
    let tree = try Self.sent(
      """
      {"$ref":"#/$defs/T","$defs":{"T":{"type":"object","required":[],"properties":{
       "l":{"$ref":"#/$defs/T"}}}}}
      """, .anthropic)
    #expect(tree.losses.contains { $0.reason == .recursion && $0.isRefused })
  }

  @Test("Gemini's subset has enums for constants, patterns in descriptions, and ordered properties")
  func gemini() throws {
    let sent = try Self.sent(
      """
      {"type":"object","required":["type","p"],"properties":{"type":{"const":"a"},
       "p":{"type":"string","pattern":"x"}}}
      """, .gemini)
    #expect(
      sent.json["properties"]?["type"] == ["type": "string", "enum": ["a"]])
    #expect(sent.json["propertyOrdering"] == ["type", "p"])
    #expect(sent.losses.map(\.reason) == [.described("pattern")])
  }

  @Test("a schema that exceeds the limits of a service is reported")
  func limits() throws {
    let values = (0..<1001).map { "\"v\($0)\"" }.joined(separator: ",")
    let many = try Self.sent(#"{"type":"string","enum":[\#(values)]}"#, .openAIStrict)
    #expect(many.losses.contains { $0.reason == .limit(.enumValues, count: 1001, most: 1000) })
    let optional = (0..<25).map { #""p\#($0)":{"type":"string"}"# }.joined(separator: ",")
    let wide = try Self.sent(
      #"{"type":"object","required":[],"properties":{\#(optional)}}"#, .anthropic)
    #expect(wide.losses.map(\.reason) == [.limit(.optionalProperties, count: 25, most: 24)])
  }
}
