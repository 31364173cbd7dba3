import GuidedGeneration
import TestSupport
import Tokenization

@testable import ConstrainedDecoding

/// A generated schema with nodes of any kind, and a vocabulary that fits all such schemas.
///
/// Tests use it for laws that they can check without enumerating all values.
struct RichWorld {
  let schema: GenerationSchema
  /// The same schema with wider bounds, wider patterns and additional choices.
  let wider: GenerationSchema

  init(seed: Int) {
    var narrow = SeededGenerator(seed: UInt64(seed))
    var wide = SeededGenerator(seed: UInt64(seed))
    schema = Self.schema(&narrow, wider: 0)
    wider = Self.schema(&wide, wider: 1)
  }

  /// All bytes, and pieces of JSON with and without white space that cut across strings, numbers
  /// and characters.
  static let vocabulary: Vocabulary = {
    var random = SeededGenerator(seed: 11)
    let pieces = [
      "\"", "a", "ab", "xyz", "é", "日", "🎉", "\\n", "\\\"", "\\u001", "\":", ":", ",", "{", "}",
      "[", "]", "0", "1", "12", "-", ".", "e5", "true", "false", "null", "tr", "the ", " the",
      "b1-", "next\"", "name", "\"kind\"", "\"name\"", "}}", "]}", "\",\"", "9",
    ].map { Array($0.utf8) }
    let spaces = ["", " ", "  ", "\n", "\n  ", "\t", "\r\n", "\n    "].map { Array($0.utf8) }
    var tokens = (UInt8.min...UInt8.max).map { [$0] }
    for _ in 0..<260 {
      var token: [UInt8] = []
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        token += spaces.randomElement(using: &random) ?? []
        token += pieces.randomElement(using: &random) ?? []
      }
      if Int.random(in: 0..<5, using: &random) == 0 { token.removeLast() }
      if Int.random(in: 0..<5, using: &random) == 0 { token.removeFirst() }
      if !token.isEmpty { tokens.append(token) }
    }
    tokens += spaces.dropFirst(2).map { Array($0) }
    return Vocabulary(
      tokens: [[]] + tokens, kinds: [.special] + tokens.map { _ in .text }, endTokens: [0])
  }()

  static let table = TokenTable(vocabulary: vocabulary)

  static func automaton(
    _ schema: GenerationSchema, _ mode: WhitespaceMode
  ) throws -> TokenAutomaton {
    try CompiledGrammar(
      schema: schema, table: table, options: GrammarOptions(whitespace: mode)
    ).makeAutomaton()
  }

  /// Takes up to a given number of random legal tokens from the start, and returns them.
  static func walk(
    _ automaton: TokenAutomaton, tokens count: Int, _ random: inout SeededGenerator
  ) -> [TokenID] {
    var matcher = Matcher(automaton)
    var walk: [TokenID] = []
    while walk.count < count {
      let legal = matcher.mask.tokens.filter { $0 != 0 }
      // Tokens that are longer than a byte and don't begin with white space are rare: prefer them.
      let longer = legal.filter {
        let bytes = vocabulary.bytes(of: $0)
        return bytes.count > 1 && bytes.first.map { $0 > 0x20 } ?? false
      }
      let pool = Int.random(in: 0..<3, using: &random) > 0 && !longer.isEmpty ? longer : legal
      guard let token = pool.randomElement(using: &random), matcher.accept(token) else { break }
      walk.append(token)
    }
    return walk
  }

  static func bytes(of walk: some Sequence<TokenID>) -> [UInt8] {
    walk.flatMap { Array(vocabulary.bytes(of: $0)) }
  }

  // MARK: Schemas

  private static func schema(_ random: inout SeededGenerator, wider: Int) -> GenerationSchema {
    // Both schemas draw the same random numbers, so they differ only in bounds, patterns and
    // choices.
    let root = node(0, &random, wider)
    let list = SchemaNode.object(
      ObjectSchema(
        name: "List",
        properties: [
          PropertySchema(name: "head", node: node(2, &random, wider)),
          PropertySchema(
            name: "tail", node: .reference("List", description: nil), isOptional: true),
        ]))
    return GenerationSchema(root: root, definitions: [(name: "List", node: list)])
  }

  private static func node(
    _ depth: Int, _ random: inout SeededGenerator, _ wider: Int
  ) -> SchemaNode {
    func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    switch depth > 2 ? 4 + number(8) : number(12) {
    case 0, 1:
      return .object(
        ObjectSchema(
          properties: ["name", "kind", "é", "next"].prefix(1 + number(4)).map { name in
            PropertySchema(
              name: name, node: node(depth + 1, &random, wider), isOptional: number(2) == 0)
          }))
    case 2:
      let minimum = number(3)
      let maximum = number(2) == 0 ? nil : minimum + number(3) + wider
      return .array(
        ArraySchema(
          element: node(depth + 1, &random, wider), minimumCount: max(0, minimum - wider),
          maximumCount: maximum))
    case 3:
      var choices = (0..<2 + number(2)).map { _ in node(depth + 1, &random, wider) }
      if wider > 0 { choices.append(.null(description: nil)) }
      return .union(UnionSchema(choices: choices))
    case 4:
      let words = ["a", "ab", "xyz", "é", "日", "next", "", "a b", "\n"]
      var choices = (0..<1 + number(4)).map { _ in words[number(words.count)] }
      if wider > 0 { choices.append("name") }
      return .string(StringSchema(choices: choices))
    case 5:
      let minimum = number(50) - 30
      let maximum = minimum + number(300)
      return .integer(
        IntegerSchema(minimum: minimum - 7 * wider, maximum: maximum + 20 * wider))
    case 6:
      let minimum = number(4)
      let maximum = number(3) == 0 ? nil : minimum + number(5) + wider
      return .string(
        StringSchema(minimumLength: max(0, minimum - wider), maximumLength: maximum))
    case 7:
      let patterns = [
        ("[a-z]+[0-9]", "[a-z]+[0-9]?"), ("[^,]+, [^,]+", "[^,]+,? [^,]+"), (".{2,6}", ".{1,7}"),
        ("[a-c]{1,3}-é", "[a-d]{1,3}-é"), ("(the )*name", "(the |a)*name"),
      ]
      let (narrow, wide) = patterns[number(patterns.count)]
      return .string(StringSchema(pattern: wider > 0 ? wide : narrow))
    case 8: return .boolean(description: nil)
    case 9: return .reference("List", description: nil)
    case 10: return .number(NumberSchema())
    default: return depth == 0 ? .any(description: nil) : .null(description: nil)
    }
  }
}
