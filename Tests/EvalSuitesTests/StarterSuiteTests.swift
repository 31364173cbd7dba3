import EvalRecords
import GuidedGeneration
import Patterns
import StructuredText
import Testing

@testable import EvalSuites

@Suite("A first suite for a schema")
struct StarterSuiteTests {
  private func load(_ schema: String) throws -> Suite {
    let json = try JSONValue(parsing: schema)
    let starter = StarterSuite(
      id: "first", schema: try GenerationSchema(json: json), schemaFile: "schema.json")
    let loaded = SuiteLoader(
      files: .memory(["s/suite.yaml": starter.text(), "s/schema.json": json.compactText])
    ).load(["s"])
    #expect(loaded.problems.map(\.description) == [], "\(starter.text())")
    return try #require(loaded.suites.first)
  }

  private func check(_ schema: String, cases: [String]) throws {
    let suite = try load(schema)
    #expect(suite.cases.map(\.id) == cases)
    for suiteCase in suite.cases {
      let content = try #require(suiteCase.stub?.entries.first?.content)
      let verdicts = suiteCase.assertions.map { $0.verdict(on: AttemptFacts(value: content)) }
      #expect(Outcome(of: verdicts) == .pass, "\(suiteCase.id): \(content.compactText) \(verdicts)")
      let mismatch = try GenerationSchema(json: JSONValue(parsing: schema)).mismatch(of: content)
      #expect(mismatch == nil, "\(suiteCase.id): \(content.compactText)")
    }
  }

  @Test(
    "the suite has test cases for each branch, count limit and optional property; its stubs pass")
  func cases() throws {
    let string = SchemaText.string
    try check(
      SchemaText.object(
        [
          "mood": #"{"type":"string","enum":["calm","wild"]}"#,
          "stops": SchemaText.list(
            of: SchemaText.definition("Stop"), #""minItems":2,"maxItems":5"#),
          "note?": string,
        ], definitions: ["Stop": SchemaText.object(["city": string])]),
      cases: ["calm", "wild", "stops-2", "stops-5", "note-present", "note-absent"])
    try check(
      SchemaText.object([
        "tags": SchemaText.list(of: string),
        "n": #"{"anyOf":[{"type":"number"},{"type":"null"}]}"#,
      ]), cases: ["tags-0", "tags-1", "n-present", "n-absent"])
    let days = SchemaText.list(of: SchemaText.integer, #""minItems":1,"maxItems":3"#)
    let progress = SchemaText.object([
      "type": #"{"const":"progress"}"#, "kind": SchemaText.choice,
    ])
    let slip = SchemaText.object(["type": #"{"const":"slip"}"#, "days": days])
    try check(
      #"{"anyOf":[\#(progress),\#(slip)]}"#,
      cases: ["progress", "a", "b", "slip", "days-1", "days-3"])
    try check(
      SchemaText.object([
        "name": string, "age": #"{"type":"integer","minimum":3,"maximum":9}"#,
      ]), cases: ["first"])
    try check(
      SchemaText.object([
        "children": SchemaText.list(of: ##"{"$ref":"#"}"##, #""maxItems":2"#),
        "kind": SchemaText.choice,
      ]), cases: ["children-0", "children-2", "a", "b"])
    try check(
      SchemaText.object([
        "code": #"{"type":"string","pattern":"[A-Z]{2}-\\d+"}"#,
        "short": #"{"type":"string","maxLength":3}"#,
      ]), cases: ["first"])
  }

  static let exact: [(schema: String, cases: [String])] = {
    func list(_ element: String, _ bounds: String) -> String {
      SchemaText.list(of: element, #""uniqueItems":true,"# + bounds)
    }
    let three = #"{"type":"string","enum":["a","b","c"]}"#
    return [
      (#"{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":0.1}"#, ["first"]),
      (#"{"type":"number","exclusiveMinimum":0}"#, ["first"]),
      (#"{"type":"number","exclusiveMaximum":-3}"#, ["first"]),
      (#"{"type":"number","minimum":0.25,"multipleOf":0.1}"#, ["first"]),
      (#"{"type":"integer","minimum":4,"multipleOf":3}"#, ["first"]),
      (#"{"type":"integer","exclusiveMaximum":-6,"multipleOf":3}"#, ["first"]),
      // No array has four different values of three.
      (list(three, #""minItems":3"#), ["a-3", "a", "b", "c"]),
      (list(SchemaText.boolean, #""minItems":2"#), ["a-2"]),
      (list(three, #""maxItems":2"#), ["a-0", "a-2", "a", "b", "c"]),
      // Without `uniqueItems`, elements may be equal.
      (SchemaText.list(of: three, #""minItems":3"#), ["a-3", "a-4", "a", "b", "c"]),
      (
        #"{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false,"#
          + #""minItems":2,"maxItems":2}"#, ["a-2"]
      ),
    ]
  }()

  @Test("the stub's answers fit the schema, and no test case asks for an answer that can't")
  func exactAnswers() throws {
    for (schema, cases) in Self.exact {
      let text =
        #"{"title":"T","type":"object","additionalProperties":false,"required":["a"],"#
        + #""properties":{"a":\#(schema)}}"#
      try check(text, cases: cases)
    }
  }

  @Test("an enum with payloads in a JSON Schema gets a test case for each of its cases")
  func dialect() throws {
    let text = """
      {"title":"Mood","anyOf":[{"$ref":"#/$defs/DiscriminatedCalm"},{"$ref":"#/$defs/DiscriminatedWild"}],
       "$defs":{"DiscriminatedCalm":{"title":"DiscriminatedCalm","type":"object","properties":
       {"type":{"const":"calm"},"since":{"type":"string"}},"required":["type","since"],
       "additionalProperties":false,"x-order":["type","since"]},
       "DiscriminatedWild":{"title":"DiscriminatedWild","type":"object","properties":
       {"type":{"const":"wild"}},"required":["type"],"additionalProperties":false,"x-order":["type"]}}}
      """
    let schema = try GenerationSchema(json: JSONValue(parsing: text))
    let starter = StarterSuite(id: "mood", schema: schema, schemaFile: "schema.json")
    #expect(starter.cases.map(\.id) == ["calm", "wild"])
    #expect(starter.cases[0].content == ["type": "calm", "since": "A sample of since."])
  }

  @Test(
    "the sample for a pattern is the shortest text that matches it",
    arguments: [
      ("[A-Z]{2}-[0-9]+", "AA-0"), ("a|bcd", "a"), ("", ""), ("x{3}", "xxx"), ("é", "é"),
    ])
  func shortest(pattern: String, text: String) throws {
    #expect(SampleText.shortest(in: try Pattern(parsing: pattern).automaton) == text)
  }

  @Test(
    "a name becomes a lowercase id with hyphens",
    arguments: [
      ("DraftCardSet", "draft-card-set"), ("Cocktail Recipe", "cocktail-recipe"), ("äö", ""),
      ("  a__b ", "a-b"), ("HTTPServer2", "httpserver2"),
    ])
  func slugs(name: String, slug: String) {
    #expect(StarterSuite.slug(name) == slug)
  }
}
