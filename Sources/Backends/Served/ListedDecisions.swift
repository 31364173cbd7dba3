import ConstrainedDecoding
import EvalRecords
import Foundation
import GuidedGeneration
import ModelServers
import Tokenization

/// The decisions of a served answer, measured from the tokens that the server listed at each step.
///
/// The listed tokens are a vocabulary of their own, over which the engine's mask and its recorder
/// of
/// decisions work as they do over a whole one. The mass of what was not listed belongs to no option
/// and makes the decision that much less resolved.
///
/// ```
/// step 7   listed   []  0.20   [{  0.50   [  0.25      not listed 0.05
///                   end        element    open         unresolved
/// ```
struct ListedDecisions {
  /// The decisions, in the order in which they fell.
  private(set) var decisions: [DecisionRecord] = []

  /// The mark that is put where bytes were no text; such tokens could be any.
  private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

  /// Measures an answer.
  ///
  /// - Parameters:
  ///   - tokens: The sampled tokens with those that were listed beside them.
  ///   - schema: The schema of the answer.
  ///   - settings: How it was sampled.
  init(_ tokens: [ListedToken], _ schema: GenerationSchema, _ settings: GenerationSettings) {
    guard !tokens.isEmpty else { return }
    let steps = tokens.map(Self.probabilities)
    var numbers: [[UInt8]: TokenID] = [:]
    // The first token stands for everything that is not listed: no text can be made of it.
    var texts: [[UInt8]] = [[]]
    for bytes in steps.flatMap(\.keys) where numbers[bytes] == nil {
      numbers[bytes] = TokenID(texts.count)
      texts.append(bytes)
    }
    let kinds = [Vocabulary.Kind.special] + texts.dropFirst().map { _ in .text }
    let vocabulary = Vocabulary(tokens: texts, kinds: kinds, endTokens: [])
    guard
      let grammar = try? CompiledGrammar(
        schema: schema, table: TokenTable(vocabulary: vocabulary),
        options: GrammarOptions(whitespace: .any))
    else { return }
    var session = DecodingSession(
      automaton: grammar.makeAutomaton(), settings: SamplingSettings(settings), seed: 0, repeat: 0,
      recording: DecodingRecording(decisions: true, pressureKinds: false))
    for (token, probabilities) in zip(tokens, steps) where !session.isFinished {
      guard let chosen = numbers[token.chosen.bytes] else { break }
      var logits = [Float](repeating: -.infinity, count: texts.count)
      for (bytes, probability) in probabilities {
        guard let number = numbers[bytes] else { continue }
        logits[Int(number)] = Float(log(probability))
      }
      let unlisted = max(0, 1 - probabilities.values.reduce(0, +))
      if unlisted > 0 { logits[0] = Float(log(unlisted)) }
      let isTaken = logits.withUnsafeBufferPointer { logits in
        (try? session.next(logits: logits, forcing: chosen, unlisted: unlisted)) != nil
      }
      // The server's own layout or spelling left the grammar; what fell before is known.
      if !isTaken { break }
    }
    decisions = session.decisions.map(DecisionRecord.init)
  }

  /// The probabilities of a step by bytes; tokens of equal bytes are one.
  private static func probabilities(_ token: ListedToken) -> [[UInt8]: Double] {
    var probabilities: [[UInt8]: Double] = [:]
    var seen: Set<Int> = []
    for listed in token.alternatives where isText(listed.bytes) {
      if let id = listed.id, !seen.insert(id).inserted { continue }
      let probability = exp(min(0, listed.logProbability))
      if probability > 0 { probabilities[listed.bytes, default: 0] += probability }
    }
    if probabilities[token.chosen.bytes] == nil, isText(token.chosen.bytes) {
      probabilities[token.chosen.bytes] = max(1e-30, exp(min(0, token.chosen.logProbability)))
    }
    return probabilities
  }

  /// Whether bytes are those of a token of text, for all that can be told.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    if bytes.isEmpty || bytes.count > 1024 { return false }
    if bytes.starts(with: [0x3C]), bytes.last == 0x3E, bytes.count > 2 { return false }
    return bytes.firstRange(of: replacement) == nil
  }
}
