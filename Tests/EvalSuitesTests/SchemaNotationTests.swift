import GuidedGeneration
import StructuredText
import Testing

@testable import EvalSuites

@Suite("The short notation for schemas")
struct SchemaNotationTests {
  private func check(_ text: String, _ expected: String) throws {
    let found = try SchemaNotation.schema(text)
    #expect(try found == JSONValue(parsing: expected), "\(found.prettyText)")
    // The result is a schema that the mask can enforce.
    #expect(throws: Never.self) { try GenerationSchema(json: found) }
  }

  @Test("an object can have properties of every shape, and keeps their order")
  func object() throws {
    try check(
      #"""
      # A comment
      Meeting "A meeting." {
        title: string "At most 6 words."
        date?: string /\d{4}-\d\d/
        minutes: integer 0...600
        price: number 0.5...
        done: boolean
        mood: calm | "very tense" | unclear "How it was."
        guests: [Guest] 1...8 "Who came."
        tags: [string 1...20] 3
        note: string?
      }
      Guest { name: string, "full name": string }
      """#,
      #"""
      {
        "title": "Meeting", "description": "A meeting.", "type": "object",
        "properties": {
          "title": { "type": "string", "description": "At most 6 words." },
          "date": { "type": "string", "pattern": "\\d{4}-\\d\\d" },
          "minutes": { "type": "integer", "minimum": 0, "maximum": 600 },
          "price": { "type": "number", "minimum": 0.5 },
          "done": { "type": "boolean" },
          "mood": { "type": "string", "enum": ["calm", "very tense", "unclear"],
            "description": "How it was." },
          "guests": { "type": "array", "items": { "$ref": "#/$defs/Guest" }, "minItems": 1,
            "maxItems": 8, "description": "Who came." },
          "tags": { "type": "array",
            "items": { "type": "string", "minLength": 1, "maxLength": 20 },
            "minItems": 3, "maxItems": 3 },
          "note": { "anyOf": [ { "type": "string" }, { "type": "null" } ] }
        },
        "required": ["title", "minutes", "price", "done", "mood", "guests", "tags", "note"],
        "additionalProperties": false,
        "x-order": ["title", "date", "minutes", "price", "done", "mood", "guests", "tags", "note"],
        "$defs": {
          "Guest": {
            "title": "Guest", "type": "object",
            "properties": { "name": { "type": "string" }, "full name": { "type": "string" } },
            "required": ["name", "full name"], "additionalProperties": false,
            "x-order": ["name", "full name"]
          }
        }
      }
      """#)
  }

  @Test("an enum without payloads becomes a string enum; otherwise, each case becomes an object")
  func enums() throws {
    try check(
      "Mood \"How it is.\" = calm | wild",
      #"{ "title": "Mood", "description": "How it is.", "type": "string", "enum": ["calm", "wild"] }"#
    )
    try check(
      "Insight = progress \"It went well.\" (days: integer) | unclear",
      #"""
      { "title": "Insight",
        "anyOf": [ { "$ref": "#/$defs/DiscriminatedProgress" },
          { "$ref": "#/$defs/DiscriminatedUnclear" } ],
        "$defs": {
          "DiscriminatedProgress": { "title": "DiscriminatedProgress", "type": "object",
            "description": "It went well.",
            "properties": { "type": { "const": "progress" }, "days": { "type": "integer" } },
            "required": ["type", "days"], "additionalProperties": false,
            "x-order": ["type", "days"] },
          "DiscriminatedUnclear": { "title": "DiscriminatedUnclear", "type": "object",
            "properties": { "type": { "const": "unclear" } }, "required": ["type"],
            "additionalProperties": false, "x-order": ["type"] } } }
      """#)
  }

  @Test("a type may contain a list of itself")
  func recursion() throws {
    let schema = try SchemaNotation.schema("Tree { name: string, children: [Tree] ...3 }")
    #expect(schema["properties"]?["children"]?["items"] == ["$ref": "#"])
    #expect(throws: Never.self) { try GenerationSchema(json: schema) }
  }

  @Test(
    "an error in the notation is reported with its position",
    arguments: [
      ("", 1, 1, "the notation has no type"), ("T", 1, 2, "a type has no body"),
      ("T { a: string", 1, 3, "`{` is not closed"), ("T {\n  a string }", 2, 5, "`a` has no type"),
      ("T { a: strin }", 1, 8, "there is no type `strin`"),
      ("T { a: string, a: string }", 1, 16, "the property `a` appears twice"),
      ("T = a", 1, 6, "an enum has only one choice"),
      ("T = a | a", 1, 8, "the choice `a` appears twice"),
      ("T { a: [string }", 1, 8, "`[` is not closed"),
      ("T { a: integer ... }", 1, 16, "`...` has no number"),
      ("T { a: integer 0.5... }", 1, 16, "`0.5` is not an integer"),
      ("T { a: string /x }", 1, 15, "the pattern is not closed"),
      ("T { a: string \"x }", 1, 15, "the text is not closed, or has an unknown escape"),
      ("T { } T { }", 1, 7, "the type `T` appears twice"),
      ("string { }", 1, 1, "`string` is a built-in type"),
      ("T { : string }", 1, 5, "`:` is not a name"),
    ])
  func failures(text: String, line: Int, column: Int, problem: String) throws {
    do {
      _ = try SchemaNotation.schema(text)
      Issue.record("\(text) was read as a schema")
    } catch {
      #expect((error.line, error.column, error.problem) == (line, column, problem), "\(text)")
      #expect(!error.allowed.isEmpty)
    }
  }

  @Test("deeply nested notation is rejected")
  func depth() {
    let deep = "T { a: " + String(repeating: "[", count: 5_000) + " }"
    #expect(throws: SchemaNotation.Failure.self) { try SchemaNotation.schema(deep) }
  }

  @Test("a suite can contain its schema in the notation, and errors give positions in the notation")
  func suite() {
    func problems(_ notation: String) -> [String] {
      let text = """
        suite: s
        generates:
          notation: |
            \(notation)
        assertions: [ { count: { path: $.tags, min: 1 } } ]
        cases: [ { id: a, input: x } ]
        """
      return SuiteLoader(files: .memory(["s/suite.yaml": text])).load(["s"]).problems
        .map(\.description)
    }
    #expect(problems("T { tags: [string] }") == [])
    #expect(
      problems("T { tags: [text] }").first?.hasPrefix(
        "s/suite.yaml:3:13: there is no type `text` (line 1, character 12 of the notation); ")
        == true)
  }
}
