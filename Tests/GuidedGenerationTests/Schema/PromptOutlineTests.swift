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

  /// Two forms: a link and a note.
  private static func forms(_ more: JSONValue...) -> JSONValue {
    func form(_ type: String, _ guide: String, _ properties: JSONObject = [:]) -> JSONValue {
      let names = ["type"] + properties.members.map(\.key)
      let list = JSONValue.array(names.map { .string($0) })
      var all: JSONObject = ["type": ["const": .string(type)]]
      for member in properties.members { all[member.key] = member.value }
      return [
        "title": .string(type), "type": "object", "additionalProperties": false,
        "description": .string(guide), "required": list, "x-order": list,
        "properties": .object(all),
      ]
    }
    return [
      "title": "Part", "description": "A part of a page.",
      "anyOf": .array(
        [
          form("link", "A page.", ["target": ["type": "string", "description": "The address"]]),
          form("size", "A size.", ["width": ["type": "integer", "minimum": 1]]),
        ] + more),
    ]
  }

  private static let formLines = """
    Form 1: {"type":"link","target":"The address"}
    $: A page.
    Form 2: {"type":"size","width":1}
    $: A size.
    $.width: integer, at least 1.
    """

  private static func object(_ properties: JSONObject) -> JSONValue {
    let names = JSONValue.array(properties.members.map { .string($0.key) })
    return [
      "title": "Page", "type": "object", "additionalProperties": false, "required": names,
      "x-order": names, "properties": .object(properties),
    ]
  }

  @Test("the outline `example` shows every form of a union with its guide, and lists each once")
  func unions() throws {
    try checkOutline(
      Self.forms(), .example,
      """
      Answer with JSON of one of these forms:
      $: one of 2 forms. A part of a page.
      \(Self.formLines)
      """)
    let nested = { (place: String) in
      Self.formLines.replacing("$", with: place).replacing("Form 1", with: "Form 1 of \(place)")
        .replacing("Form 2", with: "Form 2 of \(place)")
    }
    try checkOutline(
      Self.object(["part": Self.forms(), "title": ["type": "string"]]), .example,
      """
      Answer with JSON of this form:
      {"part":{"type":"link","target":"The address"},"title":"…"}
      $.part: one of 2 forms. A part of a page.
      \(nested("$.part"))
      """)
    let part: JSONValue = ["$ref": "#/$defs/Part"]
    var page = try #require(
      Self.object(["parts": ["type": "array", "items": part], "last": part]).object)
    page["$defs"] = ["Part": Self.forms()]
    try checkOutline(
      .object(page), .example,
      """
      Answer with JSON of this form:
      {"parts":[{"type":"link","target":"The address"}],\
      "last":{"type":"link","target":"The address"}}
      $.parts[]: one of 2 forms. A part of a page.
      $.last: one of 2 forms, as at $.parts[]. A part of a page.
      \(nested("$.parts[]"))
      """)
    // A form that contains a union, and a value that can be null.
    try checkOutline(
      Self.object([
        "kind": ["anyOf": [["type": "string", "description": "A name"], ["type": "null"]]]
      ]),
      .example,
      """
      Answer with JSON of this form:
      {"kind":"A name"}
      $.kind: may be null.
      """)
    try checkOutline(
      Self.object([
        "kind": ["anyOf": [["type": "integer"], ["type": "boolean"], ["type": "null"]]]
      ]),
      .example,
      """
      Answer with JSON of this form:
      {"kind":0}
      $.kind: one of 3 forms.
      Form 1 of $.kind: 0
      $.kind: integer.
      Form 2 of $.kind: true
      $.kind: true or false.
      Form 3 of $.kind: null
      """)
  }

  @Test("a union whose forms contain the union again is shown once")
  func recursiveUnion() throws {
    let tree: JSONValue = [
      "title": "Tree",
      "anyOf": [["$ref": "#/$defs/Leaf"], ["$ref": "#/$defs/Branch"]],
      "$defs": [
        "Leaf": Self.object(["name": ["type": "string"]]),
        "Branch": Self.object(["left": ["$ref": "#"], "right": ["$ref": "#"]]),
      ],
    ]
    let text = try #require(try GenerationSchema(json: tree).outline(as: .example))
    #expect(text.split(separator: "\n").filter { $0.hasPrefix("Form ") }.count == 2, "\(text)")
    #expect(text.contains(#"Form 2: {"left":{"name":"…"},"right":{"name":"…"}}"#), "\(text)")
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
