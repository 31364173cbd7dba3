import GuidedGeneration
import StructuredText
import Testing

@Suite("Ways to show a schema in a prompt")
struct PromptOutlineTests {
  private static let cards: JSONValue = [
    "title": "Cards", "type": "object", "additionalProperties": false,
    "required": ["cards", "level", "pages"], "x-order": ["cards", "level", "pages", "note"],
    "properties": [
      "cards": [
        "type": "array", "minItems": 3, "maxItems": 8, "description": "No two\nalike.",
        "items": ["type": "string", "description": "A question"],
      ],
      "level": ["type": "string", "enum": ["easy", "hard"], "description": "How hard."],
      "pages": ["type": "integer", "minimum": 2],
      "note": ["type": "string", "description": "Whatever else matters"],
    ],
  ]

  private static let recursive: JSONValue = [
    "title": "Node", "type": "object", "additionalProperties": false,
    "required": ["name"], "x-order": ["name", "next", "children"],
    "properties": [
      "name": ["type": "string"], "next": ["$ref": "#"],
      "children": ["type": "array", "items": ["$ref": "#"]],
    ],
  ]

  private func checkOutline(
    _ json: JSONValue, _ style: PromptOutline, _ expected: String?,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws {
    let schema = try GenerationSchema(json: json)
    #expect(schema.outline(as: style) == expected, sourceLocation: sourceLocation)
  }

  @Test("the outline `example` shows a sample value and then the rules that a sample can't show")
  func example() throws {
    try checkOutline(
      Self.cards, .example,
      """
      Answer with JSON of this form:
      {"cards":["A question"],"level":"easy","pages":2,"note":"Whatever else matters"}
      $.cards: 3 to 8 elements. No two alike.
      $.level: "easy" or "hard". How hard.
      $.pages: integer, at least 2.
      $.note: may be left out.
      """)
  }

  @Test("the outline `jsonSchema` shows the JSON Schema without x-order, and `none` shows nothing")
  func jsonSchema() throws {
    let schema = try GenerationSchema(json: Self.cards)
    let text = try #require(schema.outline(as: .jsonSchema))
    let shown = try JSONValue(
      parsing: String(text.drop { $0 != "{" }))
    #expect(shown["x-order"] == nil)
    #expect(shown["properties"] == schema.json["properties"])
    try checkOutline(Self.cards, .none, nil)
    try checkOutline(Self.cards, .typescript, schema.outline)
  }

  @Test("an example of a type that contains itself is finite")
  func recursion() throws {
    let schema = try GenerationSchema(json: Self.recursive)
    let text = try #require(schema.outline(as: .example))
    let line = try #require(text.split(separator: "\n").dropFirst().first)
    let value = try JSONValue(parsing: String(line))
    #expect(value["name"]?.string != nil)
    #expect(text.utf8.count < 100_000)
  }
}
