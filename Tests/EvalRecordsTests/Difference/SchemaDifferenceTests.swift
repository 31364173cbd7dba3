import EvalRecords
import StructuredText
import Testing

@Suite("The difference between two schemas")
struct SchemaDifferenceTests {
  static let cards: JSONValue = [
    "title": "CardSet", "type": "object", "description": "Cards for study.",
    "properties": [
      "cards": [
        "type": "array", "description": "Three to eight cards.", "minItems": 3, "maxItems": 8,
        "items": ["$ref": "#/$defs/Card"],
      ],
      "level": ["type": "string", "enum": ["easy", "hard"]],
    ],
    "required": ["cards", "level"], "x-order": ["cards", "level"],
    "$defs": [
      "Card": [
        "title": "Card", "type": "object", "properties": ["front": ["type": "string"]],
        "required": ["front"], "x-order": ["front"],
      ]
    ],
  ]

  /// Each row has the texts to replace in the JSON of `cards`, and the titles of the resulting
  /// edits.
  @Test(
    "the difference between two schemas has an edit for each place that differs",
    arguments: [
      ([], []),
      ([("Three to eight cards.", "Cards.")], ["guide of CardSet.cards"]),
      ([("\"minItems\":3,", ""), (",\"maxItems\":8", "")], ["bound of CardSet.cards"]),
      (
        [("Three to eight cards.", "Cards."), ("\"maxItems\":8", "\"maxItems\":9")],
        ["guide of CardSet.cards", "bound of CardSet.cards"]
      ),
      ([("\"easy\",", "\"easy\",\"medium\",")], ["cases of CardSet.level"]),
      ([("[\"cards\",\"level\"],\"x", "[\"cards\"],\"x")], ["optional properties of CardSet"]),
      (
        [("x-order\":[\"cards\",\"level\"]", "x-order\":[\"level\",\"cards\"]")],
        ["order of CardSet"]
      ),
      (
        [
          ("\"level\":{", "\"note\":{\"type\":\"string\"},\"level\":{"),
          ("[\"cards\",\"level\"]", "[\"cards\",\"note\",\"level\"]"),
        ], ["properties of CardSet"]
      ),
      (
        [("\"front\":{\"type\":\"string\"}", "\"front\":{\"type\":\"integer\"}")],
        ["type of Card.front"]
      ),
      (
        [("{\"$ref\":\"#/$defs/Card\"}", "{\"type\":\"string\"}")], ["type of CardSet.cards[*]"]
      ),
    ] as [([(String, String)], [String])])
  func checkTitles(replacements: [(String, String)], titles: [String]) throws {
    let after = try Self.changed(replacements)
    let difference = SchemaDifference(from: Self.cards, to: after)
    #expect(difference.edits.map(\.title) == titles)
    let all = difference.schema(making: difference.edits)
    #expect(all == SchemaDifference(from: after, to: after).schema(making: []))
    #expect(difference.schema(making: []) == Self.cards)
  }

  @Test("applying only some of the edits gives a schema between the two")
  func partOfTheEdits() throws {
    let after = try Self.changed([
      ("Three to eight cards.", "Cards."), ("\"easy\",", ""), ("for study", "to learn"),
    ])
    let difference = SchemaDifference(from: Self.cards, to: after)
    let edits = difference.edits
    #expect(edits.map(\.kind) == [.guide, .guide, .choices])
    for index in edits.indices {
      let only = difference.schema(making: [edits[index]])
      #expect(SchemaDifference(from: Self.cards, to: only).edits == [edits[index]])
      let others = edits.enumerated().filter { $0.offset != index }.map(\.element)
      let without = difference.schema(making: others)
      #expect(SchemaDifference(from: without, to: after).edits == [edits[index]])
    }
  }

  @Test("a union's alternative and its definition are added together, and removed together")
  func definitionsFollowTheirCases() {
    func union(_ names: [String]) -> JSONValue {
      let definitions = names.map { name -> JSONObject.Member in
        (
          name,
          [
            "title": .string(name), "type": "object",
            "properties": ["type": ["const": .string(name)]],
          ]
        )
      }
      return [
        "title": "Choice", "anyOf": .array(names.map { ["$ref": .string("#/$defs/\($0)")] }),
        "$defs": .object(JSONObject(definitions)),
      ]
    }
    let (small, large) = (union(["A", "B"]), union(["A", "B", "Out"]))
    let grown = SchemaDifference(from: small, to: large)
    #expect(grown.edits.map(\.title) == ["cases of Choice"])
    #expect(grown.schema(making: grown.edits) == large)
    #expect(grown.schema(making: []) == small)
    let shrunk = SchemaDifference(from: large, to: small)
    #expect(shrunk.schema(making: shrunk.edits) == small)
  }

  private static func changed(_ replacements: [(String, String)]) throws -> JSONValue {
    var text = cards.compactText
    for (old, new) in replacements {
      try #require(text.contains(old))
      text = text.replacing(old, with: new)
    }
    return try JSONValue(parsing: text)
  }

  @Test("a keyword that was removed from an alternative of `anyOf` is part of the difference")
  func removedInAlternative() {
    func choice(_ first: JSONValue) -> JSONValue {
      ["title": "Choice", "anyOf": [first, ["type": "integer"]]]
    }
    let before = choice(["type": "string", "description": "A name."])
    let after = choice(["type": "string"])
    let difference = SchemaDifference(from: before, to: after)
    let all = difference.schema(making: difference.edits)
    #expect(SchemaDifference(from: all, to: after).edits.isEmpty)
  }
}
