import ConstrainedDecoding
import EvalRecords
import Foundation
import GuidedGeneration
import StructuredText
import Tokenization

/// Takes random walks through schemas, and looks for places without a legal token, for
/// `scripts/check/fuzz-keys`.
///
/// The standard input has one schema per line. For each schema, the command prints one line of
/// JSON: the reason why the schema is refused, or the number of walks for each ending, with the
/// text of the first walk that ended badly. `--values` adds the values, for other checks.
struct DeadEnds {
  static let usage = "dead-ends [--walks N] [--values] < SCHEMAS"

  private var walks = 50
  private var givesValues = false

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--values": givesValues = true
      case "--walks":
        guard let count = rest.popFirst().flatMap({ Int($0) }) else { fallthrough }
        walks = count
      default: throw BenchmarkError.usage("assay-benchmark " + Self.usage)
      }
    }
  }

  func run() throws {
    let pieces = [
      "\"a", "\"b", "a\"", "b\":", "\":", "\",\"", ",\"", "{\"", "{\"a\":", "ab", "abc", "aa",
      "\\u00", "}}", "},", "},\"", "true", "null", ",\"a\":", "true,\"b", "  ", "\n  ", " \"",
      ", \"a",
    ].map { Array($0.utf8) }
    let tokens = (UInt8.min...UInt8.max).map { [$0] } + pieces
    let vocabulary = Vocabulary(
      tokens: [[]] + tokens, kinds: [.special] + tokens.map { _ in .text }, endTokens: [0])
    let table = TokenTable(vocabulary: vocabulary)
    var options = SchemaReadOptions()
    options.searchesPatterns = true
    var random = SplitMix(seed: 1)
    var number = 0
    while let text = readLine() {
      number += 1
      var line: JSONObject = [:]
      do {
        let schema = try GenerationSchema(json: JSONValue(parsing: text), options: options)
        let automaton = try CompiledGrammar(
          schema: schema, table: table,
          options: GrammarOptions(whitespace: number % 4 == 0 ? .any : .compact)
        ).makeAutomaton()
        walk(automaton, &random, &line)
      } catch {
        line["refused"] = .string("\(error)")
      }
      print(JSONValue.object(line).compactText)
    }
  }

  private func walk(
    _ automaton: TokenAutomaton, _ random: inout SplitMix, _ line: inout JSONObject
  ) {
    var automaton = automaton
    var counts = (complete: 0, deadEnds: 0, unfinished: 0, misfits: 0)
    var values: [JSONValue] = []
    for _ in 0..<walks {
      if automaton.isUsedUp { automaton = automaton.unused() }
      switch RandomWalk.ending(automaton, &random) {
      case .value(let text):
        counts.complete += 1
        if givesValues { values.append(.string(text)) }
      case .deadEnd(let text):
        counts.deadEnds += 1
        line["text"] = .string(text)
      case .unfinished: counts.unfinished += 1
      case .misfit(let text):
        counts.misfits += 1
        line["text"] = .string(text)
      }
    }
    line["complete"] = .number(JSONNumber(counts.complete))
    line["deadEnds"] = .number(JSONNumber(counts.deadEnds))
    line["unfinished"] = .number(JSONNumber(counts.unfinished))
    line["misfits"] = .number(JSONNumber(counts.misfits))
    if givesValues { line["values"] = .array(values) }
  }
}
