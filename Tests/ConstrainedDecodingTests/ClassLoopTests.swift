import GuidedGeneration
import TestSupport
import Testing
import Tokenization

@testable import ConstrainedDecoding

/// Checks the masks that the automaton computes with its shortcut for large character classes.
///
/// The tests compare them with the tokens whose bytes a matcher accepts one by one.
@Suite("Masks inside large character classes")
struct ClassLoopTests {
  static let patterns = [
    "[a-z0-9._]+@[a-z0-9-]+(\\.[a-z]{2,6})+", ".*", ".+x", ".{1,40}", ".{3,200}", "[^,]+, [^,]+",
    "[a-z]+@[a-z]+", "[A-Za-z ]{1,80}", "[^\\u0000-\\u007f]+", "[a-f0-9]{32}", "[^\"\\\\]*",
    "[\\u2028a-zé]+", "[^\\u2029]+\\u2029[^\\u2029]+", "([a-z]|[0-9]{3})*", "[a-y]*z[a-y]*",
    "(.*,){2}.*", "[^a]*é", "\\w+( \\w+)*", "[\\s\\S]{0,60}",
    // Line separators, and characters that share their last bytes but have a different first byte.
    "[^\\u2028\\u2029\\u6028\\u6029]{1,80}", "[^\\u2028\\u2029\\u1028\\u1029\\u5028\\u5029]+",
  ]

  /// All bytes, random words, and runs of one character.
  ///
  /// The words have several alphabets and lengths; some lack their last byte, and some end with a
  /// quotation mark. Some runs are longer than any bound of the patterns.
  static let vocabulary: Vocabulary = {
    var random = SeededGenerator(seed: 5)
    let alphabets = [
      "abcdefghijklmnopqrstuvwxyz", "ABCxyz ", "0123456789abcdef", "a,b. @-", "éß日本a", "x\"y\\n",
      "\u{2028}\u{2029}é", "怨怩倨倩〨〩\u{1028}\u{2028}a", "az@", "a\n\t",
    ].map { Array($0.unicodeScalars) }
    var tokens = (UInt8.min...UInt8.max).map { [$0] }
    for _ in 0..<2500 {
      let alphabet = alphabets.randomElement(using: &random) ?? []
      let length = Int.random(in: 0..<20, using: &random) == 0 ? 50 : 9
      let text = (0..<Int.random(in: 1...length, using: &random))
        .compactMap { _ in alphabet.randomElement(using: &random) }
      var bytes = text.flatMap { Array(String($0).utf8) }
      if Int.random(in: 0..<6, using: &random) == 0 { bytes.removeLast() }
      if Int.random(in: 0..<12, using: &random) == 0 { bytes.append(0x22) }
      if !bytes.isEmpty { tokens.append(bytes) }
    }
    for length in [31, 32, 33, 34, 64, 300] {
      tokens.append(Array(repeating: UInt8(ascii: "-"), count: length))
      tokens.append(Array(repeating: UInt8(ascii: "a"), count: length))
      tokens.append(Array(String(repeating: "é", count: length).utf8))
    }
    return Vocabulary(
      tokens: [[]] + tokens, kinds: [.special] + tokens.map { _ in .text }, endTokens: [0])
  }()

  static let table = TokenTable(vocabulary: vocabulary)

  @Test("each mask contains exactly the tokens that can continue the string", arguments: patterns)
  func exact(pattern: String) throws {
    let schema = GenerationSchema(
      root: .string(StringSchema(pattern: pattern)), definitions: [])
    let automaton = try CompiledGrammar(schema: schema, table: Self.table).makeAutomaton()
    var random = SeededGenerator(seed: 1)
    var shortcuts = 0
    var seen: Set<TokenAutomaton.Configuration> = []
    for _ in 0..<6 {
      var matcher = Matcher(automaton)
      for _ in 0..<12 {
        let legal = (1..<TokenID(Self.vocabulary.count)).filter { token in
          var next = matcher
          return next.accept(bytes: Self.vocabulary.bytes(of: token))
        }
        if seen.insert(matcher.configuration).inserted {
          let masked = matcher.mask.tokens.filter { $0 != 0 }
          let different = Set(masked).symmetricDifference(legal).prefix(3).map {
            String(decoding: Self.vocabulary.bytes(of: $0), as: UTF8.self)
          }
          #expect(different.isEmpty, "\(pattern): \(masked.count) tokens, not \(legal.count)")
          let threads = automaton.threads(of: matcher.configuration)
          if threads.contains(where: { automaton.classLoop(of: $0) != nil }) { shortcuts += 1 }
        }
        // Prefer short tokens, so that walks stay inside the pattern for a while.
        let short = legal.filter { Self.vocabulary.bytes(of: $0).count < 4 }
        guard let token = (short.isEmpty ? legal : short).randomElement(using: &random) else {
          break
        }
        let isAccepted = matcher.accept(token)
        #expect(isAccepted)
      }
    }
    #expect(shortcuts > 0 || !pattern.hasPrefix("."))
  }
}
