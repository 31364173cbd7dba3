import ConstrainedDecoding
import EvalRecords
import Foundation
import GuidedGeneration
import StructuredText
import Tokenization

/// Generates random values for each schema of a workload, so that `scripts/check/values` can check
/// them with another validator.
///
/// For each value, the command prints a line of JSON with the schema's id and the text. `--repeats`
/// is the number of walks for each schema. A walk that doesn't complete its value prints nothing.
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
    var random = SplitMix(seed: 1)
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
}
