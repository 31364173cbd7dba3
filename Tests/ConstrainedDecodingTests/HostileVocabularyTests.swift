import GuidedGeneration
import Testing
import Tokenization

@testable import ConstrainedDecoding

/// Checks masks for vocabularies that no tokenizer should have, but that files can contain.
@Suite("Hostile vocabularies")
struct HostileVocabularyTests {
  private static func pattern(_ text: String) -> GenerationSchema {
    GenerationSchema(root: .string(StringSchema(pattern: text)), definitions: [])
  }

  /// Checks that a mask contains exactly the tokens whose bytes fit, except those in `never`.
  private func check(
    _ matcher: Matcher, _ vocabulary: Vocabulary, never: Set<TokenID> = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let legal = (0..<TokenID(vocabulary.count)).filter { token in
      var next = matcher
      return vocabulary.kinds[Int(token)] == .text && !never.contains(token)
        && next.accept(bytes: vocabulary.bytes(of: token))
    }
    let existing = Set(vocabulary.endTokens).filter { Int($0) < vocabulary.count }
    let ends = matcher.isComplete ? Array(existing) : []
    #expect(matcher.mask.tokens == (legal + ends).sorted(), sourceLocation: sourceLocation)
    #expect(matcher.mask.count == legal.count + ends.count, sourceLocation: sourceLocation)
  }

  @Test("an end token is never legal as text, and a mask counts it once even if it is listed twice")
  func endTokens() throws {
    let texts = ["<", "/", "s", ">", "\"", "</s>", "1", "2"]
    let vocabulary = Vocabulary(
      tokens: texts.map { Array($0.utf8) }, kinds: texts.map { _ in .text }, endTokens: [5, 5, 99])
    for schema in [
      GenerationSchema(root: .string(StringSchema()), definitions: []),
      GenerationSchema(root: .integer(IntegerSchema()), definitions: []),
    ] {
      var matcher = Matcher(try automaton(schema, vocabulary))
      check(matcher, vocabulary, never: [5])
      let isAccepted = matcher.accept(bytes: schema.root.isString ? "\"a".utf8 : "12".utf8)
      #expect(isAccepted)
      check(matcher, vocabulary, never: [5])
    }
  }

  @Test("a token too long for the tables is never legal, not even where its beginning fits")
  func longTokens() throws {
    let long = [UInt8](repeating: UInt8(ascii: "a"), count: TokenBytes.longestToken)
    let tokens = [[UInt8(ascii: "\"")], [UInt8(ascii: "a")], [UInt8(ascii: "b")]]
    let vocabulary = Vocabulary(
      tokens: [[]] + tokens + [long, long + [UInt8(ascii: "c")], long + [UInt8(ascii: "a")]],
      kinds: [.special] + [.text, .text, .text, .text, .text, .text], endTokens: [0])
    for schema in [
      Self.pattern("a*b"), GenerationSchema(root: .string(StringSchema()), definitions: []),
      GenerationSchema(root: .string(StringSchema(maximumLength: 70_000)), definitions: []),
      GenerationSchema(root: .string(StringSchema(maximumLength: 65_000)), definitions: []),
    ] {
      var matcher = Matcher(try automaton(schema, vocabulary))
      let isAccepted = matcher.accept(bytes: "\"a".utf8)
      #expect(isAccepted)
      check(matcher, vocabulary, never: [5, 6])
    }
  }

  @Test("a string with a maximum length accepts exactly the tokens that are short enough")
  func lengths() throws {
    let lengths = [1, 3, 40, 41, 5000]
    let vocabulary = vocabulary(["\""] + lengths.map { String(repeating: "é", count: $0) })
    for maximum in [0, 1, 2, 3, 39, 40, 41, 42, 4999, 5000, 5001] {
      let schema = GenerationSchema(
        root: .string(StringSchema(maximumLength: maximum)), definitions: [])
      var matcher = Matcher(try automaton(schema, vocabulary))
      let isAccepted = matcher.accept(bytes: "\"".utf8)
      #expect(isAccepted)
      check(matcher, vocabulary)
    }
  }

  @Test("if 30,000 tokens have the same bytes, all of them are legal")
  func equalTokens() throws {
    let vocabulary = vocabulary(["\"", "b"] + Array(repeating: "a", count: 30_000))
    var matcher = Matcher(try automaton(Self.pattern("a*b"), vocabulary))
    let isAccepted = matcher.accept(bytes: "\"".utf8)
    #expect(isAccepted)
    #expect(matcher.mask.count == 30_001)
  }
}

extension SchemaNode {
  fileprivate var isString: Bool { if case .string = self { true } else { false } }
}
