import StructuredText
import Testing

@testable import GuidedGeneration

@Generable
private enum Way {
  case bus(line: Int)
  case walk
}

@Generable
private struct Trip {
  @Guide(.range(1...9))
  var days: Int
  @Guide(.minimum(0.5))
  var price: Double
  @Guide(.anyOf(["north", "south"]))
  var side: String
  @Guide(.pattern(/[A-Z]{3}/))
  var code: String
  @Guide(.count(1...2))
  var ways: [Way]
  var note: String?
  var isPaid: Bool
}

@Suite("Schema mismatches of answers that no mask constrained")
struct SchemaMismatchTests {
  private static let whole: JSONValue = [
    "days": 3, "price": 2.5, "side": "north", "code": "ABC", "isPaid": true,
    "ways": [["type": "bus", "line": 4], ["type": "walk"]],
  ]

  private func changed(_ key: String, _ value: JSONValue?) -> JSONValue {
    guard case .object(var object) = Self.whole else { return .null }
    object[key] = value
    return .object(object)
  }

  @Test("a valid value has no mismatch, whatever the order of its keys")
  func fits() throws {
    let schema = Trip.generationSchema
    #expect(schema.mismatch(of: Self.whole) == nil)
    #expect(schema.mismatch(of: changed("note", "late")) == nil)
    #expect(schema.mismatch(of: changed("note", .null)) == nil)
    #expect(schema.mismatch(of: changed("days", .number(JSONNumber(unchecked: "3.0")))) == nil)
    #expect(GeneratedContent.generationSchema.mismatch(of: Self.whole) == nil)
  }

  static let mismatches: [(key: String, value: JSONValue?, words: String)] = [
    ("days", 12, "$.days is 12; allowed: 1 to 9"),
    ("days", 2.5, "$.days is 2.5; allowed: an integer"),
    ("days", "3", "$.days is a string; allowed: an integer"),
    ("price", 0.25, "$.price is 0.25; allowed: at least 0.5"),
    ("side", "west", #"$.side is "west"; allowed: "north", "south""#),
    ("code", "ABCD", #"$.code is "ABCD"; allowed: text that matches `[A-Z]{3}`"#),
    ("ways", [], "$.ways has 0 elements; allowed: 1 to 2"),
    ("ways", .null, "$.ways is null; allowed: an array"),
    (
      "ways", [["type": "walk"], ["type": "ride"]], #"$.ways[1].type is "ride"; allowed: "bus""#
    ),
    ("ways", [["type": "bus"]], #"$.ways[0] lacks the required property "line""#),
    ("isPaid", nil, #"$ lacks the required property "isPaid""#),
    ("isPaid", 1, "$.isPaid is a number; allowed: a boolean"),
  ]

  @Test("a mismatch names the first wrong place and what is allowed there", arguments: mismatches)
  func mismatch(key: String, value: JSONValue?, words: String) {
    #expect(Trip.generationSchema.mismatch(of: changed(key, value))?.description == words)
  }

  @Test("a property that the schema doesn't have is reported")
  func unknown() {
    let found = Trip.generationSchema.mismatch(of: changed("color", "red"))
    #expect(
      found?.reason
        == .unknownProperty(
          "color", allowed: ["days", "price", "side", "code", "ways", "note", "isPaid"]))
  }

  @Test("lengths count Unicode characters, not bytes")
  func lengths() throws {
    let schema = try GenerationSchema(json: ["type": "string", "minLength": 2, "maxLength": 3])
    #expect(schema.mismatch(of: "é€") == nil)
    #expect(schema.mismatch(of: "é")?.reason == .length(1, 2...3))
  }

  @Test("a deep value is checked to its end, even if alternatives differ only in the last property")
  func deepAlternatives() throws {
    let link: (String) -> JSONValue = { end in
      [
        "type": "object", "additionalProperties": false, "required": ["next", "end"],
        "properties": ["next": ["$ref": "#/$defs/Link"], "end": ["enum": [.string(end)]]],
      ]
    }
    let schema = try GenerationSchema(
      json: [
        "$ref": "#/$defs/Link",
        "$defs": [
          "Link": ["anyOf": [["$ref": "#/$defs/A"], ["$ref": "#/$defs/B"], ["type": "integer"]]],
          "A": link("a"), "B": link("b"),
        ],
      ])
    var value: JSONValue = 1
    for _ in 0..<3 { value = ["next": value, "end": "c"] }
    #expect(schema.mismatch(of: value)?.reason == .choice(found: "c", allowed: ["a"]))
    for (end, reason) in [
      (1, nil), ("deep", .type(found: "a string", allowed: "an object")),
    ] as [(JSONValue, SchemaMismatch.Reason?)] {
      value = end
      for index in 0..<60 { value = ["next": value, "end": index % 3 == 0 ? "b" : "a"] }
      let found = schema.mismatch(of: value)
      #expect(found?.reason == reason)
      #expect(found.map { $0.steps.count == 60 } ?? true)
    }
  }

  @Test("a key that matches several patterns is checked to the end of a deep value")
  func deepRules() throws {
    let schema = try GenerationSchema(
      json: [
        "$ref": "#/$defs/N",
        "$defs": [
          "N": [
            "type": ["object", "integer"], "additionalProperties": false,
            "patternProperties": ["^a": ["$ref": "#/$defs/N"], "b$": ["$ref": "#/$defs/N"]],
          ]
        ],
      ])
    for (end, path) in [(1, nil), ("deep", 60)] as [(JSONValue, Int?)] {
      var value = end
      for _ in 0..<60 { value = ["ab": value] }
      #expect(schema.mismatch(of: value)?.steps.count == path)
    }
  }
}
