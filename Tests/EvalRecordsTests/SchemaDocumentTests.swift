import Foundation
import StructuredText
import Testing

@testable import EvalRecords

@Suite("Recorded schemas")
struct SchemaDocumentTests {
  private static let text = """
    {"title": "Book", "type": "object",
     "properties": {
       "mood": {"type": "string", "enum": ["calm", "tense"], "description": "The mood."},
       "days": {"type": "array", "minItems": 1, "maxItems": 7, "items": {"$ref": "#/$defs/Day"}},
       "other kind": {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]}},
     "$defs": {
       "Day": {"type": "object", "properties": {"meals": {"type": "array", "items": {}}}},
       "A": {"type": "object", "properties": {"type": {"const": "a"}}},
       "B": {"type": "object", "properties": {"type": {"const": "b"}}},
       "Unused": {"type": "object", "properties": {"x": {"$ref": "#/$defs/Day"}}}}}
    """
  private let document = SchemaDocument(schema: text)

  @Test("a schema lists its arrays with their bounds, including those behind references")
  func arrays() {
    #expect(document.arrays.map(\.path) == ["$.days", "$.days[*].meals"])
    #expect(document.array(at: "$.days") == .init(path: "$.days", minimum: 1, maximum: 7))
    #expect(document.array(at: "$.nights") == nil)
  }

  @Test(
    "a schema lists its branches: the cases of enums, and the discriminators of unions")
  func branches() {
    #expect(
      document.branches == [
        .init(path: "$.mood", cases: ["calm", "tense"]),
        .init(path: "$['other kind']", cases: ["a", "b"]),
      ])
  }

  @Test("a schema lists the places of its guides, bounds and lists of cases")
  func guides() {
    #expect(
      document.guides.map(\.place) == [
        "Book.mood", "cases of Book.mood", "minItems of Book.days", "maxItems of Book.days",
        "choices of Book.other kind",
      ])
  }

  @Test("a schema lists its definitions, and can leave out unused ones")
  func definitions() {
    #expect(document.definitions.keys == ["Day", "A", "B", "Unused"])
    #expect(document.body["$defs"] == nil)
    let kept = SchemaDocument(document.withoutUnusedDefinitions)
    #expect(kept.definitions.keys == ["Day", "A", "B"])
    #expect(document.listedNames == ["calm", "tense", "a", "b"])
  }

  @Test(
    "reading a damaged, hostile or recursive schema finds no arrays or branches, and doesn't trap",
    arguments: [
      "", "{", "null", "[]", #"{"properties": 3}"#, ##"{"$ref": "#/$defs/A"}"##,
      ##"{"$defs": {"A": {"$ref": "#/$defs/A"}}, "$ref": "#/$defs/A"}"##,
      #"{"anyOf": [{"anyOf": []}, 3]}"#,
    ])
  func checkDamaged(text: String) {
    let document = SchemaDocument(schema: text)
    #expect(document.arrays.isEmpty && document.branches.isEmpty)
    _ = document.withoutUnusedDefinitions
  }
}
