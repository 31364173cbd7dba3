import Foundation
import GuidedGeneration
import TestSupport
import Testing
import Tokenization

@testable import ConstrainedDecoding

@Suite("Sampling")
struct SamplingTests {
  @Test("the exponential and the logarithm agree with the C library to a relative error of 4.5e-16")
  func mathematics() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      let x = Double.random(in: -700...700, using: &random)
      #expect(abs(ExactMath.exp(x) / Foundation.exp(x) - 1) < 4.5e-16)
      let y = Foundation.exp(x)
      #expect(abs(ExactMath.log(y) - Foundation.log(y)) <= 4.5e-16 * max(1, abs(x)))
    }
    #expect(ExactMath.exp(0) == 1)
    #expect(ExactMath.exp(-800) == 0)
    #expect(ExactMath.exp(-745) >= 0)
    #expect(ExactMath.exp(.nan) == 0)
    #expect(ExactMath.log(1) == 0)
    #expect(ExactMath.log(0) == -.infinity)
    let tiny = Double.leastNonzeroMagnitude
    #expect(abs(ExactMath.log(tiny) - Foundation.log(tiny)) < 1e-12)
  }

  @Test(
    "the frequencies of outputs match their exact probabilities (chi-square)",
    arguments: [0.5, 1.0, 1.7])
  func frequencies(temperature: Double) throws {
    let schema = try schema(DecisionTests.pairs)
    let vocabulary = vocabulary(["[", "]", "[]", "[[", "],", ",", "null", "]]", ",["])
    let model = TinyModel(vocabulary: vocabulary, seed: 11, spread: 1)
    let automaton = try automaton(schema, vocabulary)
    let expected = model.outputs(automaton, temperature: temperature)
    #expect(abs(expected.values.reduce(0, +) - 1) < 1e-9)
    let runs = 20_000
    var counts: [String: Int] = [:]
    let settings = SamplingSettings(temperature: temperature)
    for number in 0..<runs {
      let session = try model.run(
        automaton, settings, seed: 99, repeat: number,
        recording: DecodingRecording(decisions: false))
      counts[session.text, default: 0] += 1
    }
    #expect(Set(counts.keys).isSubset(of: Set(expected.keys)))
    let statistic = expected.reduce(0.0) { sum, entry in
      let mean = entry.value * Double(runs)
      let difference = Double(counts[entry.key] ?? 0) - mean
      return sum + difference * difference / mean
    }
    // With 6 degrees of freedom, the statistic exceeds 27.9 with probability 0.0001. The seed is
    // fixed, so each test run gives the same result.
    #expect(expected.count == 7)
    #expect(statistic < 27.9, "\(statistic)")
  }

  @Test("the same seed, repeat and logits give the same tokens; other repeats mostly don't")
  func reproducible() throws {
    let schema = try schema(wrapped(#"{"type":"string","maxLength":12}"#))
    let vocabulary = vocabulary(["{\"v\":\"", "a", "b", "ab", "\"}", "c"])
    let model = TinyModel(vocabulary: vocabulary, seed: 5)
    let automaton = try automaton(schema, vocabulary)
    let first = try model.run(automaton, seed: 4, repeat: 2)
    #expect(try model.run(automaton, seed: 4, repeat: 2).tokens == first.tokens)
    let others = try (3..<12).map { try model.run(automaton, seed: 4, repeat: $0).tokens }
    #expect(Set(others).count > 4)
  }

  struct Truncation {
    var settings: SamplingSettings
    var expected: [Double]
  }

  /// Truncations of the probabilities 8/15, 4/15, 2/15, 1/15.
  static let truncations: [Truncation] = [
    Truncation(settings: .init(), expected: [8.0 / 15, 4.0 / 15, 2.0 / 15, 1.0 / 15]),
    Truncation(settings: .init(topK: 2), expected: [8.0 / 12, 4.0 / 12, 0, 0]),
    Truncation(settings: .init(topP: 0.5), expected: [1, 0, 0, 0]),
    Truncation(settings: .init(topP: 0.54), expected: [8.0 / 12, 4.0 / 12, 0, 0]),
    Truncation(settings: .init(topK: 3, topP: 0.8), expected: [8.0 / 12, 4.0 / 12, 0, 0]),
    Truncation(settings: .init(minP: 0.2), expected: [8.0 / 14, 4.0 / 14, 2.0 / 14, 0]),
    Truncation(settings: .init(temperature: 0.5, topK: 2), expected: [0.8, 0.2, 0, 0]),
    Truncation(settings: .init(isGreedy: true), expected: [1, 0, 0, 0]),
    Truncation(settings: .init(temperature: 0), expected: [1, 0, 0, 0]),
  ]

  @Test(
    "temperature, top-k, top-p and min-p give each token the right probability",
    arguments: truncations.indices)
  func truncation(row: Int) throws {
    let item = Self.truncations[row]
    let schema = try schema(#"{"type":"string","enum":["a","b","c","d"]}"#)
    let vocabulary = vocabulary(["\"a\"", "\"b\"", "\"c\"", "\"d\"", "x"])
    let automaton = try automaton(schema, vocabulary)
    let logits = [Float.nan, 3, 2, 1, 0, 50].map { $0 * Float(ExactMath.log(2)) }
    let distribution = TokenDistribution(tokenCount: vocabulary.count)
    let isFilled = logits.withUnsafeBufferPointer {
      distribution.fill(
        logits: $0, mask: automaton.mask(at: automaton.start), settings: item.settings)
    }
    #expect(isFilled)
    for (token, expected) in zip(TokenID(1)..., item.expected) {
      #expect(abs(distribution.sampledProbability(of: token) - expected) < 1e-6)
    }
    #expect(distribution.keptMass > 0 && distribution.keptMass < 1e-12)
  }

  @Test(
    "the entropies before and after the mask don't depend on the sampling settings",
    arguments: [SamplingSettings(), SamplingSettings(temperature: 0.3, topK: 2)])
  func entropies(settings: SamplingSettings) throws {
    let schema = try schema(#"{"type":"string","enum":["a","b","c","d"]}"#)
    let vocabulary = vocabulary(["\"a\"", "\"b\"", "\"c\"", "\"d\"", "x"])
    let automaton = try automaton(schema, vocabulary)
    // The weights are 8, 4, 2, 1 for the legal tokens and 8 for the illegal one. So the
    // entropies are log₂ 23 − (24 + 8 + 2 + 24) / 23 before the mask and
    // log₂ 15 − (24 + 8 + 2) / 15 after it.
    let logits = [Float.nan, 3, 2, 1, 0, 3].map { $0 * Float(ExactMath.log(2)) }
    let distribution = TokenDistribution(tokenCount: vocabulary.count)
    let entropies = logits.withUnsafeBufferPointer { logits in
      #expect(
        distribution.fill(
          logits: logits, mask: automaton.mask(at: automaton.start), settings: settings))
      return distribution.entropies
    }
    #expect(abs(entropies.raw - 2.001822826) < 1e-6)
    #expect(abs(entropies.masked - 1.640223929) < 1e-6)
  }

  @Test("if the model rules out every legal token, decoding fails instead of choosing one")
  func noFiniteLogit() throws {
    let schema = try schema(#"{"type":"null"}"#)
    let vocabulary = vocabulary(["null", "x"])
    let automaton = try automaton(schema, vocabulary)
    var session = DecodingSession(
      automaton: automaton, settings: SamplingSettings(), seed: 1, repeat: 0)
    #expect(throws: DecodingError.noFiniteLogit(path: "$")) {
      try [Float](arrayLiteral: 0, -.infinity, 3).withUnsafeBufferPointer {
        _ = try session.next(logits: $0)
      }
    }
    #expect(throws: DecodingError.logitCount(1, expected: 3)) {
      try [Float(0)].withUnsafeBufferPointer { _ = try session.next(logits: $0) }
    }
    #expect(session.forcedRun() == [1])
    let step = try [Float](arrayLiteral: 0, -3, 3).withUnsafeBufferPointer {
      try session.next(logits: $0)
    }
    #expect(step == .token(1) && session.isFinished && session.forcedCount == 1)
  }
}
