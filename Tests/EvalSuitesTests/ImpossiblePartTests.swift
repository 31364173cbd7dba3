import Testing

@testable import EvalSuites

@Suite("Parts of a schema that no value meets")
struct ImpossiblePartTests {
  /// An object that requires a misspelled property.
  private static let wrong = """
    {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["nmae"], \
    "additionalProperties": false}
    """
  private static let undeclared =
    "`required` names `nmae`, which `properties` doesn't declare; allowed: did you mean `name`? "
    + "declared properties: `name`"

  /// Checks which parts of a schema are findings, and that the suite can be read nevertheless.
  private func check(_ schema: String, _ expected: [String]) throws {
    let loaded = SuiteLoader(
      files: .memory([
        "s/suite.yaml": """
        suite: parts
        generates: { inline: \(schema) }
        assertions: [ { present: { path: $ } } ]
        cases: [ { id: a, input: x } ]
        """
      ])
    ).load(["s"])
    #expect(loaded.problems.map(\.description) == [])
    let findings = try #require(loaded.suites.first).documentFindings()
      .filter { $0.finding.rule == .impossiblePart }
    #expect(findings.map { "\($0.finding.place): \($0.finding.message)" } == expected)
    #expect(findings.allSatisfy { $0.file == "s/suite.yaml" && $0.line == 2 && $0.column > 20 })
  }

  @Test("a misspelled `required` is named wherever the object may be absent")
  func undeclaredRequired() throws {
    let wrong = Self.wrong
    func object(_ property: String, _ more: String = "") -> String {
      #"{"type": "object", "properties": {"a": {"type": "string"}, "o": \#(property)}\#(more)}"#
    }
    let rows: [(schema: String, place: String)] = [
      (object(wrong), "properties/o"),
      (object(##"{"$ref": "#/$defs/O"}"##, #", "$defs": {"O": \#(wrong)}"#), "$defs/O"),
      (object(#"{"anyOf": [{"type": "string"}, \#(wrong)]}"#), "properties/o/anyOf/1"),
      (object(#"{"oneOf": [\#(wrong), {"type": "null"}]}"#), "properties/o/oneOf/0"),
      (object(#"{"type": "array", "items": \#(wrong)}"#), "properties/o/items"),
      (object(#"{"type": "array", "prefixItems": [\#(wrong)]}"#), "properties/o/prefixItems/0"),
      (
        object(#"{"type": "object", "patternProperties": {"^x": \#(wrong)}}"#),
        "properties/o/patternProperties/^x"
      ),
      (
        object(#"{"type": "object", "additionalProperties": \#(wrong)}"#),
        "properties/o/additionalProperties"
      ),
    ]
    for row in rows {
      try check(row.schema, ["#/\(row.place)/required/0: \(Self.undeclared)"])
    }
    try check(
      object(#"{"type": "integer", "minimum": 5, "maximum": 3}"#),
      ["#/properties/o/maximum: no value is between 5 and 3"])
  }

  @Test("objects that accept the property, conditions and negations are no findings")
  func sound() throws {
    let sound = """
      {"type": "object", "properties": {
        "open": {"type": "object", "properties": {"name": {}}, "required": ["nmae"]},
        "keyed": {"type": "object", "patternProperties": {"^n": {}}, "required": ["nmae"],
          "additionalProperties": false},
        "not": {"type": "object", "properties": {"if": {"type": "string"}}},
        "other": {"not": \(Self.wrong)}}}
      """
    try check(sound.split(separator: "\n").joined(separator: " "), [])
  }
}
