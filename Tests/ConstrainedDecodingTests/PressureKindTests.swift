import GuidedGeneration
import Testing
import Tokenization

@testable import ConstrainedDecoding

/// Compares the pressure of each kind with numbers computed by hand.
@Suite("Kinds of pressure")
struct PressureKindTests {
  private func session(
    _ schema: String, _ tokens: [String], _ whitespace: WhitespaceMode,
    _ policy: TokenizationPolicy = .allSegmentations, weights: [[String: Double]]
  ) throws -> DecodingSession {
    let vocabulary = vocabulary(tokens)
    let table = TokenTable(vocabulary: vocabulary)
    let automaton = try CompiledGrammar(
      measuringFormat: try ConstrainedDecodingTests.schema(schema), table: table,
      options: GrammarOptions(whitespace: whitespace)
    ).makeAutomaton()
    var session = DecodingSession(
      automaton: automaton, settings: SamplingSettings(isGreedy: true), seed: 1, repeat: 0,
      tokenization: policy)
    for step in weights {
      let logits = [-.infinity] + tokens.map { Float(ExactMath.log(step[$0] ?? 0)) }
      try logits.withUnsafeBufferPointer { _ = try session.next(logits: $0) }
    }
    return session
  }

  private func check(_ value: Double?, _ expected: Double) {
    #expect(abs((value ?? .nan) - expected) < 1e-5, "\(value ?? .nan) \(expected)")
  }

  private let array = wrapped(#"{"type":"array","items":{"type":"null"}}"#)
  private let tokens = ["{\"v\":", "[", " [", "null", "]", "}", "Sure", "\"x", "[]", " ", "\n\n\n"]

  @Test("pressure is split between the preface, the white space and the content")
  func compact() throws {
    let session = try session(
      array, tokens, .compact,
      weights: [
        // Half of the probability is on a preface, and a fifth of the rest is on a string where an
        // object must come.
        ["Sure": 0.5, "\"x": 0.1, "{\"v\":": 0.4],
        [" [": 0.9, "[": 0.05, "null": 0.05],
        ["]": 1], ["}": 1],
      ])
    #expect(session.text == "{\"v\":[]}")
    let kinds = try #require(session.pressureKinds)
    check(kinds.preface, ExactMath.log(1 / 0.5))
    check(kinds.whitespace, ExactMath.log(0.95 / 0.05))
    check(kinds.content, ExactMath.log(0.5 / 0.4) + ExactMath.log(1 / 0.95))
    check(kinds.segmentation, 0)
    check(
      kinds.whitespace + kinds.segmentation + kinds.preface + kinds.content, -session.logKeptMass)
    // At the array's decision, the layout keeps only 0.05 of the 0.95 that the schema allows.
    check(session.decisions.first?.formatPressure, ExactMath.log(0.95 / 0.05))
  }

  @Test("if the model chooses the white space, only white space beyond the bound adds pressure")
  func bound() throws {
    let session = try session(
      array, tokens, .any,
      weights: [
        ["{\"v\":": 1], ["\n\n\n": 0.25, " [": 0.5, "[": 0.25], ["]": 1], ["}": 1],
      ])
    #expect(session.text == "{\"v\": []}")
    check(session.pressureKinds?.whitespace, ExactMath.log(1 / 0.75))
    check(session.pressureKinds?.content, 0)
  }

  @Test("ruling out tokens that the tokenizer would never produce adds segmentation pressure")
  func segmentation() throws {
    // The tokenizer never makes a separate token of a single bracket.
    let known: [String: [TokenID]] = ["{\"v\":": [1], "{\"v\":[]": [1, 5], "[]}": [5, 4]]
    let session = try session(
      array, ["{\"v\":", "[", "]", "}", "[]", "null"], .compact,
      .canonicalPairs(encoder: { known[$0] ?? [] }),
      weights: [["{\"v\":": 1], ["[]": 0.25, "[": 0.25, "null": 0.5], ["}": 1]])
    #expect(session.text == "{\"v\":[]}")
    check(session.pressureKinds?.content, ExactMath.log(2))
    check(session.pressureKinds?.segmentation, ExactMath.log(2))
  }
}
