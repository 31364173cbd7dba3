import TestSupport
import Tokenization

@testable import ConstrainedDecoding

/// A model whose logits are a fixed pseudorandom function of the previous tokens.
struct TinyModel {
  let vocabulary: Vocabulary
  var seed: UInt64
  /// The largest absolute value of a logit.
  var spread: Float = 2

  func logits(after tokens: [TokenID]) -> [Float] {
    var state = seed
    for token in tokens { state = state &* 0x100_0000_01B3 ^ UInt64(UInt32(bitPattern: token)) }
    var random = SeededGenerator(seed: state)
    return (0..<vocabulary.count).map { _ in
      Float.random(in: -spread...spread, using: &random)
    }
  }

  /// Returns the probabilities of the legal tokens after some tokens, computed without the sampler.
  func probabilities(
    after tokens: [TokenID], legal: [TokenID], temperature: Double = 1
  ) -> [Double] {
    let logits = logits(after: tokens)
    let weights = legal.map { ExactMath.exp(Double(logits[Int($0)]) / temperature) }
    let total = weights.reduce(0, +)
    return weights.map { $0 / total }
  }

  /// Runs a session until it is finished or has as many tokens as the limit allows.
  func run(
    _ automaton: TokenAutomaton, _ settings: SamplingSettings = SamplingSettings(),
    seed: UInt64 = 1, repeat number: Int = 0, recording: DecodingRecording = DecodingRecording(),
    limit: Int = 400
  ) throws -> DecodingSession {
    var session = DecodingSession(
      automaton: automaton, settings: settings, seed: seed, repeat: number, recording: recording)
    while !session.isFinished, session.tokens.count < limit {
      let logits = logits(after: session.tokens)
      _ = try logits.withUnsafeBufferPointer { try session.next(logits: $0) }
    }
    return session
  }

  /// Returns the probability of every output, by following every token path of a finite language.
  ///
  /// - Parameter narrowed: A closure that returns the mask to use, or nil to use the automaton's
  ///   mask.
  func outputs(
    _ automaton: TokenAutomaton, temperature: Double = 1,
    narrowed: (Matcher, [TokenID]) -> TokenMask? = { _, _ in nil }
  ) -> [String: Double] {
    var result: [String: Double] = [:]
    var open: [(Matcher, [TokenID], [UInt8], Double)] = [(Matcher(automaton), [], [], 1)]
    while let (matcher, tokens, bytes, mass) = open.popLast() {
      if matcher.isFinished {
        result[String(decoding: bytes, as: UTF8.self), default: 0] += mass
        continue
      }
      let legal = (narrowed(matcher, tokens) ?? matcher.mask).tokens
      let shares = probabilities(after: tokens, legal: legal, temperature: temperature)
      for (token, share) in zip(legal, shares) {
        if vocabulary.endTokens.contains(token) {
          result[String(decoding: bytes, as: UTF8.self), default: 0] += mass * share
          continue
        }
        var next = matcher
        guard next.accept(token) else { continue }
        open.append(
          (next, tokens + [token], bytes + vocabulary.bytes(of: token), mass * share))
      }
    }
    return result
  }

  /// Returns the probability of each option, summed over all token paths.
  ///
  /// The probabilities are conditional on a text that begins with the prefix and contains the
  /// decision.
  ///
  /// - Parameter option: A closure that returns the option that a whole text takes, or nil if the
  ///   text doesn't contain the decision.
  func optionProbabilities(
    _ automaton: TokenAutomaton, prefix: String, option: (String) -> Decision.Option?
  ) -> [Decision.Option: Double] {
    var sums: [Decision.Option: Double] = [:]
    for (text, mass) in outputs(automaton) where text.hasPrefix(prefix) {
      if let option = option(text) { sums[option, default: 0] += mass }
    }
    let total = sums.values.reduce(0, +)
    return sums.mapValues { $0 / total }
  }
}
