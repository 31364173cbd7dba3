import GuidedGeneration
import Testing
import Tokenization

@testable import ConstrainedDecoding

/// Compares masks with an enumeration of all values.
///
/// A token must be legal after a prefix if and only if some value's text begins with the prefix and
/// continues with the token.
@Suite("Masks compared with an enumeration of values")
struct BruteForceTests {
  static let schemas: [String] = [
    wrapped(#"{"type":"boolean"}"#),
    wrapped(#"{"type":"string","enum":["cat","car","c","dog \"x\"","日本"]}"#),
    wrapped(#"{"type":"string","maxLength":2}"#),
    wrapped(#"{"type":"string","minLength":1,"maxLength":2}"#),
    wrapped(#"{"type":"integer","minimum":-12,"maximum":103}"#),
    wrapped(#"{"type":"integer","minimum":5,"maximum":48}"#),
    wrapped(#"{"type":"integer","minimum":-48,"maximum":-5}"#),
    wrapped(
      #"{"type":"array","items":{"type":"integer","minimum":1,"maximum":12},"maxItems":2}"#),
    wrapped(#"{"type":"array","items":{"type":"string","maxLength":1},"minItems":1,"maxItems":2}"#),
    wrapped(#"{"type":"array","items":{"type":"boolean"},"minItems":2,"maxItems":2}"#),
    wrapped(
      #"{"type":"array","maxItems":2,"items":{"type":"array","maxItems":2,"#
        + #""items":{"type":"null"}}}"#),
    wrapped(#"{"anyOf":[{"type":"string","maxLength":1},{"type":"null"},{"type":"boolean"}]}"#),
    wrapped(#"{"anyOf":[{"type":"string","maxLength":1},{"type":"string","enum":["a","ab"]}]}"#),
    #"""
    {"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"null"},
     "c":{"type":"string","enum":["x","y"]}},"required":[],"additionalProperties":false}
    """#,
    #"""
    {"type":"object","properties":{"a":{"type":"boolean"},"ab":{"type":"null"},
     "c":{"type":"string","enum":["x","y"]},"d":{"type":"null"}},"required":["c"],
     "additionalProperties":false}
    """#,
    #"""
    {"anyOf":[{"$ref":"#/$defs/Craving"},{"$ref":"#/$defs/Crate"}],"$defs":{
     "Craving":{"type":"object","properties":{"type":{"const":"craving"},
      "why":{"type":"string","maxLength":1}},"required":["type","why"],
      "additionalProperties":false},
     "Crate":{"type":"object","properties":{"type":{"const":"crate"},
      "n":{"type":"integer","minimum":0,"maximum":3}},"required":["type","n"],
      "additionalProperties":false}}}
    """#,
    #"{"type":"array","items":{"type":"object","properties":{},"required":[],"additionalProperties":false},"maxItems":2}"#,
  ]

  @Test(
    "a token is legal if and only if the text of some value continues with the token",
    arguments: schemas, [WhitespaceMode.compact, .singleSpace, .pretty])
  func masksAreExact(text: String, mode: WhitespaceMode) throws {
    let schema = try schema(text)
    let style: WhitespaceStyle =
      mode == .compact ? .compact : mode == .singleSpace ? .singleSpace : .pretty
    try checkMasks(
      of: schema, texts: ValueEnumeration(closedOver: schema, style).texts(style),
      options: GrammarOptions(whitespace: mode, dialect: JSONDialect(unicodeEscapes: .none)))
  }

  @Test("an absent property is written as null if its object represents nil explicitly")
  func explicitNil() throws {
    let schema = GenerationSchema(
      root: .object(
        ObjectSchema(
          properties: [
            PropertySchema(name: "a", node: .boolean(description: nil), isOptional: true),
            PropertySchema(name: "b", node: .boolean(description: nil)),
          ], representsNilExplicitly: true)), definitions: [])
    let texts = ValueEnumeration(schema: schema).texts()
    #expect(texts.contains(#"{"a":null,"b":true}"#))
    try checkMasks(of: schema, texts: texts, options: GrammarOptions())
  }

  @Test(
    "a pattern allows exactly the JSON strings whose contents it matches",
    arguments: [
      (#"^(a|ab)c?$"#, 0, nil, ["a", "ab", "ac", "abc"]),
      (#"a*b"#, 2, 3, ["ab", "aab"]),
      (#"[\\"/é]{1,2}"#, 0, 1, ["\\", "\"", "/", "é"]),
      ("a\\nb?", 0, nil, ["a\n", "a\nb"]),
    ] as [(String, Int, Int?, [String])])
  func patterns(pattern: String, minimum: Int, maximum: Int?, strings: [String]) throws {
    let schema = GenerationSchema(
      root: .string(
        StringSchema(pattern: pattern, minimumLength: minimum, maximumLength: maximum)),
      definitions: [])
    try checkMasks(
      of: schema, texts: Set(strings.map { WhitespaceStyle.quote($0) }), options: GrammarOptions())
  }

  /// Visits every prefix of a value's text that tokens can spell, and compares the mask after the
  /// prefix with the enumeration.
  func checkMasks(
    of schema: GenerationSchema, texts: Set<String>, options: GrammarOptions,
    over given: Vocabulary? = nil
  ) throws {
    let vocabulary =
      given ?? vocabulary(for: texts.sorted(), pieces: 60, seed: UInt64(texts.count))
    let automaton = try automaton(schema, vocabulary, options: options)
    let values = texts.map { Array($0.utf8) }
    let spellings = (0..<Int32(vocabulary.count)).map { Array(vocabulary.bytes(of: $0)) }
    let longest = spellings.map(\.count).max() ?? 1
    // Maps each prefix of a value to the texts that can follow, up to the longest token's length.
    var continuations: [[UInt8]: Set<[UInt8]>] = [:]
    for value in values {
      for start in 0...value.count {
        let reach = min(value.count, start + longest)
        for end in start...reach {
          continuations[Array(value[..<start]), default: []].insert(Array(value[start..<end]))
        }
      }
    }
    let complete = Set(values)
    var open: [([UInt8], Matcher)] = [([], Matcher(automaton))]
    var seen: [[UInt8]: TokenAutomaton.Configuration] = [[]: automaton.start]
    while let (prefix, matcher) = open.popLast() {
      let following = continuations[prefix] ?? []
      let expected = (1..<Int32(vocabulary.count)).filter {
        following.contains(spellings[Int($0)])
      }
      let mask = matcher.mask
      let legal = mask.tokens.filter { $0 != 0 }
      #expect(legal == expected, "after \(String(decoding: prefix, as: UTF8.self))")
      #expect(mask.contains(0) == complete.contains(prefix))
      #expect(matcher.isComplete == complete.contains(prefix))
      #expect(mask.count == legal.count + (mask.allowsEnd ? 1 : 0))
      guard legal == expected else { return }
      for token in legal {
        var next = matcher
        let isAccepted = next.accept(token)
        #expect(isAccepted)
        let text = prefix + spellings[Int(token)]
        if let known = seen[text] {
          #expect(known == next.configuration, "one text leads to two configurations")
        } else {
          seen[text] = next.configuration
          open.append((text, next))
        }
      }
    }
  }
}
