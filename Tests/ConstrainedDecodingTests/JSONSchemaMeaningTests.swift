import ConstrainedDecoding
import GuidedGeneration
import StructuredText
import Testing
import Tokenization

/// Checks that the grammar of a schema accepts the schema's values and nothing else.
@Suite("Grammars of JSON Schemas")
struct JSONSchemaMeaningTests {
  static let bytes = (UInt8.min...UInt8.max).map { [$0] }
  static let table = TokenTable(
    vocabulary: Vocabulary(
      tokens: [[]] + bytes, kinds: [.special] + bytes.map { _ in .text }, endTokens: [0]))

  static func accepts(_ text: String, _ automaton: TokenAutomaton) -> Bool {
    var matcher = Matcher(automaton)
    return matcher.accept(bytes: text.utf8) && matcher.isComplete
  }

  struct Meaning: Sendable, CustomTestStringConvertible {
    var schema: String
    var accepted: [String]
    var rejected: [String]

    init(_ schema: String, accepted: [String], rejected: [String]) {
      self.schema = schema
      self.accepted = accepted
      self.rejected = rejected
    }

    var testDescription: String { schema }
  }

  static let typeless: [Meaning] = [
    .init(
      #"{"maxLength": 2}"#, accepted: [#""ab""#, "7", "null", "[1]", #"{"a":true}"#],
      rejected: [#""abc""#]),
    .init(
      #"{"exclusiveMaximum": 3.0}"#, accepted: ["2.5", "2", #""x""#], rejected: ["3", "3.00"]),
    .init(
      #"{"properties": {"a": {"type": "null"}}}"#, accepted: ["5", "{}", #"{"a":null}"#],
      rejected: [#"{"a":1}"#]),
    .init(
      #"{"enum": [true, 1, [1, "x"], {"k": null}]}"#,
      accepted: ["true", "1", #"[1,"x"]"#, #"{"k":null}"#], rejected: ["false", "[1]", "{}"]),
    .init(#"{"const": false}"#, accepted: ["false"], rejected: ["true", "0"]),
    .init(
      #"{"type": "string", "maximum": 3, "nullable": true}"#,
      accepted: [#""x""#, "null"], rejected: ["1"]),
  ]

  static let numbers: [Meaning] = [
    .init(
      #"{"type": "number", "exclusiveMinimum": 0, "maximum": 1}"#,
      accepted: ["0.1", "1", "1.0"], rejected: ["0", "0.00", "1.1", "-1"]),
    .init(
      #"{"type": "number", "minimum": -2.5, "exclusiveMinimum": true}"#,
      accepted: ["-2.4", "0"], rejected: ["-2.5", "-2.50", "-3"]),
    .init(
      #"{"type": "integer", "multipleOf": 7, "minimum": -21, "maximum": 30}"#,
      accepted: ["-21", "0", "28", "7"], rejected: ["-20", "1", "35", "29"]),
    .init(
      #"{"type": "integer", "maximum": 18446744073709551615}"#,
      accepted: ["18446744073709551615", "-4"], rejected: ["18446744073709551616"]),
    .init(#"{"type": "number", "multipleOf": 2}"#, accepted: ["4", "-2"], rejected: ["3", "2.5"]),
  ]

  static let objects: [Meaning] = [
    .init(
      #"{"type": "object"}"#, accepted: ["{}", #"{"x":[1]}"#, #"{"x":1,"y":{}}"#],
      rejected: ["[]"]),
    .init(
      #"{"type": "object", "additionalProperties": false}"#, accepted: ["{}"],
      rejected: [#"{"a":1}"#]),
    .init(
      #"{"type": "object", "properties": {"a": {}}}"#, accepted: ["{}", #"{"a":1}"#],
      rejected: [#"{"b":1}"#]),
    .init(
      #"""
      {"type": "object", "properties": {"a": {"type": "string"}},
       "additionalProperties": {"type": "integer"}}
      """#,
      accepted: ["{}", #"{"a":"x"}"#, #"{"b":1}"#, #"{"a":"x","b":1,"aa":2}"#],
      rejected: [#"{"a":1}"#, #"{"b":"x"}"#, #"{"b":1,"a":"x"}"#]),
    .init(
      #"""
      {"type": "object", "patternProperties": {"^x-": {"type": "null"}, "^n": {"type": "number"}},
       "additionalProperties": false}
      """#,
      accepted: ["{}", #"{"x-":null}"#, #"{"n1":2,"x-y":null}"#],
      rejected: [#"{"x":null}"#, #"{"n":null}"#]),
    // Draft 4 has no `const`, so `const` is only an annotation there.
    .init(
      #"""
      {"$schema": "http://json-schema.org/draft-04/schema#", "type": "string", "maxLength": 1,
       "const": "b"}
      """#,
      accepted: [#""a""#, #""b""#], rejected: [#""bb""#]),
    .init(
      #"""
      {"$schema": "http://json-schema.org/draft-06/schema#", "type": "string", "const": "b",
       "if": {"const": "b"}, "then": false}
      """#,
      accepted: [#""b""#], rejected: [#""a""#]),
    .init(
      #"""
      {"$schema": "http://json-schema.org/draft-07/schema#", "type": "integer", "minimum": 1,
       "maximum": 3, "if": {"const": 1}, "then": false}
      """#,
      accepted: ["2", "3"], rejected: ["1", "4"]),
    // The inner schema requires a key that it also forbids, so no value fits it, and the outer
    // object can't have any key.
    .init(
      #"""
      {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": false,
       "properties": {"a": {"type": "null"}}, "required": ["a", "b"]}}
      """#,
      accepted: ["{}"], rejected: [#"{"x":{"a":null}}"#]),
    .init(
      #"""
      {"type": "object", "patternProperties": {"^x": {"type": "object", "required": ["b"],
       "additionalProperties": false}, "^n": {"type": "number"}}, "additionalProperties": false}
      """#,
      accepted: ["{}", #"{"n1":2}"#], rejected: [#"{"x":{}}"#]),
    .init(
      #"""
      {"type": "object", "additionalProperties": {"type": "boolean"},
       "propertyNames": {"maxLength": 2}, "minProperties": 1, "maxProperties": 2}
      """#,
      accepted: [#"{"a":true}"#, #"{"a":true,"bb":false}"#],
      rejected: ["{}", #"{"abc":true}"#, #"{"a":true,"b":true,"c":true}"#]),
    .init(
      #"""
      {"type": "object", "properties": {"a": {"type": "null"}, "b": {"type": "null"},
       "c": {"type": "null"}}, "required": ["b"], "minProperties": 2, "maxProperties": 2,
       "additionalProperties": false}
      """#,
      accepted: [#"{"a":null,"b":null}"#, #"{"b":null,"c":null}"#],
      rejected: [#"{"b":null}"#, #"{"a":null,"b":null,"c":null}"#, #"{"a":null,"c":null}"#]),
    .init(
      #"{"type": "object", "properties": {"a": {"type": "null"}}, "required": ["z", "a"]}"#,
      accepted: [#"{"a":null,"z":[]}"#], rejected: [#"{"a":null}"#, #"{"z":1}"#]),
    .init(
      #"{"type": "object", "properties": {"a": {"type": "null"}}, "additionalProperties": {}}"#,
      accepted: [#"{"a":null,"z":[]}"#, #"{"z":1}"#], rejected: [#"{"a":1}"#]),
    .init(
      #"{"type": "object", "dependencies": {"a": ["b"]}, "properties": {"a": {}, "b": {}}}"#,
      accepted: ["{}", #"{"b":1}"#, #"{"a":1,"b":1}"#], rejected: [#"{"a":1}"#]),
    .init(
      #"""
      {"allOf": [{"properties": {"a": {}}, "type": "object"}, {"properties": {"b": {}}}],
       "unevaluatedProperties": false}
      """#, accepted: ["{}", #"{"a":1,"b":2}"#], rejected: [#"{"c":1}"#]),
  ]

  static let arrays: [Meaning] = [
    .init(
      #"{"type": "array", "prefixItems": [{"type": "null"}, {"type": "boolean"}]}"#,
      accepted: ["[]", "[null]", "[null,true]", #"[null,true,"x",1]"#], rejected: ["[1]"]),
    .init(
      #"{"type": "array", "items": [{"type": "null"}], "additionalItems": false}"#,
      accepted: ["[]", "[null]"], rejected: ["[null,null]", "[1]"]),
    .init(
      #"""
      {"type": "array", "prefixItems": [{"type": "null"}], "items": {"type": "integer"},
       "minItems": 2, "maxItems": 3}
      """#, accepted: ["[null,1]", "[null,1,2]"], rejected: ["[null]", "[null,1,2,3]", "[1,1]"]),
    .init(
      #"{"type": "array", "prefixItems": [{}], "unevaluatedItems": false}"#,
      accepted: ["[]", "[4]"], rejected: ["[4,5]"]),
    .init(#"{"type": "array", "items": false}"#, accepted: ["[]"], rejected: ["[1]"]),
  ]

  static let combinations: [Meaning] = [
    .init(
      #"{"allOf": [{"type": "string"}, {"maxLength": 3}, {"pattern": "^a"}]}"#,
      accepted: [#""a""#], rejected: [#""b""#, "1", #""abcd""#]),
    .init(
      #"{"type": "string", "allOf": [{"pattern": "^[a-z]*$"}, {"pattern": "^.*x$"}]}"#,
      accepted: [#""abx""#, #""x""#], rejected: [#""a""#, #""Ax""#]),
    .init(
      #"{"enum": ["a", "bb", "ccc", 4], "minLength": 2}"#,
      accepted: [#""bb""#, #""ccc""#, "4"], rejected: [#""a""#]),
    .init(
      #"""
      {"$defs": {"P": {"type": "object", "properties": {"n": {"type": "string"},
       "next": {"$ref": "#/$defs/P"}}}}, "allOf": [{"$ref": "#/$defs/P"},
       {"properties": {"n": {"maxLength": 1}}, "required": ["n"]}]}
      """#,
      accepted: [#"{"n":"a"}"#, #"{"n":"a","next":{"n":"long"}}"#],
      rejected: ["{}", #"{"n":"ab"}"#]),
    .init(
      #"""
      {"type": "object", "properties": {"k": {"enum": ["a", "b"]}, "x": {"type": "integer"}},
       "anyOf": [{"required": ["k"]}, {"required": ["x"]}]}
      """#,
      accepted: [#"{"k":"a"}"#, #"{"x":1}"#, #"{"k":"b","x":1}"#], rejected: ["{}"]),
    .init(
      #"""
      {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
       "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}
      """#,
      accepted: [#"{"a":1}"#, #"{"b":1}"#], rejected: ["{}", #"{"a":1,"b":1}"#]),
    .init(
      #"{"oneOf": [{"type": "integer", "maximum": 5}, {"type": "integer", "minimum": 3}]}"#,
      accepted: ["2", "6"], rejected: ["3", "5"]),
    .init(
      #"{"oneOf": [{"type": "string"}, {"enum": ["x", 1]}]}"#,
      accepted: ["1", #""y""#, #""xx""#, "\"\""], rejected: [#""x""#]),
    .init(
      #"{"type": ["string", "null"], "not": {"enum": ["", null]}}"#,
      accepted: [#""a""#], rejected: ["\"\"", "null"]),
    .init(
      #"""
      {"type": "object", "properties": {"a": {"type": "boolean"}, "b": {"type": "null"}},
       "if": {"properties": {"a": {"const": true}}, "required": ["a"]},
       "then": {"required": ["b"]}}
      """#,
      accepted: ["{}", #"{"a":false}"#, #"{"a":true,"b":null}"#, #"{"b":null}"#],
      rejected: [#"{"a":true}"#]),
    .init(
      ##"""
      {"properties": {"a": {"type": "null"}, "b": {"$ref": "#/properties/a"}}, "type": "object"}
      """##,
      accepted: [#"{"b":null}"#], rejected: [#"{"b":1}"#]),
  ]

  private func check(_ meaning: Meaning) throws {
    let schema = try GenerationSchema(json: JSONValue(parsing: meaning.schema))
    // A schema that is written and read back must keep its meaning.
    for schema in [schema, try GenerationSchema(json: schema.json)] {
      let automaton = try CompiledGrammar(schema: schema, table: Self.table).makeAutomaton()
      for text in meaning.accepted {
        #expect(Self.accepts(text, automaton), "\(text) should be a value of \(meaning.schema)")
      }
      for text in meaning.rejected {
        #expect(
          !Self.accepts(text, automaton), "\(text) should not be a value of \(meaning.schema)")
      }
    }
  }

  @Test(
    "without a `type`, a keyword constrains only values of the type to which it applies",
    arguments: typeless)
  func typelessKeywords(_ meaning: Meaning) throws { try check(meaning) }

  @Test(
    "a number is accepted if and only if the bounds and `multipleOf` allow it",
    arguments: numbers)
  func numberKeywords(_ meaning: Meaning) throws { try check(meaning) }

  @Test("objects accept exactly the keys that their schema allows", arguments: objects)
  func openObjects(_ meaning: Meaning) throws { try check(meaning) }

  @Test("each of the first elements of an array can have its own schema", arguments: arrays)
  func prefixes(_ meaning: Meaning) throws { try check(meaning) }

  @Test(
    "combined schemas accept exactly the values that all their keywords allow",
    arguments: combinations)
  func combined(_ meaning: Meaning) throws { try check(meaning) }
}
