import ConstrainedDecoding
import GuidedGeneration
import StructuredText
import Testing

/// What is left of a schema where another one doesn't hold, and where parts of it contradict each
/// other.
@Suite("What is left of a JSON Schema")
struct JSONSchemaRemainderTests {
  typealias Meaning = JSONSchemaMeaningTests.Meaning

  static let overlaps: [Meaning] = [
    .init(
      #"""
      {"oneOf": [{"type": "array", "items": {"type": "string"}},
       {"type": "array", "items": {"type": "integer"}}]}
      """#, accepted: [#"["a"]"#, "[1,2]"], rejected: ["[]", #"["a",1]"#]),
    .init(
      #"""
      {"oneOf": [{"type": "array", "items": {"type": "integer"}, "maxItems": 2},
       {"type": "array", "items": {"type": "integer"}, "minItems": 2}]}
      """#, accepted: ["[]", "[1]", "[1,2,3]"], rejected: ["[1,2]"]),
    .init(
      #"""
      {"oneOf": [{"type": "array", "prefixItems": [{"enum": [1, 2]}], "maxItems": 1},
       {"type": "array", "prefixItems": [{"enum": [2, 3]}], "minItems": 1, "maxItems": 1}]}
      """#, accepted: ["[]", "[1]", "[3]"], rejected: ["[2]"]),
    .init(
      ##"""
      {"type": "object", "properties": {"a": {"type": "null"}, "b": {"type": "null"}},
       "oneOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}],
       "$defs": {"A": {"required": ["a"]}, "B": {"required": ["b"]}}}
      """##,
      accepted: [#"{"a":null}"#, #"{"b":null}"#], rejected: ["{}", #"{"a":null,"b":null}"#]),
    .init(
      ##"""
      {"oneOf": [{"$ref": "#/$defs/N"}, {"type": "boolean"}],
       "$defs": {"N": {"oneOf": [{"$ref": "#/$defs/S"}, {"enum": ["a", "b"]}]},
        "S": {"type": "string", "maxLength": 1}}}
      """##,
      accepted: ["true", #""c""#, "\"\""], rejected: [#""a""#, #""cc""#, "1"]),
    .init(
      ##"""
      {"type": "object", "properties": {"k": {"enum": ["x", "y"]}}, "required": ["k"],
       "not": {"$ref": "#/$defs/X"}, "$defs": {"X": {"properties": {"k": {"const": "x"}}}}}
      """##,
      accepted: [#"{"k":"y"}"#], rejected: [#"{"k":"x"}"#, "{}"]),
    .init(
      #"""
      {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
       "additionalProperties": false,
       "not": {"properties": {"a": {"maximum": 3}}, "additionalProperties": {"minimum": 5}}}
      """#,
      accepted: [#"{"a":4}"#, #"{"a":1,"b":4}"#], rejected: ["{}", #"{"a":3}"#, #"{"b":5}"#]),
  ]

  static let contradictions: [Meaning] = [
    .init(
      #"{"type": "object", "properties": {"a": {"type": "object", "enum": ["x"]}, "b": {}}}"#,
      accepted: ["{}", #"{"b":1}"#], rejected: [#"{"a":"x"}"#, #"{"a":{}}"#]),
    .init(
      #"{"type": "array", "items": {"type": "integer", "minimum": 2, "maximum": 1}}"#,
      accepted: ["[]"], rejected: ["[1]", "[2]"]),
    .init(
      #"{"patternProperties": {"f.*": true, "b.*": false}, "type": "object"}"#,
      accepted: ["{}", #"{"f":1}"#], rejected: [#"{"b":1}"#, #"{"fb":1}"#, #"{"bf":1}"#]),
  ]

  static let patterns: [Meaning] = [
    .init(
      #"{"$schema": "", "type": "string", "pattern": "(^ab?$|^c)"}"#,
      accepted: [#""a""#, #""ab""#, #""cx""#], rejected: [#""abx""#, #""xc""#]),
    .init(
      #"{"$schema": "", "type": "string", "pattern": "^([^,]|$)"}"#,
      accepted: ["\"\"", #""x,""#], rejected: [#"",""#]),
    .init(
      #"{"$schema": "", "type": "string", "pattern": "one|two|three|four|five|six|seven|eight"}"#,
      accepted: [#""one""#, #""xthreex""#], rejected: [#""nine""#]),
    .init(
      #"{"$schema": "", "type": "string", "pattern": "^(?!@@)[@a-z]+$"}"#,
      accepted: [#""@a""#, #""ab""#], rejected: [#""@@a""#, "\"\""]),
    .init(
      #"{"type": "string", "pattern": "(?=.*[0-9])(?=.*[a-z]).{2,3}"}"#,
      accepted: [#""a1""#, #""1xx""#], rejected: [#""aa""#, #""11""#, #""a123""#]),
    .init(
      #"{"$schema": "", "type": "string", "pattern": "^((?!mode)(?!Mode).)*$"}"#,
      accepted: ["\"\"", #""mod""#, #""xmo de""#], rejected: [#""mode""#, #""xModex""#]),
  ]

  private func check(_ meaning: Meaning) throws {
    let schema = try GenerationSchema(json: JSONValue(parsing: meaning.schema))
    let table = JSONSchemaMeaningTests.table
    let automaton = try CompiledGrammar(schema: schema, table: table).makeAutomaton()
    for text in meaning.accepted {
      #expect(
        JSONSchemaMeaningTests.accepts(text, automaton), "\(text) is a value of \(meaning.schema)")
    }
    for text in meaning.rejected {
      #expect(
        !JSONSchemaMeaningTests.accepts(text, automaton),
        "\(text) is no value of \(meaning.schema)")
    }
  }

  @Test("what fits two schemas of a oneOf is left out, references included", arguments: overlaps)
  func overlap(_ meaning: Meaning) throws { try check(meaning) }

  @Test("a part that no value meets is left out where it may be absent", arguments: contradictions)
  func contradiction(_ meaning: Meaning) throws { try check(meaning) }

  @Test("patterns with anchors in groups and look-ahead at the start are read", arguments: patterns)
  func pattern(_ meaning: Meaning) throws { try check(meaning) }
}
