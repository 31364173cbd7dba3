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

  private static let map = #"{"type":"object","properties":{},"required":[],"minProperties":1,"#
  private static let open =
    #"{"type":"object","properties":{"a":{"type":"null"}},"required":["a"],"#
  private static let tuple =
    #"{"type":"array","prefixItems":[{"type":"string","maxLength":1},{"type":"null"}],"#

  static let samples = [
    Sample(
      map + #""additionalProperties":{"type":"integer"}}"#, .jsonSchema,
      map + #""additionalProperties":{"type":"integer"}}"#),
    Sample(
      map + #""additionalProperties":{"type":"integer"}}"#, .gemini,
      #"{"type":"object","properties":{},"required":[],"additionalProperties":{"type":"integer"},"#
        + #""description":"{minProperties: 1}","propertyOrdering":[]}"#, .described("minProperties")
    ),
    Sample(
      map + #""additionalProperties":{"type":"integer"}}"#, .openAIStrict,
      #"{"type":"object","properties":{},"required":[],"additionalProperties":false,"#
        + #""description":"{minProperties: 1}"}"#, .described("minProperties"), .map),
    Sample(
      open + #""additionalProperties":{"type":"integer"}}"#, .anthropic,
      open + #""additionalProperties":false}"#, .otherKeys),
    Sample(
      open
        + #""patternProperties":{"(?i)^(?:x.*)$":{"type":"integer"}},"additionalProperties":false,"#
        + #""propertyNames":{"type":"string","pattern":"[a-z]+"}}"#, .jsonSchema,
      open
        + #""patternProperties":{"^([xX].*)$":{"type":"integer"}},"additionalProperties":false,"#
        + #""propertyNames":{"type":"string","pattern":"^([a-z]+)$"}}"#),
    Sample(
      open + #""patternProperties":{"^x$":{"type":"integer"}},"additionalProperties":false}"#,
      .gemini,
      open + #""additionalProperties":{"type":"integer"},"#
        + #""description":"{patternProperties: {\"^x$\":{\"type\":\"integer\"}}}","#
        + #""propertyOrdering":["a"]}"#, .described("patternProperties")),
    Sample(
      tuple + #""items":false,"maxItems":2}"#, .gemini,
      #"{"type":"array","prefixItems":[{"type":"string","description":"{maxLength: 1}"},"#
        + #"{"type":"null"}],"maxItems":2}"#, .described("maxLength")),
    Sample(
      tuple + #""items":{"type":"null"},"minItems":2}"#, .anthropic,
      #"{"type":"array","items":{"anyOf":[{"type":"string","description":"{maxLength: 1}"},"#
        + #"{"type":"null"}]},"minItems":1,"description":"{minItems: 2, prefixItems: "#
        + #"[{\"type\":\"string\",\"maxLength\":1},{\"type\":\"null\"}]}"}"#,
      .described("minItems"), .described("prefixItems"), .described("maxLength")),
    Sample(
      #"{"type":"array","items":{"type":"null"},"uniqueItems":true}"#, .gemini,
      #"{"type":"array","items":{"type":"null"},"description":"{uniqueItems: true}"}"#,
      .described("uniqueItems")),
    Sample(
      #"{"type":"string","not":{"enum":["no"]},"pattern":"^a$","allOf":[{"pattern":"^b$"}]}"#,
      .anthropic,
      #"{"type":"string","pattern":"^a$","#
        + #""description":"{pattern: ^b$, not: {\"enum\":[\"no\"]}}"}"#,
      .described("pattern"), .described("not")),
    Sample(
      #"{"type":"number","exclusiveMinimum":1,"multipleOf":0.5}"#, .gemini,
      #"{"type":"number","minimum":1,"description":"{exclusiveMinimum: 1, multipleOf: 0.5}"}"#,
      .described("exclusiveMinimum"), .described("multipleOf")),
    Sample(
      #"{"type":"integer","minimum":3,"maximum":3}"#, .anthropic, #"{"type":"integer","const":3}"#),
    Sample(
      #"{"const":true}"#, .gemini, #"{"type":"boolean","description":"{const: true}"}"#,
      .described("const")),
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
