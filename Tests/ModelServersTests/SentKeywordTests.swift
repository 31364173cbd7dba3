import ModelServers
import StructuredText
import Testing

@Suite("Keywords in schemas that are sent")
struct SentKeywordTests {
  /// A schema, and what each profile makes of it.
  struct Sample: Sendable {
    var json: String
    var profile: SchemaProfile
    var sent: String
    var losses: [SchemaLoss.Reason]

    init(
      _ json: String, _ profile: SchemaProfile, _ sent: String, _ losses: SchemaLoss.Reason...
    ) {
      (self.json, self.profile, self.sent, self.losses) = (json, profile, sent, losses)
    }
  }

  private static let map = """
    {"type":"object","properties":{},"required":[],"minProperties":1,
     "additionalProperties":{"type":"integer"}}
    """

  static let samples: [Sample] = [
    Sample(map, .jsonSchema, map),
    Sample(
      map, .gemini,
      """
      {"type":"object","properties":{},"required":[],"additionalProperties":{"type":"integer"},
       "description":"{minProperties: 1}","propertyOrdering":[]}
      """, .described("minProperties")),
    Sample(
      map, .openAIStrict,
      """
      {"type":"object","properties":{},"required":[],"additionalProperties":false,
       "description":"{minProperties: 1}"}
      """, .described("minProperties"), .map),
    Sample(
      """
      {"type":"object","properties":{"a":{"type":"null"}},"required":["a"],
       "additionalProperties":{"type":"integer"}}
      """, .anthropic,
      """
      {"type":"object","properties":{"a":{"type":"null"}},"required":["a"],
       "additionalProperties":false}
      """, .otherKeys),
    Sample(
      """
      {"type":"object","properties":{"a":{"type":"null"}},"required":["a"],
       "patternProperties":{"(?i)^(?:x.*)$":{"type":"integer"}},"additionalProperties":false,
       "propertyNames":{"type":"string","pattern":"[a-z]+"}}
      """, .jsonSchema,
      """
      {"type":"object","properties":{"a":{"type":"null"}},"required":["a"],
       "patternProperties":{"^(?:[xX].*)$":{"type":"integer"}},"additionalProperties":false,
       "propertyNames":{"type":"string","pattern":"^([a-z]+)$"}}
      """),
    Sample(
      """
      {"type":"object","properties":{"a":{"type":"null"}},"required":["a"],
       "patternProperties":{"^x$":{"type":"integer"}},"additionalProperties":false}
      """, .gemini,
      #"""
      {"type":"object","properties":{"a":{"type":"null"}},"required":["a"],
       "additionalProperties":{"type":"integer"},"propertyOrdering":["a"],
       "description":"{patternProperties: {\"^x$\":{\"type\":\"integer\"}}}"}
      """#, .described("patternProperties")),
    Sample(
      """
      {"type":"array","prefixItems":[{"type":"string","maxLength":1},{"type":"null"}],
       "items":false,"maxItems":2}
      """, .gemini,
      """
      {"type":"array","prefixItems":[{"type":"string","description":"{maxLength: 1}"},
       {"type":"null"}],"maxItems":2}
      """, .described("maxLength")),
    Sample(
      """
      {"type":"array","prefixItems":[{"type":"string"},{"type":"null"}],
       "items":{"type":"null"},"minItems":2}
      """, .anthropic,
      #"""
      {"type":"array","items":{"anyOf":[{"type":"string"},{"type":"null"}]},"minItems":1,
       "description":
        "{minItems: 2, prefixItems: [{\"type\":\"string\"},{\"type\":\"null\"}]}"}
      """#, .described("minItems"), .described("prefixItems")),
    Sample(
      #"{"type":"array","items":{"type":"null"},"uniqueItems":true}"#, .gemini,
      #"{"type":"array","items":{"type":"null"},"description":"{uniqueItems: true}"}"#,
      .described("uniqueItems")),
    Sample(
      #"{"type":"string","not":{"enum":["no"]},"pattern":"^a$","allOf":[{"pattern":"^b$"}]}"#,
      .anthropic,
      #"""
      {"type":"string","pattern":"^a$",
       "description":"{pattern: ^b$, not: {\"enum\":[\"no\"]}}"}
      """#, .described("pattern"), .described("not")),
    Sample(
      #"{"type":"number","exclusiveMinimum":1,"multipleOf":0.5}"#, .gemini,
      #"{"type":"number","minimum":1,"description":"{exclusiveMinimum: 1, multipleOf: 0.5}"}"#,
      .described("exclusiveMinimum"), .described("multipleOf")),
    Sample(
      #"{"type":"integer","minimum":3,"maximum":3}"#, .anthropic,
      #"{"type":"integer","const":3}"#),
    Sample(
      #"{"const":true}"#, .gemini, #"{"type":"boolean","description":"{const: true}"}"#,
      .described("const")),
    Sample(
      #"{"type":"integer","minimum":1}"#, .azureStrict,
      """
      {"type":"object","required":["value"],"additionalProperties":false,
       "properties":{"value":{"type":"integer","description":"{minimum: 1}"}}}
      """, .wrappedRoot, .described("minimum")),
    // What every service takes stays.
    Sample(
      #"{"type":"array","items":{"type":"string","enum":["a"]},"minItems":1}"#, .anthropic,
      #"{"type":"array","items":{"type":"string","enum":["a"]},"minItems":1}"#),
  ]

  @Test(
    "a keyword that a service takes is sent; any other is described and listed as a loss",
    arguments: samples)
  func checkSample(_ sample: Sample) throws {
    let sent = SentSchema(try JSONValue(parsing: sample.json), for: sample.profile)
    #expect(sent.json == (try JSONValue(parsing: sample.sent)))
    #expect(sent.losses.map(\.reason) == sample.losses)
  }

  @Test(
    "a described reference is replaced with its target, unless the target refers to another type",
    arguments: [
      (##"{"$ref":"#/$defs/Level"}"##, ##"{"type":"null"}"##),
      (##"{"$ref":"#/$defs/Alias"}"##, ##"{"anyOf":[{"$ref":"#/$defs/Alias"}]}"##),
      (##"{"$ref":"#/$defs/Tree"}"##, ##"{"anyOf":[{"$ref":"#/$defs/Tree"}]}"##),
      (##"{"$ref":"#"}"##, ##"{"anyOf":[{"$ref":"#"}]}"##),
    ])
  func checkReference(_ reference: String, _ sent: String) throws {
    var property = try #require(try JSONValue(parsing: reference).object)
    property["description"] = "Some words."
    let definitions = try JSONValue(
      parsing: ##"""
        {"Level":{"type":"null"},"Alias":{"$ref":"#/$defs/Level"},"Tree":{"type":"object",
         "required":["t"],"properties":{"t":{"$ref":"#/$defs/Tree","description":"Below."}}}}
        """##)
    let schema: JSONValue = [
      "type": "object", "properties": ["p": .object(property)], "required": ["p"],
      "$defs": definitions,
    ]
    for profile in [SchemaProfile.openAIStrict, .azureStrict, .gemini] {
      var made = try #require(SentSchema(schema, for: profile).json["properties"]?["p"]?.object)
      #expect(made["description"] == "Some words.")
      made["description"] = nil
      #expect(JSONValue.object(made) == (try JSONValue(parsing: sent)))
    }
  }

  @Test(
    "a pattern is sent with both anchors and without flags",
    arguments: [
      ("[a-z]+", "^([a-z]+)$"), ("^a$", "^a$"), ("^a|b$", "^(a|b)$"), (#"^a\$"#, #"^(a\$)$"#),
      ("^[|]$", "^[|]$"), ("^(a|b)$", "^(a|b)$"), ("(?i)^yes$", "^[yY][eE][sS]$"),
      ("(?i)[a-f1]", "^([a-fA-F1])$"), (#"(?i)\d\x41é"#, #"^(\d\x41[éÉ])$"#),
      ("a(?i:b)c", "^(a(?:[bB])c)$"), ("(?i)a(?-i:b)", "^([aA](?:b))$"),
      ("(?<name>a)", "^((?<name>a))$"), ("", "^()$"), ("(?i)[^x]", "^([^xX])$"),
    ])
  func checkPattern(_ written: String, _ sent: String) {
    let schema = SentSchema(
      ["type": "string", "pattern": .string(written)], for: .jsonSchema)
    #expect(schema.json["pattern"] == .string(sent))
  }
}
