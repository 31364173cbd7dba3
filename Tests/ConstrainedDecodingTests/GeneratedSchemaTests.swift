import GuidedGeneration
import StructuredText
import TestSupport
import Testing
import Tokenization

@testable import ConstrainedDecoding

/// Compares the masks of small generated schemas with an enumeration of their values.
@Suite("Generated schemas")
struct GeneratedSchemaTests {
  /// Generates a schema with 2 to 399 values, and returns the schema, the texts of its values and
  /// their style.
  static func schema(_ seed: Int) -> (GenerationSchema, Set<String>, WhitespaceStyle) {
    var random = SeededGenerator(seed: UInt64(seed))
    let style = WhitespaceStyle.allCases.randomElement(using: &random) ?? .compact
    while true {
      let schema = GenerationSchema(root: node(0, &random), definitions: [])
      guard size(schema.root) < 2000 else { continue }
      let texts = ValueEnumeration(schema: schema).texts(style)
      if texts.count > 1, texts.count < 400 { return (schema, texts, style) }
    }
  }

  private static func node(_ depth: Int, _ random: inout SeededGenerator) -> SchemaNode {
    func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    switch depth > 2 ? 3 + number(4) : number(7) {
    case 0:
      return .object(
        ObjectSchema(
          properties: ["a", "ab", "b", "\"", "é"].prefix(1 + number(4)).map { name in
            PropertySchema(
              name: name, node: node(depth + 1, &random), isOptional: number(2) == 0)
          }, representsNilExplicitly: number(4) == 0))
    case 1:
      let minimum = number(3)
      return .array(
        ArraySchema(
          element: node(depth + 1, &random), minimumCount: minimum,
          maximumCount: minimum + number(3)))
    case 2:
      return .union(
        UnionSchema(choices: (0..<2 + number(2)).map { _ in node(depth + 1, &random) }))
    case 3:
      let words = ["a", "ab", "abc", "b", "é", "è", "日", "\\", "\"", "", "null", "[", "\n"]
      return .string(
        StringSchema(choices: (0..<1 + number(4)).map { _ in words[number(words.count)] }))
    case 4:
      let minimum = number(40) - 25
      return .integer(IntegerSchema(minimum: minimum, maximum: minimum + number(30)))
    case 5: return .boolean(description: nil)
    default: return .null(description: nil)
    }
  }

  /// Estimates the number of values without enumerating them, and caps products at 10,000.
  private static func size(_ node: SchemaNode) -> Int {
    switch node {
    case .object(let it):
      return it.properties.reduce(1) { min(10_000, $0 * (size($1.node) + ($1.isOptional ? 1 : 0))) }
    case .array(let it):
      var sum = 0
      var power = 1
      for count in 0...(it.maximumCount ?? 0) {
        if count >= it.minimumCount ?? 0 { sum += power }
        power = min(10_000, power * size(it.element))
      }
      return min(10_000, sum)
    case .union(let it): return it.choices.reduce(0) { $0 + size($1) }
    case .string(let it): return it.choices?.count ?? 1
    case .integer(let it): return (it.maximum ?? 0) - (it.minimum ?? 0) + 1
    case .boolean: return 2
    default: return 1
    }
  }

  private static func mode(_ style: WhitespaceStyle) -> WhitespaceMode {
    switch style {
    case .compact: .compact
    case .singleSpace: .singleSpace
    case .pretty: .pretty
    }
  }

  @Test("masks agree with the enumeration of the values", arguments: 0..<60)
  func exact(seed: Int) throws {
    let (schema, texts, style) = Self.schema(seed)
    try BruteForceTests().checkMasks(
      of: schema, texts: texts, options: GrammarOptions(whitespace: Self.mode(style)))
  }

  @Test("masks are exact for a SentencePiece vocabulary with byte fallback", arguments: 0..<15)
  func sentencePiece(seed: Int) throws {
    let (schema, texts, style) = Self.schema(1000 + seed)
    let bytes = (0..<256).map { byte in
      "<0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) + ">"
    }
    // Some tokens write a space as U+2581. Some tokens of one byte also exist as byte tokens.
    let words = [
      "▁", "▁\"", "{\"", "\":", "a", "\"", "[", "]", "▁{", "é", ",▁", "\n▁▁", "[]", "null",
    ]
    let definition = TokenizerDefinition(
      algorithm: .sentencePiece, tokens: (["<end>"] + bytes + words).map { Array($0.utf8) },
      types: [.control] + bytes.map { _ in .byte } + words.map { _ in .normal }, endTokens: [0])
    try BruteForceTests().checkMasks(
      of: schema, texts: texts, options: GrammarOptions(whitespace: Self.mode(style)),
      over: Tokenizer(definition).vocabulary)
  }

  @Test(
    "the mask blocks a damaged value at the first byte that fits no value",
    arguments: 0..<40)
  func damaged(seed: Int) throws {
    let (schema, texts, style) = Self.schema(2000 + seed)
    let values = texts.sorted().map { Array($0.utf8) }
    var prefixes: Set<[UInt8]> = []
    for value in values { for end in 0...value.count { prefixes.insert(Array(value[..<end])) } }
    let vocabulary = vocabulary(for: texts.sorted(), pieces: 30, seed: UInt64(seed))
    let automaton = try automaton(
      schema, vocabulary, options: GrammarOptions(whitespace: Self.mode(style)))
    let alphabet = Array(Set(values.joined())).sorted() + [0xFF, 0x20, 0x2C]
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<60 {
      guard var bytes = values.randomElement(using: &random) else { continue }
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes.remove(at: place)
      case 1: bytes[place] = alphabet.randomElement(using: &random) ?? 0
      case 2: bytes.insert(alphabet.randomElement(using: &random) ?? 0, at: place)
      default:
        bytes.insert(contentsOf: (values.randomElement(using: &random) ?? []).prefix(9), at: place)
      }
      let fitting = (0...bytes.count).last { prefixes.contains(Array(bytes[..<$0])) } ?? 0
      var matcher = Matcher(automaton)
      let accepted = bytes.prefix { matcher.accept(bytes: CollectionOfOne($0)) }.count
      #expect(accepted == fitting, "\(String(decoding: bytes, as: UTF8.self))")
      #expect(matcher.isComplete == values.contains(Array(bytes[..<fitting])))
      if fitting < bytes.count {
        // The mask blocks every token that begins with the wrong byte.
        let blocked = Array(bytes[fitting...].prefix(1))
        for token in 1..<TokenID(vocabulary.count)
        where vocabulary.bytes(of: token).first == blocked[0] {
          #expect(!matcher.mask.contains(token))
        }
      }
    }
  }
}
