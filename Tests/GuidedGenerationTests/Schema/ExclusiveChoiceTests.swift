import StructuredText
import Testing

@testable import GuidedGeneration

@Suite("Schemas of `oneOf`, decided with what stands beside it")
struct ExclusiveChoiceTests {
  private static let kinds = """
    [{"properties": {"kind": {"const": "go"}, "to": {"type": "string"}}},
     {"properties": {"kind": {"const": "wait"}, "secs": {"type": "integer"}}}]
    """

  static let choices: [SchemaSample] = [
    SchemaSample(
      """
      {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}},
       "oneOf": \(kinds)}
      """, fits: [["kind": "go"], ["kind": "wait", "secs": 1]],
      [[:], ["kind": "x"], ["kind": "go", "to": 1]]),
    SchemaSample(
      """
      {"properties": {"a": {"type": "object", "required": ["kind"], "oneOf": \(kinds)}}}
      """, fits: [["a": ["kind": "go", "to": "x"]]], [["a": [:]]]),
    SchemaSample(
      """
      {"allOf": [{"oneOf": \(kinds)}, {"$ref": "#/$defs/Base"}], "$defs": {"Base": {
       "type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}}}}
      """, fits: [["kind": "go", "to": "x"]], [[:], ["kind": "wait", "secs": "x"]]),
    SchemaSample(
      """
      {"type": "integer", "minimum": 1, "maximum": 20,
       "oneOf": [{"multipleOf": 3}, {"multipleOf": 5}]}
      """, fits: [3, 5, 20], [15, 1, 30]),
    SchemaSample(
      #"{"enum": [3, 5, 7], "oneOf": [{"multipleOf": 3}, {"multipleOf": 5}]}"#, fits: [3, 5],
      [7, 15]),
    // The choices exclude each other alone.
    SchemaSample(
      #"{"type": "string", "oneOf": [{"maxLength": 2}, {"minLength": 4}]}"#,
      fits: ["a", "abcd"], ["abc"]),
  ]

  @Test("choices may overlap where the keywords around them allow no value", arguments: choices)
  func checkChoice(_ choice: SchemaSample) throws {
    let schema = try GenerationSchema(json: JSONValue(parsing: choice.json))
    for value in choice.fits { #expect(schema.mismatch(of: value) == nil, "\(value.compactText)") }
    for value in choice.others {
      #expect(schema.mismatch(of: value) != nil, "\(value.compactText)")
    }
  }

  @Test(
    "if the choices can't be told apart, the error shows a value that the place allows",
    arguments: [
      (
        #"{"type": "integer", "minimum": 7, "oneOf": [{"multipleOf": 2}, {"multipleOf": 3}]}"#,
        "12 "
      ),
      (#"{"type": "number", "oneOf": [{}, {"type": "integer", "minimum": 3}]}"#, "3 "),
    ])
  func checkWitness(_ json: String, _ witness: String) throws {
    let error = #expect(throws: SchemaReadError.self) {
      try GenerationSchema(json: JSONValue(parsing: json))
    }
    #expect(error?.description.contains("can't be enforced: \(witness)fits two") == true)
  }

  @Test(
    "a required property that isn't declared is named, with the nearest declared name",
    arguments: [
      (#""required": ["titel"], "properties": {"title": {}}"#, "did you mean `title`?"),
      (#""required": ["title", "x"], "properties": {"title": {}}"#, "declared properties: `title`"),
    ])
  func checkUndeclared(_ members: String, _ hint: String) throws {
    let json = #"{"type": "object", "additionalProperties": false, \#(members)}"#
    let error = #expect(throws: SchemaReadError.self) {
      try GenerationSchema(json: JSONValue(parsing: json))
    }
    #expect(error?.path.hasPrefix("#/required/") == true)
    #expect(error?.description.contains(hint) == true)
  }
}
