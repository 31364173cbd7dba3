import Foundation
import StructuredText
import Testing

@testable import AssayCommandLine

@Suite("assay schema")
struct SchemaCommandTests {
  static let deck = #"""
    {"title":"Deck","type":"object","properties":{"cards":{"type":"array","minItems":1,"maxItems":3,
     "items":{"$ref":"#/$defs/Card"}}},"required":["cards"],"additionalProperties":false,
     "$defs":{"Card":{"title":"Card","type":"object","properties":{
      "level":{"type":"string","enum":["easy","hard"]},"hint":{"type":"string","maxLength":80}},
      "required":["level"],"additionalProperties":false}}}
    """#

  private func run(_ schema: String, _ words: String...) async throws -> CommandLab.Ending {
    let lab = try CommandLab()
    let file = lab.path("schema.json")
    try Data(schema.utf8).write(to: URL(fileURLWithPath: file))
    return await lab.run(["schema", words[0], file] + words.dropFirst())
  }

  @Test("explain shows the grammar, the decisions with their paths, and the keywords")
  func explain() async throws {
    let ending = try await run(Self.deck, "explain")
    #expect(ending.status == .passed, "\(ending.notes)")
    for line in [
      #"Deck = { "cards": [ Card × 1…3 ] }"#,
      #"Card = { "level": "easy" | "hard", "hint"?: string of 0…80 characters }"#,
      "array     $.cards           another element or the end (elements so far: 1…2)",
      #"choice    $.cards[*].level  "easy" | "hard""#,
      "optional  $.cards[*].hint   present or absent",
      "enforced     $defs, $ref, additionalProperties, enum, items, maxItems, maxLength, minItems",
      "annotations  title", "refused      –",
    ] {
      #expect(ending.output.contains(line), "\(line)\n\(ending.output)")
    }
    let json = try JSONValue(
      parsing: try await run(Self.deck, "explain", "--format", "json").output)
    #expect(json["decisions"]?.array?.count == 3)
    #expect(json["grammar"]?.array?.first?["name"]?.string == "Deck")
  }

  @Test("explain shows tuples, but lists only the decisions that Assay records")
  func explainTuples() async throws {
    let ending = try await run(
      #"""
      {"title":"Row","type":"object","properties":{
       "pair":{"type":"array","prefixItems":[{"type":"integer"},{"enum":["a","b"]}],
        "items":{"type":"null"},"minItems":2,"maxItems":4},
       "bag":{"type":"object","properties":{"x":{"type":"null"}},"minProperties":1,
        "additionalProperties":{"type":"boolean"}}},
       "required":["pair","bag"],"additionalProperties":false}
      """#,
      "explain", "--format", "json")
    let json = try JSONValue(parsing: ending.output)
    let grammar = try #require(json["grammar"]?.array?.first?["rule"]?.string)
    #expect(
      grammar.contains(#""pair": [ integer, "a" | "b", then null × 0…2 ]"#), "\(grammar)")
    #expect(
      json["decisions"]?.array?.map { $0["path"]?.string } == ["$.pair[1]"], "\(ending.output)")
  }

  @Test("gbnf prints a grammar for llama-server, with the white space that --whitespace allows")
  func gbnf() async throws {
    let schema = #"{"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}"#
    let compact = try await run(schema, "gbnf", "--whitespace", "compact")
    #expect(compact.status == .passed)
    #expect(compact.output.hasPrefix("root ::= "), "\(compact.output)")
    #expect(compact.output.contains(#""{" "\"a\"" ":""#), "\(compact.output)")
    let any = try await run(schema, "gbnf")
    #expect(any.output.contains(#""{" ws "\"a\"" [ \t\r]{0,1} ":" [ \t\r]{0,1}"#), "\(any.output)")
    #expect(any.output != compact.output)
  }

  @Test("explain reports unsupported keywords with their places, and fails")
  func refused() async throws {
    let ending = try await run(
      #"""
      {"type":"object","properties":{"a":{"type":"array",
       "items":{"type":"array","items":{"type":"string"},"contains":{}},
       "contains":{}}}}
      """#,
      "explain")
    #expect(ending.status == .usage)
    #expect(ending.output.contains("#/properties/a/items: contains: a grammar can't"))
    #expect(ending.output.contains("#/properties/a: contains: a grammar can't"))
    #expect(ending.errors.count == 1)
  }

  @Test("--strict-keywords, --formats and --extra-keys change how Assay reads a schema")
  func reading() async throws {
    let newer = #"{"$schema":"http://json-schema.org/draft-04/schema#","const":"a"}"#
    let explained = try await run(newer, "explain")
    #expect(explained.output.contains("annotations  $schema, const"))
    let refused = try await run(newer, "json", "--strict-keywords")
    #expect(refused.status == .usage)
    #expect(refused.notes.contains("`const` is newer than draft 4, which `$schema` names"))
    let misspelt = #"{"type":"string","minLenght":2}"#
    #expect(try await run(misspelt, "json").status == .passed)
    let strict = try await run(misspelt, "json", "--strict-keywords")
    #expect(strict.status == .usage)
    #expect(strict.errors.first?.contains("allowed: minLength") == true, "\(strict.notes)")
    let date = try await run(#"{"type":"string","format":"date"}"#, "explain", "--formats")
    #expect(date.output.contains("string matching"), "\(date.output)")
    let open = try await run(
      #"{"type":"object","properties":{"a":{"type":"null"}}}"#, "json", "--extra-keys")
    #expect(open.output.contains(#""additionalProperties": {}"#), "\(open.output)")
  }

  @Test("mask lists the tokens that are allowed after a prefix")
  func mask() async throws {
    let ending = try await run(
      Self.deck, "mask", "--prefix", #"{"cards":["#, "--format", "json", "-m", Checkout.model,
      "--whitespace", "compact")
    #expect(ending.status == .passed, "\(ending.notes)")
    let json = try JSONValue(parsing: ending.output)
    let texts = json["tokens"]?.array?.compactMap { $0["text"]?.string } ?? []
    #expect(!texts.isEmpty && texts.allSatisfy { #"{"level":""#.hasPrefix($0) }, "\(texts)")
    #expect(json["forced"]?.string == #"{"level":""#)
    #expect(json["path"]?.string == "$.cards")
    #expect(json["isForced"] == .bool(true))
    let text = try await run(
      Self.deck, "mask", "--prefix", #"{"cards":[{"level":"easy""#, "-m", Checkout.model,
      "--whitespace", "compact")
    #expect(text.output.contains("at $.cards[0]"), "\(text.output)")
    #expect(text.output.contains("\"}\""))
  }

  @Test(
    "if no value begins with the prefix, mask says which byte is wrong and what is allowed",
    arguments: [
      (#"{"cards":{"#, "byte 9, at $.cards: { is not allowed here; allowed: ["),
      (#"{"cards":[]"#, "byte 10, at $.cards: ] is not allowed here; allowed: {"),
      (
        #"{"cards":[{"level":"soft"#,
        "byte 20, at $.cards[0].level: s is not allowed here; allowed: e, h"
      ),
    ])
  func checkMismatch(prefix: String, message: String) async throws {
    let ending = try await run(
      Self.deck, "mask", "--prefix", prefix, "-m", Checkout.model, "--whitespace", "compact")
    #expect(ending.status == .usage)
    #expect(ending.errors.first?.contains(message) == true, "\(ending.notes)")
  }
}
