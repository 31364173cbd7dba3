import GuidedGeneration
import StructuredText
import TestSupport
import Testing
import Tokenization

@testable import ConstrainedDecoding

@Suite("Limits on an automaton's memory")
struct AutomatonLimitTests {
  private static func options(_ change: (inout GrammarLimits) -> Void) -> GrammarOptions {
    var options = GrammarOptions()
    change(&options.limits)
    return options
  }

  /// Single letters and digits, the punctuation of JSON, and all pairs of letters.
  private static let letters: Vocabulary = {
    let alphabet = "abcdefghijklmnopqrstuvwxyz".map { String($0) }
    let pairs = alphabet.flatMap { first in alphabet.map { first + $0 } }
    return vocabulary(alphabet + pairs + "\"{}[]:,0123456789".map { String($0) })
  }()

  private func session(_ automaton: TokenAutomaton) -> DecodingSession {
    DecodingSession(
      automaton: automaton, settings: SamplingSettings(temperature: 1), seed: 7, repeat: 0)
  }

  /// Decodes with logits that make single letters unlikely, and returns the error that ends
  /// decoding, if any.
  private func error(of automaton: TokenAutomaton, steps: Int = 200) -> DecodingError? {
    var session = session(automaton)
    let count = automaton.table.tokenCount
    var random = SeededGenerator(seed: 3)
    for _ in 0..<steps where !session.isFinished {
      let logits = (0..<count).map { Float($0 < 30 ? 0 : Int.random(in: 1...4, using: &random)) }
      do throws(DecodingError) {
        _ = try logits.withUnsafeBufferPointer { logits throws(DecodingError) in
          try session.next(logits: logits)
        }
      } catch {
        return error
      }
    }
    return nil
  }

  /// A union of 20 unions with 20 alternatives each, so that an answer can begin in 400 ways.
  private static let manyBranches: String = {
    let inner = (0..<20).map { outer in
      let options = (0..<20).map { wrapped(#"{"const":"\#(outer)x\#($0)"}"#) }
      return #"{"anyOf":[\#(options.joined(separator: ","))]}"#
    }
    return #"{"anyOf":[\#(inner.joined(separator: ","))]}"#
  }()

  @Test(
    "if an answer can continue in too many ways, it ends with an error that names the limit",
    arguments: [manyBranches, wrapped(manyBranches)])
  func threads(text: String) throws {
    let schema = try schema(text)
    let few = try automaton(schema, Self.letters, options: Self.options { $0.threads = 399 })
    guard case .limit(.threads(399), _)? = error(of: few) else {
      Issue.record("decoding ended with \(String(describing: error(of: few)))")
      return
    }
    let enough = try automaton(schema, Self.letters, options: Self.options { $0.threads = 400 })
    #expect(error(of: enough) == nil)
    #expect(enough.exceeded == nil)
  }

  /// A union of patterns that needs a large automaton, although each pattern needs a small one.
  ///
  /// The automaton of the union must remember the last ten letters.
  private static let tellingApart: String = {
    let patterns = "abcdefgh".map { #"{"type":"string","pattern":"[a-z]*\#($0)[a-z]{9}"}"# }
    return #"{"anyOf":[\#(patterns.joined(separator: ","))]}"#
  }()

  @Test("an answer ends when its automaton exceeds the memory limit, and earlier masks stay valid")
  func bytes() throws {
    let schema = try schema(Self.tellingApart)
    let limit = 2 << 20
    let small = try automaton(
      schema, Self.letters, options: Self.options { $0.automatonBytes = limit })
    let large = try automaton(schema, Self.letters)
    let before = Matcher(small).mask
    guard case .limit(.bytes(limit), _)? = error(of: small) else {
      Issue.record("decoding ended with \(String(describing: error(of: small)))")
      return
    }
    // The automaton may exceed the limit by one block of rows and one configuration.
    #expect(small.byteCount < limit * 5 / 4 + (64 << 10))
    #expect(before.tokens == Matcher(large).mask.tokens)
    #expect(error(of: small, steps: 1) == .limit(.bytes(limit), path: "$"))
    let fresh = small.unused()
    #expect(fresh.exceeded == nil)
    #expect(Matcher(fresh).mask.tokens == before.tokens)
  }

  @Test("an automaton that clears its masks computes the same masks again")
  func forgets() throws {
    let text = wrapped(#"{"type":"array","items":{"enum":["alpha","beta"]},"minItems":1}"#)
    let used = try automaton(schema(text), Self.letters)
    let fresh = try automaton(schema(text), Self.letters)
    for prefix in [#"{"v":["#, #"{"v":["al"#, #"{"v":["alpha""#, #"{"v":["alpha"]"#] {
      var places = [Matcher(used), Matcher(fresh)]
      for index in places.indices {
        let isAccepted = places[index].accept(bytes: prefix.utf8)
        #expect(isAccepted)
      }
      let known = places[0].mask
      used.remember(bytes: GrammarLimits().automatonBytes)
      let again = places[0].mask
      #expect(known !== again)
      #expect(known.tokens == again.tokens && again.tokens == places[1].mask.tokens)
    }
  }

  // MARK: Depth

  struct Nest: Sendable {
    var schema: String
    /// The texts that open the first level and each further level, and the texts that close the
    /// innermost level and each level around it.
    var first: String
    var open: String
    var inside: String
    var close: String
    var levels = 1
  }

  static let nests: [Nest] = [
    Nest(
      schema: ##"{"type":"object","properties":{"v":{"$ref":"#"}}}"##, first: "{",
      open: #""v":{"#, inside: "}", close: "}"),
    Nest(
      schema: ##"{"type":"array","items":{"$ref":"#"}}"##, first: "[", open: "[", inside: "]",
      close: "]"),
    Nest(
      schema: ##"{"$ref":"#/$defs/T","$defs":{"T":"##
        + wrapped(##"{"anyOf":[{"$ref":"#/$defs/T"},{"type":"null"}]}"##) + "}}",
      first: #"{"v":"#, open: #"{"v":"#, inside: "null}", close: "}"),
    Nest(
      schema: ##"{"$ref":"#/$defs/T","$defs":{"T":"##
        + wrapped(##"{"type":"array","items":{"$ref":"#/$defs/T"}}"##) + "}}",
      first: #"{"v":["#, open: #"{"v":["#, inside: "]}", close: "]}", levels: 2),
  ]

  @Test(
    "a value can be nested up to the limit but no deeper, and Assay can read it back",
    arguments: 0..<4)
  func depth(row: Int) throws {
    let nest = Self.nests[row]
    for (limit, options) in [(6, Self.options { $0.valueDepth = 6 }), (512, GrammarOptions())] {
      let automaton = try automaton(schema(nest.schema), Self.letters, options: options)
      var matcher = Matcher(automaton)
      var text = nest.first
      let begins = matcher.accept(bytes: nest.first.utf8)
      #expect(begins)
      var count = 1
      while count < 600, matcher.accept(bytes: nest.open.utf8) {
        text += nest.open
        count += 1
      }
      #expect(count * nest.levels == limit)
      let rest = nest.inside + String(repeating: nest.close, count: count - 1)
      let isAccepted = matcher.accept(bytes: rest.utf8)
      #expect(isAccepted && matcher.isFinished)
      let value = try JSONValue(parsing: text + rest)
      #expect(try GeneratedContent(json: value.compactText).isComplete)
    }
  }

  static let deepSchemas = [
    ##"""
    {"type":"object","properties":{
      "a":{"type":"array","items":{"$ref":"#"},"maxItems":2},
      "b":{"$ref":"#"},
      "c":{"anyOf":[{"type":"array","items":{"type":"array","items":{"$ref":"#"},"minItems":1},
        "minItems":1,"maxItems":2},{"type":"null"}]},
      "d":{}
    },"required":["c"]}
    """##,
    // At the limit, only `a` and `b` fit. Because `a` can't follow `b`, an object that begins with
    // `b` would have too few members.
    ##"""
    {"type":"object","properties":{"a":{"type":"null"},"b":{"type":"null"},
      "c":{"$ref":"#"},"d":{"type":"array","items":{"$ref":"#"},"minItems":1}},
    "minProperties":2,"additionalProperties":false}
    """##,
    ##"""
    {"type":"object","properties":{"a":{"$ref":"#"}},"minProperties":2,
    "additionalProperties":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}
    """##,
  ]

  static let endless: [(schema: String, isEndless: Bool)] = [
    (##""properties":{"a":{"$ref":"#"}},"additionalProperties":false"##, true),
    (##""additionalProperties":{"$ref":"#"}"##, true),
    (##""properties":{"a":{"$ref":"#"},"b":{}},"additionalProperties":false"##, false),
    (##""properties":{"a":{"$ref":"#"}},"additionalProperties":{"type":"null"}"##, false),
  ]

  @Test(
    "`minProperties` is rejected only if every member that could satisfy it recurses endlessly",
    arguments: endless)
  func checkEnd(_ row: (schema: String, isEndless: Bool)) throws {
    let text = #"{"type":"object",\#(row.schema),"minProperties":1}"#
    let schema = try schema(text)
    if row.isEndless {
      let error = #expect(throws: GrammarError.self) { try automaton(schema, Self.letters) }
      #expect(error?.description.contains("can never be finished") == true)
    } else {
      #expect(throws: Never.self) { try automaton(schema, Self.letters) }
    }
  }

  @Test(
    "the depth limit never leaves an unfinished answer without a legal token",
    arguments: deepSchemas, ["compact", "pretty", "any", "flexible"])
  func noDeadEnds(text: String, mode: String) throws {
    var options = Self.options {
      $0.valueDepth = 5
      $0.anyDepth = 3
    }
    options.whitespace = try #require(WhitespaceMode(rawValue: mode))
    let bytes = vocabulary((9..<127).map { String(UnicodeScalar(UInt8($0))) })
    let automaton = try automaton(schema(text), bytes, options: options)
    var deepest = 0
    for seed in 0..<8 {
      var random = SeededGenerator(seed: UInt64(seed))
      var matcher = Matcher(automaton)
      var text = ""
      for step in 0..<1000 where !matcher.isFinished {
        let tokens = matcher.mask.tokens.filter { $0 != 0 }
        if tokens.isEmpty {
          Issue.record("no token is legal after \(text)")
          return
        }
        // Prefer opening brackets at first, so that the nesting gets deep, and closing brackets
        // later.
        let liked = step < 60 ? "[{,\"" : "]}"
        let spelled = tokens.map { String(decoding: bytes.bytes(of: $0), as: UTF8.self) }
        let best = spelled.indices.filter { liked.contains(spelled[$0]) }
        let from = best.isEmpty ? Array(spelled.indices) : best
        let chosen = from[Int.random(in: 0..<from.count, using: &random)]
        text += spelled[chosen]
        let isAccepted = matcher.accept(tokens[chosen])
        #expect(isAccepted)
      }
      deepest = max(deepest, depth(of: text))
    }
    #expect(deepest == 5)
  }

  /// Returns the deepest nesting of brackets outside strings.
  private func depth(of text: String) -> Int {
    var (depth, deepest, isInString, isEscaped) = (0, 0, false, false)
    for character in text.unicodeScalars {
      if isInString {
        if character == "\"", !isEscaped { isInString = false }
        isEscaped = character == "\\" && !isEscaped
        continue
      }
      if character == "\"" { isInString = true }
      if character == "[" || character == "{" { depth += 1 }
      if character == "]" || character == "}" { depth -= 1 }
      deepest = max(deepest, depth)
    }
    return deepest
  }
}
