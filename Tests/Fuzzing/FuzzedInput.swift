import ConstrainedDecoding
import GuidedGeneration
import StructuredText
import Tokenization

/// Reads options, a schema, a vocabulary and choices from a fuzzer's bytes.
///
/// A schema is either JSON text up to a zero byte, or a tree of nodes that the bytes describe. With
/// such a tree, the fuzzer doesn't have to find text that the schema reader accepts.
struct FuzzedInput {
  private var rest: ArraySlice<UInt8>
  /// Whether the vocabulary has a token for every byte.
  private(set) var hasAllBytes = false

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func next() -> UInt8? { rest.popFirst() }

  mutating func flag() -> Bool { (next() ?? 0) & 1 == 1 }

  private mutating func number(_ limit: Int) -> Int { Int(next() ?? 0) % limit }

  mutating func options() -> GrammarOptions {
    let flags = next() ?? 0
    let modes = WhitespaceMode.allCases
    let escapes: [JSONDialect.UnicodeEscapes] = [.none, .controlsOnly, .any]
    var limits = GrammarLimits()
    // With small limits, the fuzzer finds a hang sooner.
    limits.nodes = 2000
    limits.byteStates = 20_000
    limits.patternStates = 500
    limits.patternSteps = 200_000
    limits.count = 1000
    return GrammarOptions(
      whitespace: modes[Int(flags & 7) % modes.count],
      dialect: JSONDialect(
        allowsRawDelete: flags & 8 != 0, allowsEscapedSlash: flags & 16 != 0,
        unicodeEscapes: escapes[Int(flags >> 5) % 3], allowsNegativeZero: flags & 128 != 0),
      limits: limits)
  }

  // MARK: Schemas

  mutating func schema() -> GenerationSchema? {
    if rest.first == UInt8(ascii: "{") {
      let text = rest.prefix { $0 != 0 }
      rest = rest.dropFirst(text.count + 1)
      guard let value = try? JSONValue(parsing: String(decoding: text, as: UTF8.self)) else {
        return nil
      }
      return try? GenerationSchema(json: value)
    }
    let root = node(depth: 0)
    let names = ["A", "B"]
    return GenerationSchema(
      root: root, definitions: names.map { (name: $0, node: node(depth: 1)) })
  }

  private mutating func node(depth: Int) -> SchemaNode {
    let kind = depth > 4 ? number(6) + 4 : number(10)
    switch kind {
    case 0:
      return .object(
        ObjectSchema(
          properties: (0..<number(4)).map { _ in
            PropertySchema(name: word(), node: node(depth: depth + 1), isOptional: flag())
          }, representsNilExplicitly: flag()))
    case 1:
      return .array(
        ArraySchema(
          element: node(depth: depth + 1), minimumCount: bound(), maximumCount: bound()))
    case 2:
      return .union(
        UnionSchema(choices: (0..<number(4)).map { _ in node(depth: depth + 1) }))
    case 3: return .reference(flag() ? "A" : "B", description: nil)
    case 4:
      return .string(
        StringSchema(
          choices: (0..<number(5)).map { _ in word() }, minimumLength: bound(),
          maximumLength: bound()))
    case 5:
      return .string(StringSchema(minimumLength: bound(), maximumLength: bound()))
    case 6:
      return .string(
        StringSchema(pattern: word(), minimumLength: bound(), maximumLength: bound()))
    case 7: return .integer(IntegerSchema(minimum: integer(), maximum: integer()))
    case 8:
      return .number(
        NumberSchema(minimum: integer().map { decimal($0) }, maximum: integer().map { decimal($0) })
      )
    default: return flag() ? .any(description: nil) : .boolean(description: nil)
    }
  }

  private mutating func bound() -> Int? { flag() ? number(40) : nil }

  private mutating func integer() -> Int? {
    flag() ? Int(Int8(truncatingIfNeeded: Int(next() ?? 0))) * (flag() ? 1 : 977) : nil
  }

  private mutating func decimal(_ value: Int) -> JSONNumber { JSONNumber(Double(value) / 8) }

  /// Reads a length, and then a text of up to 24 bytes.
  private mutating func word() -> String {
    let text = rest.dropFirst().prefix(number(25))
    rest = rest.dropFirst(text.count)
    return String(decoding: text, as: UTF8.self)
  }

  // MARK: Vocabularies

  mutating func vocabulary() -> Vocabulary {
    let flags = next() ?? 0
    hasAllBytes = flags & 1 == 0
    var tokens: [[UInt8]] = hasAllBytes ? (UInt8.min...UInt8.max).map { [$0] } : []
    for _ in 0..<number(48) {
      let bytes = rest.dropFirst().prefix(number(12))
      rest = rest.dropFirst(bytes.count)
      tokens.append(Array(bytes))
    }
    // The token that ends the text is listed twice, and may be a text token: token 1, 2 or 3. If
    // the vocabulary has all bytes, these are control characters, which no JSON text needs.
    let end = TokenID(flags >> 1 & 3)
    return Vocabulary(
      tokens: [[]] + tokens, kinds: [.special] + tokens.map { _ in .text }, endTokens: [end, end])
  }
}
