import StructuredText
import Testing

@testable import GuidedGeneration

@Suite("Patterns that a schema document may have")
struct PatternReaderTests {
  private static func read(
    _ members: JSONObject, dialect: SchemaDialect = .jsonSchema, compiles: Bool = false
  ) throws(SchemaReadError) -> GenerationSchema {
    var options = SchemaReadOptions(dialect: dialect)
    options.compilesPatterns = compiles
    return try GenerationSchema(json: .object(members), options: options)
  }

  @Test(
    "an unsupported pattern is refused as it is written, with the position in it",
    arguments: [
      ("a)|(?:b", "character 2: `)` has no"), ("a)(b", "character 2: `)` has no"),
      (")(", "character 1: `)` has no"), ("(", "character 1: the group is not closed"),
      (#"(a)\1"#, "character 4: back-references"), ("[a", "character 1: the class is not closed"),
      ("^a(?=b)bc$", "character 3: look-ahead"), ("(?<=a)b", "character 1: look-behind"),
      // Where a look-ahead can be separated, what is left is checked.
      ("^(?!x)a)|(?:b", "character 8: `)` has no"), ("^(?=a++)b", "character 6: possessive"),
      (#"^((?!(a)\1).)*$"#, "character 9: back-references"),
    ])
  func checkRefusal(pattern: String, words: String) {
    for dialect in SchemaDialect.allCases {
      let error = #expect(throws: SchemaReadError.self) {
        try Self.read(["type": "string", "pattern": .string(pattern)], dialect: dialect)
      }
      #expect(error?.path == "#/pattern")
      #expect(
        error?.words.hasPrefix("`pattern` can't be enforced: \"\(pattern)\": \(words)") == true,
        "\(error?.words ?? "")")
    }
  }

  @Test("the pattern of a key is refused at its place")
  func keys() {
    let rows: [(members: JSONObject, path: String)] = [
      (["patternProperties": ["a)|(b": true]], "#/patternProperties/a)|(b"),
      (["patternProperties": ["^(?!a)": true]], "#/patternProperties/^(?!a)"),
      (["propertyNames": ["pattern": "("]], "#/propertyNames/pattern"),
    ]
    for row in rows {
      var members = row.members
      members["type"] = "object"
      let error = #expect(throws: SchemaReadError.self) { try Self.read(members) }
      #expect(error?.path == row.path)
    }
  }

  @Test("a pattern that Assay supports, or that constrains no value, isn't refused")
  func sound() throws {
    let patterns = [
      "", "a|b", "^a|b$", "(^a|^b)", #"^(?=.*\d)(?!x)[a-z]+$"#, "(?i)a", #"[)(]\)"#, "^^a$$",
      "^((?!mode).)*$", "^(?!no$)",
    ]
    for pattern in patterns {
      let written: JSONObject = ["type": "string", "pattern": .string(pattern)]
      let schema = try Self.read(written, compiles: true)
      #expect(try GenerationSchema(json: schema.json, options: .judging()) == schema, "\(pattern)")
    }
    _ = try Self.read(["type": "integer", "pattern": "("])
    _ = try Self.read(["type": "string", "$defs": ["Unused": ["pattern": "("]]])
  }

  @Test("a pattern that ignores case keeps its meaning beside another pattern")
  func ignoredCase() throws {
    let schema = try Self.read([
      "type": "string", "pattern": "(?i)^ab", "allOf": [["pattern": "c"]],
    ])
    let again = try GenerationSchema(json: schema.json, options: .judging())
    for schema in [schema, again] {
      #expect(schema.mismatch(of: "ABc") == nil)
      #expect(schema.mismatch(of: "ABC") != nil)
      #expect(schema.mismatch(of: "ac") != nil)
    }
  }

  @Test("a pattern whose automaton is too large is refused if answers are judged by it")
  func tooLarge() throws {
    let members: JSONObject = ["type": "string", "pattern": "(a|b)*a(a|b){24}"]
    _ = try Self.read(members)
    let error = #expect(throws: SchemaReadError.self) { try Self.read(members, compiles: true) }
    #expect(error?.words.contains("too large") == true)
  }

  @Test("no value is valid that can't be compared with a pattern")
  func unusable() {
    let string = SchemaNode.string(StringSchema(pattern: "(?=a)"))
    var keys = ObjectSchema(properties: [])
    keys.extra = ExtraProperties(
      rules: [.init(pattern: "(?=a)", node: string)], others: .any(description: nil))
    let union = SchemaNode.union(
      UnionSchema(choices: [string, .number(NumberSchema()), .object(keys)]))
    let schema = GenerationSchema(root: union, definitions: [])
    #expect(schema.mismatch(of: "a")?.reason == .unusablePattern("(?=a)"))
    #expect(schema.mismatch(of: ["k": 1])?.reason == .unusablePattern("(?=a)"))
    #expect(schema.mismatch(of: 1) == nil)
    #expect(schema.mismatch(of: [:]) == nil)
  }
}
