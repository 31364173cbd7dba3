import ConstrainedDecoding
import EvalRecords
import Foundation
import GuidedGeneration
import ModelServers
import Tokenization

/// The decisions of a served answer, measured from the tokens that the server listed at each step.
///
/// The listed tokens form a small vocabulary. The engine's mask and its recorder of decisions work
/// on it as they do on a full one. The mass of tokens that were not listed belongs to no option and
/// increases the decision's unresolved probability.
///
/// ```
/// step 7   listed   []  0.20   [{  0.50   [  0.25      not listed 0.05
///                   end        element    open         unresolved
/// ```
struct ListedDecisions {
  /// The decisions in order.
  private(set) var decisions: [DecisionRecord] = []

  /// The replacement character, which stands for bytes that weren't valid text; tokens that contain
  /// it could be anything.
  private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

  /// Measures an answer.
  ///
  /// - Parameters:
  ///   - tokens: The sampled tokens with their listed alternatives.
  ///   - schema: The schema of the answer.
  ///   - settings: The sampling settings.
  init(_ tokens: [ListedToken], _ schema: GenerationSchema, _ settings: GenerationSettings) {
    guard !tokens.isEmpty else { return }
    let steps = tokens.map(Self.probabilities)
    var numbers: [[UInt8]: TokenID] = [:]
    // The first token, with an empty text, stands for everything that isn't listed.
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
      // The server's layout or spelling left the grammar; the decisions before that are known.
      if !isTaken { break }
    }
    decisions = session.decisions.map(DecisionRecord.init)
  }

  /// The probabilities of a step by the tokens' bytes; the probabilities of tokens with equal bytes
  /// are added.
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

  /// True if the bytes look like those of a text token; a server doesn't report the token's kind.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    if bytes.isEmpty || bytes.count > 1024 { return false }
    if bytes.starts(with: [0x3C]), bytes.last == 0x3E, bytes.count > 2 { return false }
    return bytes.firstRange(of: replacement) == nil
  }
}
