import GuidedGeneration
import StructuredText
import TestSupport
import Testing
import Tokenization

@testable import ConstrainedDecoding

/// An object whose texts can be listed: every member has the value `true`.
struct KeyedObject: Sendable, CustomStringConvertible {
  /// The schema's keywords in addition to `type`.
  var keywords: String
  /// The declared keys in order.
  var declared: [(name: String, isOptional: Bool)] = []
  /// The spellings of each unnamed key, without quotes.
  var unnamed: [[String]]
  var minimum = 0
  var maximum = Int.max

  var schema: String {
    #"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",\#(keywords)}"#
  }

  var description: String { keywords }

  /// All texts of the object without white space.
  func texts() -> Set<String> {
    var texts: Set<String> = []
    func add(_ members: [String], _ left: [[String]]) {
      if members.count >= minimum {
        texts.insert("{" + members.map { "\"\($0)\":true" }.joined(separator: ",") + "}")
      }
      if members.count >= maximum { return }
      for index in left.indices {
        var rest = left
        for spelling in rest.remove(at: index) { add(members + [spelling], rest) }
      }
    }
    func addDeclared(_ members: [String], from index: Int) {
      if index == declared.count {
        if members.count <= maximum { add(members, unnamed) }
        return
      }
      addDeclared(members + [declared[index].name], from: index + 1)
      if declared[index].isOptional { addDeclared(members, from: index + 1) }
    }
    addDeclared([], from: 0)
    return texts
  }
}

@Suite("Keys that an object already has")
struct UsedKeyTests {
  static let objects: [KeyedObject] = [
    KeyedObject(
      keywords: #"""
        "patternProperties":{"^[ab]$":{"const":true}},"additionalProperties":false,
        "minProperties":2
        """#, unnamed: [["a"], ["b"]], minimum: 2),
    KeyedObject(
      keywords: #"""
        "patternProperties":{"^(red|reed|re)$":{"const":true}},"additionalProperties":false
        """#, unnamed: [["red"], ["reed"], ["re"]]),
    KeyedObject(
      keywords: #"""
        "patternProperties":{"^q[1-4]$":{"const":true}},"additionalProperties":false,
        "minProperties":2,"maxProperties":3
        """#, unnamed: [["q1"], ["q2"], ["q3"], ["q4"]], minimum: 2, maximum: 3),
    KeyedObject(
      keywords: #"""
        "propertyNames":{"pattern":"^[AB]{1,2}$"},"additionalProperties":{"const":true},
        "minProperties":2,"maxProperties":3
        """#, unnamed: [["A"], ["B"], ["AA"], ["AB"], ["BA"], ["BB"]], minimum: 2, maximum: 3),
    KeyedObject(
      keywords: #"""
        "patternProperties":{"^[ab]$":{"const":true},"^cd?$":{"const":true}},
        "additionalProperties":false,"minProperties":3
        """#, unnamed: [["a"], ["b"], ["c"], ["cd"]], minimum: 3),
    // A declared key is not an unnamed key too, and optional members may be left out only if enough
    // keys are left.
    KeyedObject(
      keywords: #"""
        "properties":{"x":{"const":true},"y":{"const":true},"s":{"const":true}},"required":["y"],
        "propertyNames":{"pattern":"^(x|y|s|st)$"},"additionalProperties":{"const":true},
        "minProperties":3
        """#, declared: [("x", true), ("y", false), ("s", true)], unnamed: [["st"]], minimum: 3),
    // One key in two spellings.
    KeyedObject(
      keywords: #"""
        "patternProperties":{"^[\u001e\u001f\"]$":{"const":true}},"additionalProperties":false,
        "minProperties":3
        """#, unnamed: [[#"\u001e"#, #"\u001E"#], [#"\u001f"#, #"\u001F"#], [#"\""#]], minimum: 3),
  ]

  @Test(
    "the mask allows a token if and only if the object can still be completed", arguments: objects)
  func checkMasks(of object: KeyedObject) throws {
    let texts = object.texts().sorted()
    var random = SeededGenerator(seed: UInt64(texts.count))
    let vocabulary = vocabulary(for: texts, pieces: 60, seed: UInt64(texts.count))
    let spellings = (0..<TokenID(vocabulary.count)).map { Array(vocabulary.bytes(of: $0)) }
    let automaton = try automaton(schema(object.schema), vocabulary)
    let values = texts.map { Array($0.utf8) }
    for _ in 0..<25 {
      var matcher = Matcher(automaton)
      var candidates = values[...]
      var length = 0
      while !matcher.isFinished {
        let expected = (1..<TokenID(vocabulary.count)).filter { token in
          candidates.contains { $0.dropFirst(length).starts(with: spellings[Int(token)]) }
        }
        let legal = matcher.mask.tokens.filter { $0 != 0 }
        #expect(legal == expected)
        #expect(matcher.isComplete == candidates.contains { $0.count == length })
        guard legal == expected, let token = legal.randomElement(using: &random),
          matcher.accept(token)
        else { break }
        let bytes = spellings[Int(token)]
        candidates = candidates.filter { $0.dropFirst(length).starts(with: bytes) }[...]
        length += bytes.count
      }
    }
  }

  static let counts: [(names: String, count: Int?)] = [
    (#"{"pattern":"^[ab]$"}"#, 2), (#"{"pattern":"^(red|reed)?$"}"#, 3),
    (#"{"pattern":"^[A-Z]{2}$"}"#, 676), (#"{"pattern":"^a*$"}"#, nil),
    (#"{"pattern":"^a*$","maxLength":3}"#, 4), (#"{"maxLength":1}"#, nil),
    (#"{"pattern":"^[\u0001\u001f\n\"\\\\/]$"}"#, 6), (#"{"pattern":"^[é日]$"}"#, 2),
    (#"{"enum":["a","b"]}"#, 2), (#"{"pattern":"^a","enum":["a","b"]}"#, 1),
    (#"{"pattern":"^[a-d]$","not":{"const":"b"}}"#, 3),
  ]

  @Test(
    "a lower bound on the number of members is refused if there are too few keys",
    arguments: counts)
  func checkBounds(_ row: (names: String, count: Int?)) throws {
    func error(_ minimum: Int) throws -> String? {
      let schema = try schema(
        #"""
        {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
         "propertyNames":\#(row.names),"minProperties":\#(minimum),
         "additionalProperties":{"type":"null"}}
        """#)
      do throws(GrammarError) { _ = try Grammar(schema: schema) } catch { return "\(error)" }
      return nil
    }
    #expect(try error(row.count ?? 4000) == nil)
    guard let count = row.count else { return }
    let keys = count == 1 ? "1 key is" : "\(count) keys are"
    #expect(
      try error(count + 1) == "$: minProperties is \(count + 1), but only \(keys) possible")
  }

  @Test("a token that contains the same key twice is never legal")
  func wholeTokens() throws {
    let twice = [#"{"x":1,"x"#, #"{"x":1,"x":"#, #"x":1,"x""#, #""x":1,"x":"#]
    let automaton = try automaton(
      schema(#"{"type":"object","additionalProperties":{"type":"integer"}}"#),
      vocabulary(twice + ["{", "\"", "x"]))
    for (text, legal) in [("", [1, 5]), ("{", [6]), ("{\"", [5, 6, 7])] as [(String, [TokenID])] {
      var matcher = Matcher(automaton)
      let isAccepted = matcher.accept(bytes: text.utf8)
      #expect(isAccepted && matcher.mask.tokens == legal, "\(text) \(matcher.mask.tokens)")
    }
  }

  @Test("the endings of a beginning are those of the engine")
  func inquiry() throws {
    let vocabulary = vocabulary(["{", "}", "\"", "x", "y", ":", ",", "1", "x\"", "\":"])
    let open = try automaton(
      schema(#"{"type":"object","additionalProperties":{"type":"integer"}}"#), vocabulary)
    let inside = try PrefixInquiry(after: #"{"x":1,"x"#.utf8, in: open)
    #expect(inside.mask.tokens == [1, 2, 4, 5, 6, 7, 8, 9])
    let error = #expect(throws: PrefixInquiry.Mismatch.self) {
      try PrefixInquiry(after: #"{"x":1,"x":2}"#.utf8, in: open)
    }
    #expect(error?.offset == 9)
    let closed = try automaton(
      schema(
        #"""
        {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
         "patternProperties":{"^(x|xy)$":{"type":"integer"}},"additionalProperties":false}
        """#), vocabulary)
    let last = try PrefixInquiry(after: #"{"x":1,"#.utf8, in: closed)
    #expect(String(decoding: last.forced, as: UTF8.self) == #""xy":"#)
    let used = try PrefixInquiry(after: #"{"x":1,"xy":1"#.utf8, in: closed)
    #expect(!used.mask.tokens.contains(7))
  }

  @Test(
    "no walk through objects with patterns for keys reaches a place without a legal token",
    arguments: 0..<24)
  func walks(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let patterns = ["^[ab]$", "^(a|ab|abc)$", "^a*$", "^[abc]{2}$", "b$", "^a[bc]?$", "c"]
    func pattern() -> String { patterns.randomElement(using: &random) ?? "" }
    func schemaText(_ depth: Int) -> String {
      let value = depth > 1 ? #"{"const":true}"# : schemaText(depth + 1)
      var parts = [#""type":"object","minProperties":\#(Int.random(in: 0..<3, using: &random))"#]
      if Bool.random(using: &random) {
        parts.append(#""properties":{"a":{"const":true},"ab":{"type":"null"}}"#)
      }
      if Bool.random(using: &random) {
        parts.append(#""patternProperties":{"\#(pattern())":\#(value)}"#)
        parts.append(#""additionalProperties":false"#)
      } else {
        parts.append(#""propertyNames":{"pattern":"\#(pattern())"}"#)
        parts.append(#""additionalProperties":\#(value)"#)
      }
      return "{" + parts.joined(separator: ",") + "}"
    }
    let text = schemaText(0)
    var options = GrammarOptions(whitespace: seed % 2 == 0 ? .compact : .any)
    options.whitespaceBound = WhitespaceBound(blanks: 1)
    guard
      let schema = try? schema(
        #"{"$schema":"https://json-schema.org/draft/2020-12/schema","#
          + text.dropFirst()),
      let automaton = try? automaton(schema, RandomWalkTests.vocabulary, options: options)
    else { return }
    for _ in 0..<20 {
      var matcher = Matcher(automaton)
      var bytes: [UInt8] = []
      while bytes.count < 300, !matcher.isFinished {
        let legal = matcher.mask.tokens.filter { $0 != 0 }
        guard let token = legal.randomElement(using: &random) else {
          #expect(matcher.isComplete, "\(text)\n\(String(decoding: bytes, as: UTF8.self))")
          break
        }
        let isAccepted = matcher.accept(token)
        #expect(isAccepted)
        bytes += RandomWalkTests.vocabulary.bytes(of: token)
      }
    }
  }
}
