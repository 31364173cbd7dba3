import GuidedGeneration
import StructuredText
import Testing
import Tokenization

@testable import ConstrainedDecoding

/// Uses an independent reader to check the grammars that Assay writes in GBNF.
@Suite("Grammars in GBNF")
struct NotationTests {
  private static func reader(
    _ schema: GenerationSchema, _ whitespace: WhitespaceMode
  ) throws -> NotationReader {
    let grammar = try Grammar(
      schema: schema,
      options: GrammarOptions(
        whitespace: whitespace, whitespaceBound: WhitespaceBound(blanks: 3, blanksPerLevel: 0)))
    return try NotationReader(GrammarNotation.text(of: grammar))
  }

  /// Returns the texts that differ from a text by one removed, doubled or replaced character.
  private static func neighbours(_ text: String) -> [String] {
    let characters = Array(text.unicodeScalars)
    return characters.indices.flatMap { index -> [String] in
      var (short, long, other) = (characters, characters, characters)
      short.remove(at: index)
      long.insert(characters[index], at: index)
      other[index] = characters[index] == "a" ? "b" : "a"
      return [short, long, other].map { String(String.UnicodeScalarView($0)) }
    }
  }

  @Test("a grammar in GBNF accepts exactly the values of a generated schema", arguments: 0..<60)
  func generated(seed: Int) throws {
    let (schema, texts, style) = GeneratedSchemaTests.schema(seed)
    if style == .pretty { return }
    let reader = try Self.reader(schema, style == .compact ? .compact : .singleSpace)
    let bytes = Set(texts.map { Array($0.utf8) })
    for text in texts {
      #expect(try reader.accepts(text), "\(text)")
      for other in Self.neighbours(text).prefix(60) {
        #expect(try reader.accepts(other) == bytes.contains(Array(other.utf8)), "\(other)")
      }
    }
  }

  static let schemas: [(schema: String, accepted: [String], refused: [String])] = [
    (
      #"{"type":"array","items":{"type":"boolean"},"minItems":1,"maxItems":2}"#,
      ["[true]", "[ true , false ]", "[\n  true,\n  false\n]", "[true\n,true]"],
      [
        "[]", "[true,]", "[true,true,true]", "[    true]", "[\n\ntrue]", "[\n   true]", " [true]",
        "[true] ", "[true\n\n,true]", "[true    ,true]",
      ]
    ),
    (
      #"{"type":"string","pattern":"^(ä|日+)[0-9]{2}$"}"#, [#""ä12""#, #""日日07""#],
      [#""日""#, #""å12""#, #""a12""#]
    ),
    (
      #"{"type":"string","minLength":1,"maxLength":3}"#,
      [#""a""#, #""日é😀""#, ##""\n\u001f""##, #""\"""#],
      [#""""#, #""abcd""#, "\"\n\"", "\"\u{7F}\"", #""\u0041""#]
    ),
    (
      #"{"type":"number","minimum":-1,"maximum":2.5}"#, ["-1", "2.5", "0.25"], ["2.6", "-2", "1e1"]
    ),
    (
      #"{"type":"array","prefixItems":[{"type":"null"},{"type":"boolean"}],"items":{"const":1}}"#,
      ["[]", "[null]", "[null,true,1,1]"], ["[true]", "[null,1]"]
    ),
    (
      #"{"type":"array","items":{"enum":["a","b"]},"uniqueItems":true}"#,
      ["[]", #"["b"]"#, #"["b","a"]"#], [#"["a","a"]"#]
    ),
    (
      ##"{"$defs":{"N":{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}},"##
        + ##""additionalProperties":false}},"$ref":"#/$defs/N"}"##,
      ["{}", #"{"n":{"n":{}}}"#], [#"{"n":1}"#, #"{"n":{"n":{}}"#]
    ),
  ]

  @Test(
    "a grammar in GBNF enforces layout, patterns, lengths, bounds and recursion",
    arguments: schemas)
  func features(schema: String, accepted: [String], refused: [String]) throws {
    let document = try GenerationSchema(json: JSONValue(parsing: schema))
    let reader = try Self.reader(document, .any)
    for text in accepted { #expect(try reader.accepts(text), "\(text)") }
    for text in refused { #expect(try !reader.accepts(text), "\(text)") }
  }

  @Test(
    "Assay writes no GBNF for additional properties, high bounds, indentation or too many rules")
  func obstacles() throws {
    func problem(_ schema: String, _ mode: WhitespaceMode) throws -> GrammarNotation.Obstacle? {
      do {
        _ = try Self.reader(GenerationSchema(json: JSONValue(parsing: schema)), mode)
        return nil
      } catch let obstacle as GrammarNotation.Obstacle {
        return obstacle
      }
    }
    #expect(try problem(#"{"type":"boolean"}"#, .pretty) == .layout(.pretty))
    #expect(
      try problem(#"{"type":"object","additionalProperties":{"type":"null"}}"#, .any)
        == .openObject)
    #expect(try problem(#"{"type":"string","maxLength":2000}"#, .any) == .count(2000))
    #expect(
      try problem(
        #"{"type":"array","prefixItems":[{"type":"string","pattern":"^[ab]{1,9990}$"},"#
          + #"{"type":"string","pattern":"^[ac]{1,9990}$"},"#
          + #"{"type":"string","pattern":"^[ad]{1,9990}$"}],"items":false}"#, .compact)
        == .rules(GrammarNotation.mostRules))
  }
}
