import StructuredText
import Testing

@testable import GuidedGeneration

@Suite("Values checked against a JSON Schema")
struct SchemaCheckTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    var schema: JSONValue
    var fits: [JSONValue]
    /// Values that don't fit, each with the description of its mismatch.
    var others: [(value: JSONValue, words: String)]
    var testDescription: String { schema.compactText }

    init(_ schema: JSONValue, fits: [JSONValue], _ others: [(JSONValue, String)]) {
      self.schema = schema
      self.fits = fits
      self.others = others.map { (value: $0.0, words: $0.1) }
    }
  }

  private static func number(_ text: String) -> JSONValue {
    .number(JSONNumber(unchecked: text))
  }

  static let samples: [Sample] = [
    Sample(
      ["type": "integer", "minimum": 2, "maximum": 20, "multipleOf": 4],
      fits: [4, 20, number("8.0"), number("1.2e1")],
      [
        (0, "$ is 0; allowed: 2 to 20"), (6, "$ is 6; allowed: multiples of 4"),
        (number("4.5"), "$ is 4.5; allowed: an integer"),
        ("4", "$ is a string; allowed: an integer"),
      ]),
    Sample(
      ["type": "integer", "multipleOf": 7, "minimum": number("-1e40")],
      fits: [number("7e30"), number("-49000000000000000000000000"), 0],
      [
        (number("1e30"), "$ is 1e30; allowed: multiples of 7"),
        (number("-7e40"), "$ is -7e40; allowed: at least -1e40"),
        (number("7e-1"), "$ is 7e-1; allowed: an integer"),
      ]),
    Sample(
      ["type": "number", "exclusiveMinimum": 0, "maximum": 1], fits: [0.001, 1, number("1.00")],
      [
        (0, "$ is 0; allowed: more than 0 and at most 1"),
        (
          number("1.0000000000000000000001"),
          "$ is 1.0000000000000000000001; allowed: more than 0 and at most 1"
        ),
      ]),
    Sample(
      ["type": "number", "multipleOf": 0.25], fits: [0, 0.5, 1, -0.75, number("1e300")],
      [
        (0.3, "$ is 0.3; allowed: multiples of 0.25"),
        (0.125, "$ is 0.125; allowed: multiples of 0.25"),
      ]),
    Sample(
      ["type": "array", "items": ["enum": [1, 2, 3]], "uniqueItems": true], fits: [[], [1, 2]],
      [([1, 2, number("1.0")], "$ has an element twice; allowed: each value once")]),
    Sample(
      ["type": "string", "minLength": 2, "maxLength": 2], fits: ["ab", "é€"],
      [("a", "$ has 1 character; allowed: exactly 2"), (.null, "$ is null; allowed: a string")]),
    Sample(
      ["type": "string", "pattern": "^[a-c]+$"], fits: ["abc"],
      [("abd", #"$ is "abd"; allowed: text that matches `^[a-c]+$`"#)]),
    // "é" can be one scalar or two. To Swift, these strings are equal; to JSON Schema, they differ.
    Sample(
      ["enum": ["caf\u{e9}", "bar"]], fits: ["caf\u{e9}"],
      [
        (
          "cafe\u{301}",
          "$ is \"cafe\u{301}\"; allowed: \"caf\u{e9}\", \"bar\"; the answer has `e\u{301}` "
            + "(U+0065 U+0301), and the schema has `\u{e9}` (U+00E9)"
        )
      ]),
    Sample(
      ["type": ["integer", "null"]], fits: [3, .null],
      [(true, "$ is a boolean; allowed: an integer")]),
    Sample(["const": true], fits: [true], [(false, "$ is a boolean; allowed: true")]),
    Sample(
      [
        "type": "array", "prefixItems": [["type": "string"]], "items": ["type": "integer"],
        "minItems": 1,
      ], fits: [["a"], ["a", 1, 2]],
      [
        ([], "$ has 0 elements; allowed: at least 1"),
        (["a", 1, "b"], "$[2] is a string; allowed: an integer"),
        ([1], "$[0] is a number; allowed: a string"),
      ]),
    Sample(
      [
        "type": "object", "properties": ["a b": ["type": "integer"]], "additionalProperties": false,
      ],
      fits: [["a b": 1], [:]],
      [
        (["a b": "x"], "$['a b'] is a string; allowed: an integer"),
        (["c": 1], #"$ has the unknown property "c"; allowed: "a b""#),
      ]),
    // JSON Schema allows other properties unless the schema says otherwise.
    Sample(
      ["type": "object", "properties": ["a": ["type": "integer"]], "required": ["a"]],
      fits: [["a": 1, "b": 2]], [([:], #"$ lacks the required property "a""#)]),
    Sample(
      ["type": "object", "additionalProperties": ["type": "integer"], "maxProperties": 2],
      fits: [[:], ["x": 1, "y": 2]],
      [
        (["x": "1"], "$.x is a string; allowed: an integer"),
        (["x": 1, "y": 2, "z": 3], "$ has 3 properties; allowed: at most 2"),
      ]),
    Sample(
      [
        "type": "object", "patternProperties": ["^x-": ["type": "string"]],
        "additionalProperties": false,
      ], fits: [["x-a": "1"]],
      [
        (["x-a": 1], "$['x-a'] is a number; allowed: a string"),
        (["y": 1], #"$ has the unknown property "y"; allowed: none"#),
      ]),
    Sample(
      [
        "anyOf": [
          [
            "type": "object", "properties": ["kind": ["const": "a"], "n": ["type": "integer"]],
            "required": ["kind", "n"],
          ],
          [
            "type": "object", "properties": ["kind": ["const": "b"], "s": ["type": "string"]],
            "required": ["kind", "s"],
          ],
        ]
      ], fits: [["kind": "a", "n": 1], ["kind": "b", "s": ""]],
      [
        // The mismatch comes from the alternative that the value fits best.
        (["kind": "b", "s": 1], "$.s is a number; allowed: a string")
      ]),
    Sample(
      [
        "$ref": "#/$defs/Node",
        "$defs": [
          "Node": [
            "type": "object", "required": ["next"],
            "properties": ["next": ["anyOf": [["$ref": "#/$defs/Node"], ["type": "null"]]]],
          ]
        ],
      ], fits: [["next": ["next": .null]]],
      [(["next": ["next": 1]], "$.next.next is a number; allowed: an object")]),
  ]

  @Test(
    "a value that fits the schema has no mismatch; otherwise, the mismatch says where and why",
    arguments: samples)
  func checkSample(_ sample: Sample) throws {
    var check = SchemaCheck(schema: try GenerationSchema(json: sample.schema))
    for value in sample.fits { #expect(check.mismatch(of: value) == nil, "\(value.compactText)") }
    for other in sample.others {
      #expect(check.mismatch(of: other.value)?.description == other.words)
    }
  }

  @Test(
    "once written and read, an object without `additionalProperties` allows no other properties")
  func writtenSchemaIsClosed() throws {
    let open = try GenerationSchema(
      json: ["type": "object", "properties": ["a": ["type": "integer"]]])
    let written = try GenerationSchema(json: open.json)
    #expect(open.mismatch(of: ["b": 1]) == nil)
    #expect(
      written.mismatch(of: ["b": 1])?.reason == .unknownProperty("b", allowed: ["a"]))
  }

  @Test("a mismatch's description truncates a long value")
  func longValue() throws {
    let schema = try GenerationSchema(json: ["enum": ["a"]])
    let words = schema.mismatch(of: .string(String(repeating: "x", count: 1_000_000)))?.description
    #expect((words?.count ?? 0) < 200)
  }
}
