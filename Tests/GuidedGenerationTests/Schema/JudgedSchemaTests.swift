import StructuredText
import Testing

@testable import GuidedGeneration

@Suite("The schema by which answers are judged")
struct JudgedSchemaTests {
  private static let plain = #""$schema": "https://json-schema.org/draft/2020-12/schema""#
  private static let object = #""type": "object", "properties": {"a": {"type": "integer"}}"#

  static let samples: [SchemaSample] = [
    SchemaSample(
      "{\(plain), \(object)}", fits: [["a": 1], ["a": 1, "z": 2], [:]], [["a": .null]]),
    SchemaSample(
      #"{\#(plain), \#(object), "additionalProperties": true}"#, fits: [["a": 1, "z": .null]],
      [["a": "x", "z": 1]]),
    SchemaSample(
      #"{\#(plain), \#(object), "patternProperties": {"^x": {"type": "string"}, "^y": false}}"#,
      fits: [["xa": "1", "z": 1]], [["xa": 1], ["ya": 1]]),
    SchemaSample(
      #"{\#(plain), \#(object), "unevaluatedProperties": true}"#, fits: [["z": 1]], [["a": "x"]]),
    SchemaSample(
      #"{\#(plain), "type": "object", "properties": {"a": {"type": "integer"}, "b": false}}"#,
      fits: [["a": 1, "c": 1]], [["b": 1]]),
    SchemaSample(
      #"{\#(plain), \#(object), "maxProperties": 2}"#, fits: [["a": 1, "z": 1]],
      [["a": 1, "y": 1, "z": 1]]),
    SchemaSample(
      """
      {\(plain), "anyOf": [{\(object)}, {"type": "object", "required": ["b"],
       "properties": {"b": {"type": "string"}}}]}
      """,
      fits: [["a": 1, "z": 2], ["b": "x", "z": 2]], [["a": "x"]]),
    SchemaSample(
      #"{\#(plain), \#(object), "additionalProperties": false}"#, fits: [["a": 1]],
      [["a": .null], ["z": 1]]),
    // In Apple's dialect, a null stands for a property without a value.
    SchemaSample(
      #"{\#(object), "additionalProperties": false}"#, fits: [["a": 1], ["a": .null], [:]],
      [["z": 1]]),
    SchemaSample("{\(object)}", fits: [["a": .null, "z": 1]], [["a": "x"]]),
    SchemaSample(
      """
      {\(plain), "type": "object", "required": ["a"], "additionalProperties": false,
       "properties": {"a": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}
      """,
      fits: [["a": 1], ["a": .null]], [[:]]),
  ]

  @Test(
    "it accepts what the document accepts, also after it was written and read",
    arguments: samples)
  func checkSample(_ sample: SchemaSample) throws {
    let schema = try GenerationSchema(json: JSONValue(parsing: sample.json))
    let read = try GenerationSchema(json: schema.judgedJSON ?? schema.json)
    for schema in [schema, read] {
      for value in sample.fits {
        #expect(schema.mismatch(of: value) == nil, "\(value.compactText)")
      }
      for value in sample.others {
        #expect(schema.mismatch(of: value) != nil, "\(value.compactText)")
      }
    }
  }

  @Test("a request's schema is the same, whether the document's objects are open or closed")
  func requestIsUnchanged() throws {
    let open = try GenerationSchema(json: JSONValue(parsing: "{\(Self.plain), \(Self.object)}"))
    let closed = try GenerationSchema(
      json: JSONValue(parsing: #"{\#(Self.object), "additionalProperties": false}"#))
    #expect(open.json == closed.json)
    #expect(closed.judgedJSON == nil)
    #expect(open.openPlaces == ["#"] && closed.openPlaces.isEmpty)
  }

  @Test(
    "an outline shows a look-ahead as it is enforced",
    arguments: [
      (#"^(?=.*[A-Z]).+$"#, #"^(?=.*[A-Z]).+$"#), (#"^(?!no)[a-z]+$"#, #"^(?!no)[a-z]+$"#),
      (#"^(?=.*\\d)(?!.*x)(a|b)c$"#, #"^(?=.*\d)(?!.*x)(a|b)c$"#),
      (#"^(?=a|b).*$"#, #"^(?=a|b).*$"#), (#"^(?!no$)"#, #"^(?!no$)[\s\S]*$"#),
      (#"^((?!mode).)*$"#, #"^(?![\s\S]*(?:mode)).*$"#),
    ])
  func checkLookahead(_ pattern: String, _ shown: String) throws {
    let schema = try GenerationSchema(
      json: JSONValue(parsing: #"{\#(Self.plain), "type": "string", "pattern": "\#(pattern)"}"#))
    #expect(try #require(schema.outline(as: .typescript)).contains("string /\(shown)/"))
    #expect(try #require(schema.outline(as: .example)).contains("/\(shown)/"))
  }
}
