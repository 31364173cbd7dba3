import GuidedGeneration
import StructuredText
import TestSupport
import Testing
import Tokenization

@testable import ConstrainedDecoding

/// Checks that sampled values parse as JSON, satisfy an independent validator, and are accepted
/// again in any segmentation.
@Suite("Random walks")
struct RandomWalkTests {
  static let person = #"""
    {"$ref":"#/$defs/Person","$defs":{"Person":{"type":"object","properties":{
     "name":{"type":"string"},"role":{"type":"string","enum":["ic","manager"]},
     "score":{"type":"number","minimum":-2.5,"maximum":10.25},
     "age":{"type":"integer","minimum":-3,"maximum":120},
     "nick":{"type":"string","minLength":2,"maxLength":5},
     "code":{"type":"string","pattern":"[A-Z]{2}-[0-9]+"},
     "reports":{"type":"array","items":{"$ref":"#/$defs/Person"},"maxItems":2},
     "extra":{"anyOf":[{"type":"null"},{"type":"number"},
      {"type":"array","items":{"type":"boolean"},"minItems":1,"maxItems":3}]}},
     "required":["name","age","reports"],"additionalProperties":false}}}
    """#

  @Test(
    "each value parses and fits the schema in every white-space mode",
    arguments: WhitespaceMode.allCases)
  func walks(mode: WhitespaceMode) throws {
    let schema = try schema(Self.person)
    let vocabulary = Self.vocabulary
    let automaton = try automaton(
      schema, vocabulary, options: GrammarOptions(whitespace: mode))
    var finished = 0
    for seed in 0..<60 {
      var random = SeededGenerator(seed: UInt64(seed))
      var matcher = Matcher(automaton)
      var bytes: [UInt8] = []
      while bytes.count < 1500, !matcher.isFinished {
        let legal = matcher.mask.tokens.filter { $0 != 0 }
        #expect(!legal.isEmpty, "no token is legal after \(String(decoding: bytes, as: UTF8.self))")
        guard !legal.isEmpty else { return }
        // Prefer closing tokens, so that walks come to an end.
        let closing = legal.filter { Self.closes(vocabulary.bytes(of: $0)) }
        let pool = !closing.isEmpty && Int.random(in: 0..<3, using: &random) > 0 ? closing : legal
        let token = pool[Int.random(in: 0..<pool.count, using: &random)]
        let isAccepted = matcher.accept(token)
        #expect(isAccepted)
        bytes += vocabulary.bytes(of: token)
      }
      guard matcher.isFinished else { continue }
      finished += 1
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(Array(text.utf8) == bytes, "ill-formed UTF-8")
      let value = try JSONValue(parsing: text)
      #expect(SchemaValidator(schema: schema).accepts(value), "\(text)")
      try checkSegmentations(bytes, automaton, &random)
    }
    #expect(finished > 30)
  }

  /// Checks that other tokens with the same bytes are legal and finish the value.
  ///
  /// Accepting a token byte by byte must lead to the same configuration.
  private func checkSegmentations(
    _ bytes: [UInt8], _ automaton: TokenAutomaton, _ random: inout SeededGenerator
  ) throws {
    let vocabulary = automaton.table.vocabulary
    for _ in 0..<3 {
      var matcher = Matcher(automaton)
      var rest = bytes[...]
      while !rest.isEmpty {
        let fitting = (1..<Int32(vocabulary.count)).filter {
          rest.starts(with: vocabulary.bytes(of: $0))
        }
        let token = try #require(fitting.randomElement(using: &random))
        #expect(matcher.mask.contains(token))
        let snapshot = matcher
        let isAccepted = matcher.accept(token)
        #expect(isAccepted)
        var replayed = snapshot
        let isReplayed = replayed.accept(bytes: vocabulary.bytes(of: token))
        #expect(isReplayed && replayed.configuration == matcher.configuration)
        rest = rest.dropFirst(vocabulary.bytes(of: token).count)
      }
      #expect(matcher.isFinished)
    }
  }

  @Test("a wider bound never removes a token from a mask")
  func widening() throws {
    let vocabulary = Self.vocabulary
    func tokens(_ maximum: Int, after text: String) throws -> Set<TokenID> {
      let schema = try schema(
        #"{"type":"array","maxItems":\#(maximum),"items":{"type":"integer","minimum":0,"#
          + #""maximum":\#(maximum * 10)}}"#)
      var matcher = Matcher(try automaton(schema, vocabulary))
      let isAccepted = matcher.accept(bytes: text.utf8)
      return isAccepted ? Set(matcher.mask.tokens) : []
    }
    for text in ["", "[", "[1", "[1,", "[1,2", "[0"] {
      var last: Set<TokenID> = []
      for maximum in 1...5 {
        let next = try tokens(maximum, after: text)
        #expect(last.isSubset(of: next), "after \(text)")
        last = next
      }
    }
  }

  @Test("a schema without constraints accepts any value, up to the depth limit")
  func anything() throws {
    let schema = GenerationSchema(root: .any(description: nil), definitions: [])
    let automaton = try automaton(schema, Self.vocabulary)
    for text in [
      #"{"a":[1,-2.5e3,{"b":null}],"c":"é\n"}"#, "[]", "{}", "true", #""x""#, "[[[[]]]]", "0",
    ] {
      var matcher = Matcher(automaton)
      let isAccepted = matcher.accept(bytes: text.utf8)
      #expect(isAccepted && matcher.isComplete, "\(text)")
    }
    for text in ["{,", "[1,]", "01", #"{"a"}"#, "nul,", String(repeating: "[", count: 18)] {
      var matcher = Matcher(automaton)
      let isAccepted = matcher.accept(bytes: text.utf8)
      #expect(!isAccepted, "\(text)")
    }
  }

  private static func closes(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let last = bytes.last else { return false }
    return [UInt8(ascii: "\""), UInt8(ascii: "]"), UInt8(ascii: "}")].contains(last)
  }

  /// All bytes, and longer tokens that cut across JSON's structure and across characters.
  static let vocabulary: Vocabulary = {
    var tokens = (UInt8.min...UInt8.max).map { [$0] }
    let merged = [
      "\"name\":", "\",\"", "\"}", "\"}]", "},{", "[]", "[]}", ":\"", "true", "null", "é", "日本",
      "ab", "AB-", "12", ".5", "e+", "\\n", "\\u00", ",\n", "  ", "\": \"",
    ]
    tokens += merged.map { Array($0.utf8) }
    tokens += [[0xE6, 0x97], [0xA5, 0xE6], [0xC3], [0xF0, 0x9F, 0x98], [0x80, 0x22]]
    return Vocabulary(
      tokens: [[]] + tokens, kinds: [.special] + tokens.map { _ in .text }, endTokens: [0])
  }()
}

/// A validator for the schemas of these tests.
struct SchemaValidator {
  let schema: GenerationSchema

  func accepts(_ value: JSONValue) -> Bool { accepts(value, schema.root) }

  private func accepts(_ value: JSONValue, _ node: SchemaNode) -> Bool {
    switch (node, value) {
    case (.reference(let name, _), _):
      return schema.definitions.first { $0.name == name }.map { accepts(value, $0.node) } ?? false
    case (.union(let it), _): return it.choices.contains { accepts(value, $0) }
    case (.null, .null), (.boolean, .bool): return true
    case (.integer(let it), .number(let number)):
      guard let int = Int(number.text) else { return false }
      return int >= it.minimum ?? .min && int <= it.maximum ?? .max
    case (.number(let it), .number(let number)):
      let double = number.double
      return double >= it.minimum?.double ?? -.infinity
        && double <= it.maximum?.double ?? .infinity
    case (.string(let it), .string(let text)):
      if let choices = it.choices { return choices.contains(text) }
      let count = text.unicodeScalars.count
      if count < it.minimumLength ?? 0 || count > it.maximumLength ?? .max { return false }
      return it.pattern == nil || text.wholeMatch(of: #/[A-Z]{2}-[0-9]+/#) != nil
    case (.array(let it), .array(let elements)):
      return elements.count >= it.minimumCount ?? 0 && elements.count <= it.maximumCount ?? .max
        && elements.allSatisfy { accepts($0, it.element) }
    case (.object(let it), .object(let object)):
      let known = it.properties.map(\.name)
      let present = known.filter { object[$0] != nil }
      // The members are in declared order, there are no others, and all required ones are present.
      return object.keys == present
        && it.properties.allSatisfy { property in
          object[property.name].map { accepts($0, property.node) } ?? property.isOptional
        }
    default: return false
    }
  }
}
