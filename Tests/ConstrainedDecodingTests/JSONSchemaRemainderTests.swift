import ConstrainedDecoding
import GuidedGeneration
import StructuredText
import Testing

/// Checks which values a schema still allows if another schema excludes some of them, or if parts
/// of the schema contradict each other.
///
/// The suite also checks `uniqueItems`, `unevaluatedProperties`, multiples of decimals, and
/// patterns with anchors or look-ahead.
@Suite("JSON Schemas with exclusions and contradictions")
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

  static let sets: [Meaning] = [
    .init(
      #"{"type": "array", "uniqueItems": true, "items": {"enum": ["a", "b", 1]}, "minItems": 2}"#,
      accepted: [#"["b","a"]"#, #"[1,"a","b"]"#],
      rejected: ["[]", #"["a"]"#, #"["a","a"]"#, #"["a","b","a"]"#]),
    .init(
      ##"""
      {"type": "array", "uniqueItems": true, "items": {"$ref": "#/$defs/B"}, "maxItems": 2,
       "$defs": {"B": {"type": ["boolean", "null"]}}}
      """##,
      accepted: ["[]", "[true,null]"], rejected: ["[null,null]", "[true,false,null]"]),
    .init(
      #"{"type": "array", "uniqueItems": true, "items": {"type": "object"}, "maxItems": 1}"#,
      accepted: ["[]", "[{}]"], rejected: ["[{},{}]"]),
  ]

  static let decimals: [Meaning] = [
    .init(
      #"{"type": "number", "multipleOf": 0.25, "minimum": -1, "maximum": 3}"#,
      accepted: ["0", "0.25", "1.5", "2.750", "-0.5", "3"],
      rejected: ["0.3", "0.255", "1.01", "3.25"]),
    .init(
      #"{"type": "number", "multipleOf": 0.01}"#, accepted: ["12.34", "5", "0.10"],
      rejected: ["0.001", "1e2"]),
    .init(
      #"{"type": "integer", "multipleOf": 1.5, "minimum": 0, "maximum": 9}"#,
      accepted: ["0", "3", "9"], rejected: ["1", "2", "4"]),
    .init(
      #"{"enum": [1, 0.5, 0.3, "x"], "multipleOf": 0.5}"#, accepted: ["1", #""x""#],
      rejected: ["0.3"]),
  ]

  static let unevaluated: [Meaning] = [
    .init(
      #"""
      {"type": "object", "properties": {"k": {"type": "null"}}, "anyOf": [
       {"properties": {"a": {"const": 1}}, "required": ["a"]},
       {"properties": {"b": {"const": 2}}, "required": ["b"]}], "unevaluatedProperties": false}
      """#,
      accepted: [#"{"a":1}"#, #"{"b":2}"#, #"{"a":1,"b":2}"#, #"{"k":null,"b":2}"#],
      rejected: ["{}", #"{"a":1,"b":3}"#, #"{"k":null}"#]),
    .init(
      #"""
      {"type": "object", "oneOf": [{"properties": {"a": {"const": 1}}, "required": ["a"]},
       {"properties": {"b": {"const": 2}}, "required": ["b"]}], "unevaluatedProperties": false}
      """#, accepted: [#"{"a":1}"#, #"{"b":2}"#], rejected: ["{}", #"{"a":1,"b":2}"#]),
    .init(
      #"""
      {"type": "object", "if": {"properties": {"a": {"const": 1}}, "required": ["a"]},
       "then": {"properties": {"b": {"type": "null"}}}, "unevaluatedProperties": false}
      """#, accepted: ["{}", #"{"a":1}"#, #"{"a":1,"b":null}"#], rejected: [#"{"b":null}"#]),
    .init(
      ##"""
      {"type": "object", "$ref": "#/$defs/A", "properties": {"b": {"type": "null"}},
       "unevaluatedProperties": false, "$defs": {"A": {"properties": {"a": {"type": "null"}}}}}
      """##, accepted: ["{}", #"{"b":null,"a":null}"#], rejected: [#"{"c":null}"#, #"{"a":1}"#]),
    .init(
      #"""
      {"type": "object", "properties": {"a": {"type": "null"}, "b": {"type": "null"}},
       "oneOf": [{"required": ["a"]}, {"required": ["b"]}], "not": {"required": ["b"]}}
      """#, accepted: [#"{"a":null}"#], rejected: [#"{"b":null}"#, "{}"]),
    .init(
      ##"""
      {"type": "object", "additionalProperties": {"type": "null"},
       "propertyNames": {"$ref": "#/$defs/N"},
       "$defs": {"N": {"anyOf": [{"type": "string", "pattern": "^a"},
       {"type": "string", "pattern": "^b$"}]}}}
      """##,
      accepted: ["{}", #"{"a":null,"b":null}"#], rejected: [#"{"c":null}"#, #"{"a":1}"#]),
  ]

  private func check(_ meaning: Meaning) throws {
    let schema = try GenerationSchema(json: JSONValue(parsing: meaning.schema))
    let table = JSONSchemaMeaningTests.table
    let automaton = try CompiledGrammar(schema: schema, table: table).makeAutomaton()
    for text in meaning.accepted {
      #expect(
        JSONSchemaMeaningTests.accepts(text, automaton),
        "\(text) should be a value of \(meaning.schema)")
    }
    for text in meaning.rejected {
      #expect(
        !JSONSchemaMeaningTests.accepts(text, automaton),
        "\(text) should not be a value of \(meaning.schema)")
    }
  }

  @Test(
    "values that `oneOf` or `not` excludes are rejected, even through references",
    arguments: overlaps)
  func overlap(_ meaning: Meaning) throws { try check(meaning) }

  @Test(
    "a property or an element that no value can fit is left out if the schema doesn't require it",
    arguments: contradictions)
  func contradiction(_ meaning: Meaning) throws { try check(meaning) }

  @Test("an array with `uniqueItems` repeats no element", arguments: sets)
  func set(_ meaning: Meaning) throws { try check(meaning) }

  @Test("a decimal `multipleOf` is enforced exactly", arguments: decimals)
  func decimal(_ meaning: Meaning) throws { try check(meaning) }

  @Test(
    "properties that `unevaluatedProperties`, `propertyNames` or `not` excludes are rejected",
    arguments: unevaluated)
  func unevaluatedProperties(_ meaning: Meaning) throws { try check(meaning) }

  @Test(
    "patterns with anchors in groups, without anchors, or with look-ahead are enforced",
    arguments: patterns)
  func pattern(_ meaning: Meaning) throws { try check(meaning) }
}
