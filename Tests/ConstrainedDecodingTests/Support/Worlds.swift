import GuidedGeneration
import StructuredText
import TestSupport
import Testing
import Tokenization

@testable import ConstrainedDecoding

/// Returns a schema from its JSON text.
func schema(_ text: String) throws -> GenerationSchema {
  try GenerationSchema(json: try JSONValue(parsing: text))
}

/// Returns the text of an object schema with one required property `v`.
func wrapped(_ property: String) -> String {
  #"{"type":"object","properties":{"v":\#(property)},"required":["v"],"#
    + #""additionalProperties":false}"#
}

/// Returns a vocabulary of the given tokens, numbered from 1; the special token 0 ends the text.
func vocabulary(_ tokens: [String]) -> Vocabulary {
  let texts = tokens.map { Array($0.utf8) }
  return Vocabulary(
    tokens: [[]] + texts, kinds: [.special] + texts.map { _ in .text }, endTokens: [0])
}

/// Returns a vocabulary for some texts: their bytes, and random pieces of up to eight bytes.
///
/// The pieces may cut across strings, brackets and UTF-8 sequences. Some tokens occur twice, and a
/// few fit nowhere.
func vocabulary(for texts: [String], pieces: Int, seed: UInt64) -> Vocabulary {
  var random = SeededGenerator(seed: seed)
  let all = texts.map { Array($0.utf8) }.filter { !$0.isEmpty }
  var tokens: [[UInt8]] = Set(all.joined()).sorted().map { [$0] }
  for _ in 0..<pieces {
    let text = all[Int.random(in: 0..<all.count, using: &random)]
    let start = Int.random(in: 0..<text.count, using: &random)
    let length = Int.random(in: 2...8, using: &random)
    tokens.append(Array(text[start..<min(text.count, start + length)]))
  }
  tokens.append(tokens[0])
  tokens += [Array("~".utf8), [0xFF], Array("}}}}".utf8)]
  return Vocabulary(
    tokens: [[]] + tokens, kinds: [.special] + tokens.map { _ in .text }, endTokens: [0])
}

/// Returns the automaton of a schema over a vocabulary.
func automaton(
  _ schema: GenerationSchema, _ vocabulary: Vocabulary, options: GrammarOptions = GrammarOptions()
) throws -> TokenAutomaton {
  let table = TokenTable(vocabulary: vocabulary, dialect: options.dialect)
  return try CompiledGrammar(schema: schema, table: table, options: options).makeAutomaton()
}
