import ConstrainedDecoding
import Foundation
import GuidedGeneration
import StructuredText
import Tokenization

/// Generates random values for each schema of a workload, so that `scripts/check-values` can check
/// them with another validator.
///
/// Each value is a sequence of random legal tokens. For each complete value, the command prints a
/// line with a JSON object: the schema's id and the value's text. It tries to generate as many
/// values per schema as `--repeats` says.
struct RandomWalks {
  static let usage =
    "--vocab FILE --suite FILE [--mode compact|spaced|pretty] [--repeats N]"

  private let arguments: DecodingArguments

  init(_ arguments: [String]) throws { self.arguments = try DecodingArguments(arguments) }

  func run() throws {
    let vocabulary = try Workload.vocabulary(ofFile: arguments.vocabulary)
    let table = TokenTable(vocabulary: vocabulary)
    let options = GrammarOptions(
      whitespace: arguments.mode == "compact"
        ? .compact : arguments.mode == "spaced" ? .singleSpace : .pretty)
    var random = SplitMix(state: 1)
    for schema in try Workload.schemas(ofFile: arguments.suite) {
      let automaton = try CompiledGrammar(
        schema: GenerationSchema(json: JSONValue(parsing: schema.text)), table: table,
        options: options
      ).makeAutomaton()
      for _ in 0..<arguments.repeats {
        guard let text = RandomWalk.text(automaton, &random) else { continue }
        let line = JSONValue.object(
          JSONObject([
            (key: "schema", value: .string(schema.id)), (key: "text", value: .string(text)),
          ]))
        print(line.compactText)
      }
    }
  }

  /// Returns the text of a random value; nil if no token is legal before the value is complete, or
  /// if the value isn't complete after 3000 tokens.
  private func walk(
    _ automaton: TokenAutomaton, _ vocabulary: Vocabulary, _ random: inout SplitMix
  ) -> String? {
    var matcher = Matcher(automaton)
    var bytes: [UInt8] = []
    for _ in 0..<3000 where !matcher.isFinished {
      let legal = matcher.mask.tokens.filter { !vocabulary.bytes(of: $0).isEmpty }
      if legal.isEmpty { return nil }
      // Prefer closing tokens, so that walks end.
      let closing = legal.filter {
        let last = vocabulary.bytes(of: $0).last
        return last == UInt8(ascii: "\"") || last == UInt8(ascii: "]") || last == UInt8(ascii: "}")
      }
      let isClosing = !closing.isEmpty && Int.random(in: 0..<8, using: &random) > 0
      guard let token = (isClosing ? closing : legal).randomElement(using: &random),
        matcher.accept(token)
      else { return nil }
      bytes += vocabulary.bytes(of: token)
    }
    return matcher.isComplete ? String(validating: bytes, as: UTF8.self) : nil
  }
}

/// The generator SplitMix64, which gives the same values on every machine.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
