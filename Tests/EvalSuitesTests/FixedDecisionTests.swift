import EvalRecords
import GuidedGeneration
import StructuredText
import Testing

@testable import EvalSuites

@Suite("Decisions before which the schema fixes the text")
struct FixedDecisionTests {
  /// Checks the places of a JSON Schema.
  private func check(
    json: String, _ expected: [String], sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws {
    let schema = try GenerationSchema(json: JSONValue(parsing: json))
    #expect(
      schema.fixedDecisions.map(\.description) == expected, "\(json)",
      sourceLocation: sourceLocation)
  }

  private static let (choice, strings) = (
    SchemaText.choice, SchemaText.list(of: SchemaText.string)
  )

  private static func object(_ properties: KeyValuePairs<String, String>) -> String {
    SchemaText.object(properties)
  }

  private static func list(_ element: String, _ bounds: String) -> String {
    SchemaText.list(of: element, bounds)
  }

  @Test(
    "a decision is fixed only if nothing that the model chooses comes before it",
    arguments: [
      // First in the answer.
      (["cards": strings], ["$.cards"]),
      (["cards": list(SchemaText.string, #""minItems":3,"maxItems":8"#)], ["$.cards"]),
      (["kind": choice], ["$.kind"]),
      // After a choice.
      (["why": SchemaText.string, "kind": choice], []),
      (["count": SchemaText.integer, "kind": choice], []),
      (["size": SchemaText.number, "kind": choice], []),
      (["done": SchemaText.boolean, "kind": choice], []),
      (["kind": choice, "tags": strings], ["$.kind"]),
      (["tags": strings, "kind": choice], ["$.tags"]),
      (["why?": SchemaText.string, "kind": choice], []),
      (["kind?": choice, "tags": strings], []),
      // After something that isn't a choice.
      (["level": SchemaText.three, "kind": choice], ["$.kind"]),
      // Nested objects.
      (["head": object(["kind": choice, "tags": strings])], ["$.head.kind"]),
      (["head": object(["level": SchemaText.three]), "tags": strings], ["$.tags"]),
      (["head": object(["title": SchemaText.string]), "tags": strings], []),
      // Elements of arrays.
      (["days": list(object(["meals": strings]), #""minItems":1,"maxItems":7"#)], ["$.days"]),
      (
        ["days": list(object(["meals": strings]), #""minItems":1,"maxItems":1"#)],
        ["$.days[*].meals"]
      ),
      (["days": list(object(["meals": strings]), #""minItems":2,"maxItems":2"#)], []),
      (
        [
          "days": list(object(["level": SchemaText.three]), #""minItems":2,"maxItems":2"#),
          "kind": choice,
        ], ["$.kind"]
      ),
      // Recursion ends at a choice.
      (["leaf": choice, "children": SchemaText.list(of: ##"{"$ref":"#"}"##)], ["$.leaf"]),
      (["children": SchemaText.list(of: ##"{"$ref":"#"}"##)], ["$.children"]),
    ] as [(KeyValuePairs<String, String>, [String])])
  func firstDecisions(properties: KeyValuePairs<String, String>, expected: [String]) throws {
    try check(json: SchemaText.object(properties), expected)
  }

  @Test(
    "a value that the schema fixes is no choice",
    arguments: [
      (#"{"const":"a"}"#, true), (#"{"enum":["a"],"type":"string"}"#, true),
      (#"{"enum":["a","b"],"type":"string"}"#, false), (#"{"const":3}"#, true),
      (#"{"const":true}"#, true), (#"{"type":"null"}"#, true), (#"{"type":"boolean"}"#, false),
      (#"{"type":"string","pattern":"^a$"}"#, false), (#"{"type":["string","null"]}"#, false),
      (#"{"type":"array","items":{"type":"string"},"maxItems":0}"#, true),
      (#"{"type":"object","properties":{},"additionalProperties":false}"#, true),
      (#"{"type":"object","additionalProperties":{"type":"string"}}"#, false),
    ])
  func constants(first: String, isFixed: Bool) throws {
    let text = #"""
      {"type":"object","required":["first","last"],"additionalProperties":false,
       "properties":{"first":\#(first),"last":{"type":"array","items":{"type":"string"}}}}
      """#
    let schema = try GenerationSchema(json: JSONValue(parsing: text))
    #expect(schema.fixedDecisions.map(\.description).contains("$.last") == isFixed, "\(first)")
  }

  @Test("a union is a choice; its alternatives contain no fixed decision")
  func unions() throws {
    let alternative = #"{"type":"object","properties":{"#
    try check(
      json: """
        {"anyOf":[
          \(alternative)"type":{"const":"a"},"tags":{"type":"array","items":{"type":"string"}}},
           "required":["type","tags"],"additionalProperties":false},
          \(alternative)"type":{"const":"b"}},"required":["type"],"additionalProperties":false}
        ]}
        """, ["$"])
  }

  @Test("the order is that of generation, whatever the order of the text is")
  func order() throws {
    let properties = #"""
      "properties":{"kind":{"enum":["a","b"],"type":"string"},"why":{"type":"string"}},
      "required":["kind","why"],"type":"object","additionalProperties":false
      """#
    try check(json: "{\(properties)}", ["$.kind"])
    try check(json: #"{\#(properties),"title":"T","x-order":["why","kind"]}"#, [])
    try check(json: #"{\#(properties),"title":"T","x-order":["kind","why"]}"#, ["$.kind"])
  }

  @Test("elements with their own schemas have an index, and any property name is one step")
  func placesOfParts() throws {
    try check(
      json: #"""
        {"type":"array","prefixItems":[{"const":"v1"},{"enum":["a","b"]},{"enum":["c","d"]}],
         "items":false,"minItems":3,"maxItems":3}
        """#, ["$[1]"])
    for name in ["a.b", "x[*]", "['y']", "größe", "", "$", "2nd", "it's"] {
      let schema = GenerationSchema(
        root: .object(
          ObjectSchema(
            name: "T",
            properties: [
              PropertySchema(
                name: name, node: .array(ArraySchema(element: .string(StringSchema()))))
            ])), definitions: [])
      let place = JSONPlace(steps: [.name(name)])
      #expect(schema.fixedDecisions == [place])
      let places = FixedDecisionPlaces(["v": schema.fixedDecisions.map(\.description)])
      var suite = Self.suite
      suite.details.fixedDecisions = places
      #expect(suite.isFixed(place.description, in: "v"), "\(name)")
      #expect(!suite.isFixed("$.other", in: "v") && !suite.isFixed(place.description, in: "w"))
    }
  }

  @Test("a place is fixed if a stored pattern stands for it, and a pattern only if it is stored")
  func patterns() {
    var suite = Self.suite
    suite.details.fixedDecisions = FixedDecisionPlaces(["v": ["$.a[*].b", "$.t[1]"]])
    let expected = [
      ("$.a[*].b", true), ("$.a[0].b", true), ("$.a[0]['b']", true), ("$.t[1]", true),
      ("$.t[*]", false), ("$.t[0]", false), ("$.a", false), ("$.a[*].b[*]", false),
    ]
    for (path, isFixed) in expected { #expect(suite.isFixed(path, in: "v") == isFixed, "\(path)") }
  }

  @Test("runs of version 0.1 don't contain the places; they are derived from the stored schemas")
  func olderRuns() throws {
    let schema = try GenerationSchema(
      json: JSONValue(
        parsing: SchemaText.object(["kind": Self.choice, "tags": Self.strings])))
    var suite = Self.suite
    suite.variants = [
      VariantRecord(
        id: "v", title: "", schema: schema.json.compactText, instructions: nil,
        promptTemplate: "", edits: []),
      VariantRecord(
        id: "damaged", title: "", schema: "{", instructions: nil, promptTemplate: "", edits: []),
    ]
    #expect(!suite.isFixed("$.kind", in: "v"), "a record without places says nothing")
    let run = RunRecord(
      id: 1, label: "", startedAt: "", status: .complete, toolVersion: "0.1.0", backends: [],
      suites: [suite])
    let derived = run.withFixedDecisions.suites[0]
    #expect(derived.isFixed("$.kind", in: "v") && !derived.isFixed("$.tags", in: "v"))
    #expect(!derived.isFixed("$.kind", in: "damaged"))
    #expect(
      derived.details.fixedDecisions == FixedDecisionPlaces(["v": ["$.kind"], "damaged": []]))
    // Stored places win over the schema.
    var stored = run
    stored.suites[0].details.fixedDecisions = FixedDecisionPlaces(["v": []])
    #expect(!stored.withFixedDecisions.suites[0].isFixed("$.kind", in: "v"))
  }

  private static let suite = SuiteRecord(
    id: "s", title: "", guards: "", file: "", schemaName: "T", variants: [], cases: [],
    repeats: 1, seed: 1, options: GenerationSettings(), gate: GateRecord())
}
