import GuidedGeneration
import TestSupport
import Testing
import Tokenization

@testable import ConstrainedDecoding

/// Compares masks with an enumeration of values, for layouts whose white space the model chooses.
@Suite("White space that the model chooses")
struct AnyWhitespaceTests {
  static let bounds: [WhitespaceBound?] = [
    nil, WhitespaceBound(), WhitespaceBound(blanks: 1, blanksPerLevel: 1, indentedLevels: 1),
    WhitespaceBound(lineEnds: 0, blanks: 1, blanksPerLevel: 0),
    WhitespaceBound(lineEnds: 2, blanks: 0, blanksPerLevel: 0),
  ]

  @Test(
    "masks are exact for hand-written schemas, whether or not white space has a bound",
    arguments: BruteForceTests.schemas, bounds)
  func given(text: String, bound: WhitespaceBound?) throws {
    let schema = try schema(text)
    var values = ValueEnumeration(closedOver: schema, .compact)
    // A space is also legal inside strings.
    values.alphabet.append(" ")
    let texts = values.texts()
    try check(schema, texts, bound, seed: UInt64(texts.count))
  }

  @Test("masks are exact for generated schemas", arguments: 0..<60)
  func generated(seed: Int) throws {
    let (schema, _, _) = GeneratedSchemaTests.schema(3000 + seed)
    let texts = ValueEnumeration(schema: schema).texts()
    try check(schema, texts, Self.bounds[seed % Self.bounds.count], seed: UInt64(seed))
  }

  /// Takes random token sequences, and at each step compares the mask with the tokens that the
  /// reference accepts.
  private func check(
    _ schema: GenerationSchema, _ texts: Set<String>, _ bound: WhitespaceBound?, seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let reference = SpacedReference(texts.sorted(), bound: bound)
    let vocabulary = vocabulary(
      for: reference.samples(40, &random) + ["\n\n\n", "   ", "\n  \n  "], pieces: 120, seed: seed)
    let spellings = (0..<TokenID(vocabulary.count)).map { Array(vocabulary.bytes(of: $0)) }
    let options = GrammarOptions(
      whitespace: bound == nil ? .flexible : .any, whitespaceBound: bound ?? WhitespaceBound(),
      dialect: JSONDialect(unicodeEscapes: .none))
    let automaton = try automaton(schema, vocabulary, options: options)
    for _ in 0..<12 {
      var matcher = Matcher(automaton)
      var place = reference.start
      for _ in 0..<40 {
        let expected = (1..<TokenID(vocabulary.count)).filter {
          reference.place(place, after: spellings[Int($0)]) != nil
        }
        let legal = matcher.mask.tokens.filter { $0 != 0 }
        #expect(legal == expected)
        #expect(matcher.isComplete == reference.isComplete(place))
        guard legal == expected, let token = legal.randomElement(using: &random),
          let next = reference.place(place, after: spellings[Int(token)]), matcher.accept(token)
        else { break }
        place = next
      }
    }
  }

  /// Tokens that are accepted after `{`, and the tokens that are legal then.
  ///
  /// The bound is one line feed, and 6 blanks at depth 1.
  static let runs: [(accepted: [TokenID], legal: [TokenID])] = [
    ([], [2, 6, 7, 8, 9]), ([6, 8, 9, 6, 6, 6], [2, 7]), ([6, 6, 6, 7], [2, 6, 8, 9]),
    ([7, 6, 6, 6, 6, 6, 6], [2]), ([2], [3, 6, 8, 9]), ([2, 6], [3]), ([2, 3], [4, 6, 8, 9]),
    ([2, 3, 6], [4]), ([2, 3, 4], [5, 6, 7, 8, 9]), ([2, 3, 4, 7, 6, 6, 6, 6, 6, 6], [5]),
  ]

  @Test(
    "the mask allows no white space beyond the bound, and the value can still continue",
    arguments: runs)
  func checkRun(_ run: (accepted: [TokenID], legal: [TokenID])) throws {
    let schema = try schema(wrapped(#"{"type":"boolean"}"#))
    let vocabulary = vocabulary(["{", "\"v\"", ":", "true", "}", " ", "\n", "\t", "\r", "\n\n"])
    let automaton = try automaton(
      schema, vocabulary, options: GrammarOptions(whitespace: .any))
    var matcher = Matcher(automaton)
    #expect(matcher.mask.tokens == [1], "no white space is allowed before the value")
    for token in [1] + run.accepted {
      let isAccepted = matcher.accept(token)
      #expect(isAccepted)
    }
    #expect(matcher.mask.tokens == run.legal)
    if run.legal == [5] {
      let isAccepted = matcher.accept(5)
      #expect(isAccepted && matcher.isFinished, "no white space is allowed after the value")
    }
  }

  /// A type that contains itself, and two types that contain each other.
  static let recursive = [
    #"""
    {"$ref":"#/$defs/a","$defs":{"a":{"type":"object","additionalProperties":false,
     "required":["name","kids"],"properties":{"name":{"type":"string"},
     "kids":{"type":"array","items":{"$ref":"#/$defs/a"}}}}}}
    """#,
    #"""
    {"$ref":"#/$defs/a","$defs":{"a":{"type":"object","additionalProperties":false,
     "required":["name","kids"],"properties":{"name":{"type":"string"},
     "kids":{"type":"array","items":{"$ref":"#/$defs/b"}}}},
     "b":{"type":"object","additionalProperties":false,
     "required":["name","kids"],"properties":{"name":{"type":"string"},
     "kids":{"type":"array","items":{"$ref":"#/$defs/a"}}}}}}
    """#,
  ]

  /// The tokens of texts with recursive types; white space comes first.
  static let spellings = [
    "\n", "\t", " ", "{\"name\"", ":", "\"\"", ",", "\"kids\"", "[", "]", "}",
  ]

  /// Texts, as tokens, and what may follow them; `…` stands for an object up to its array's
  /// bracket.
  static let innerRuns: [(text: String, legal: String)] = [
    // The elements of the fourth object's array have depth 8, the members of the fifth 9.
    ("… … …", "\n \t ␣ {\"name\" ]"),
    ("… … … {\"name\" : \"\"", "\n \t ␣ ,"),
    ("… … … …", "\n \t ␣ {\"name\" ]"),
    ("… … … … \n", "\t ␣ {\"name\" ]"),
    ("… … … … {\"name\"", "\t ␣ :"),
    ("… … … … {\"name\" :", "\t ␣ \"\" \"kids\""),
    ("… … … … {\"name\" : \"\"", "\n \t ␣ ,"),
    ("… … … … {\"name\" : \"\" ,", "\n \t ␣ \"kids\""),
    ("… … … … …", "\n \t ␣ {\"name\" ]"),
    ("… … … … … \n", "\t ␣ {\"name\" ]"),
    ("… … … … … ]", "\n \t ␣ }"),
    ("… … … … … ] } ,", "\n \t ␣ {\"name\""),
  ]

  @Test("the values of a recursive type can be laid out like all others", arguments: innerRuns)
  func checkInner(_ run: (text: String, legal: String)) throws {
    let object = ["{\"name\"", ":", "\"\"", ",", "\"kids\"", ":", "["]
    for text in Self.recursive {
      let parts = run.text.split(separator: " ").map(String.init)
      let tokens = parts.flatMap { $0 == "…" ? object : [$0] }
      let vocabulary = vocabulary(Self.spellings)
      let automaton = try automaton(
        try schema(text), vocabulary, options: GrammarOptions(whitespace: .any))
      var matcher = Matcher(automaton)
      func name(_ token: TokenID) -> String {
        Self.spellings[Int(token) - 1] == " " ? "␣" : Self.spellings[Int(token) - 1]
      }
      for token in tokens {
        let number = matcher.mask.tokens.first { $0 > 0 && name($0) == token }
        let isAccepted = matcher.accept(try #require(number, "\(token) is legal"))
        #expect(isAccepted)
      }
      let legal = matcher.mask.tokens.filter { $0 > 0 }.map(name)
      #expect(legal == run.legal.split(separator: " ").map(String.init), "\(tokens)")
    }
  }

  @Test(
    "however deeply a value nests, a run has at most one line feed and 34 blanks",
    arguments: recursive)
  func nesting(text: String) throws {
    let vocabulary = vocabulary(Self.spellings)
    let automaton = try automaton(
      try schema(text), vocabulary, options: GrammarOptions(whitespace: .any))
    var matcher = Matcher(automaton)
    var bytes: [UInt8] = []
    for _ in 0..<4000 {
      // White space comes first, and containers are never closed.
      let token = try #require(matcher.mask.tokens.filter { $0 > 0 }.min())
      bytes += vocabulary.bytes(of: token)
      let isAccepted = matcher.accept(token)
      #expect(isAccepted)
    }
    #expect(!bytes.contains(UInt8(ascii: "]")))
    let runs = bytes.split { !ByteSet.whitespace.contains($0) }
    #expect(runs.map(\.count).max() == 35)
    #expect(runs.map { $0.count { $0 == UInt8(ascii: "\n") } }.max() == 1)
  }
}
