import GuidedGeneration
import Testing
import Tokenization

@testable import ConstrainedDecoding

/// Compares decisions with an enumeration of all token paths, in layouts whose white space the
/// model chooses.
///
/// The probabilities must be sums over all ways to write an option and the text before it.
@Suite("Decisions in any layout")
struct LayoutDecisionTests {
  struct World: CustomTestStringConvertible, Sendable {
    var name: String
    var schema: String
    var tokens: [String]
    var kind: DecisionKind
    var path: String
    /// Returns the option for a text without white space.
    var option: @Sendable (String) -> Decision.Option
    var testDescription: String { name }
  }

  static let worlds: [World] = [
    World(
      name: "the end of an array",
      schema: wrapped(#"{"type":"array","items":{"type":"null"},"maxItems":1}"#),
      tokens: ["{\"v\"", ":", ": ", ":[", " [", "[", "]", " ]", " ", "null", "[]", "}", "]}"],
      kind: .array, path: "$.v", option: { $0.contains("[]") ? .end : .element }),
    World(
      name: "a branch after a colon",
      schema: wrapped(#"{"anyOf":[{"type":"null"},{"type":"boolean"}]}"#),
      tokens: [
        "{\"v\"", "{", "\"v\"", ":", ": ", " ", "null", " null", ":true", "true", "false", "}",
      ],
      kind: .branch, path: "$.v",
      option: { $0.contains("null") ? .branch("null") : .branch("boolean") }),
    World(
      name: "a string enum",
      schema: wrapped(#"{"type":"string","enum":["x","y"]}"#),
      tokens: ["{\"v\":", "{\"v\": ", " ", "\"", " \"", "x", "y", "\"x", "\"}", "}"],
      kind: .choice, path: "$.v", option: { $0.contains("x") ? .branch("x") : .branch("y") }),
    World(
      name: "an optional member after another one",
      schema: #"""
        {"type":"object","properties":{"u":{"type":"null"},"v":{"type":"null"}},
         "required":["u"],"additionalProperties":false}
        """#,
      tokens: ["{\"u\":", "null", ",", " ,", ",\"v\"", " ", "\"v\"", ":null", ":", "}", "null}"],
      kind: .optional, path: "$.v", option: { $0.contains("v") ? .present : .absent }),
  ]

  private static let options = GrammarOptions(
    whitespace: .any, whitespaceBound: WhitespaceBound(lineEnds: 0, blanks: 1, blanksPerLevel: 0))

  @Test(
    "in every repeat, an option's probability is the sum over all layouts and segmentations",
    arguments: worlds)
  func layouts(world: World) throws {
    let schema = try schema(world.schema)
    let vocabulary = vocabulary(world.tokens)
    for seed in 0..<8 {
      let model = TinyModel(vocabulary: vocabulary, seed: UInt64(seed), spread: 1)
      let automaton = try automaton(schema, vocabulary, options: Self.options)
      let expected = model.optionProbabilities(automaton, prefix: "") {
        world.option($0.filter { $0 != " " })
      }
      for number in 0..<4 {
        var session = try model.run(automaton, seed: UInt64(seed), repeat: number)
        for isResolved in [false, true] {
          if isResolved { session.resolveDecisions(budget: 2000) { model.logits(after: $0) } }
          let found = session.decisions.filter { $0.kind == world.kind && $0.path == world.path }
          let text = session.text
          #expect(found.count == 1, "\(text) \(found)")
          guard let decision = found.first else { continue }
          let taken = world.option(text.filter { $0 != " " })
          #expect(decision.chosenOption == taken, "\(text)")
          for option in decision.options {
            let difference = abs(option.sampled - (expected[option.option] ?? 0))
            #expect(difference <= decision.unresolved + 1e-9, "\(text) \(decision) \(expected)")
          }
          if isResolved { #expect(decision.unresolved < 0.005, "\(text) \(decision)") }
        }
      }
    }
  }

  @Test("a different number of blanks doesn't change which value is sampled next")
  func pairing() throws {
    let schema = try schema(wrapped(#"{"type":"string","enum":["p","q","r","s"]}"#))
    let vocabulary = vocabulary(["{\"v\":", " ", "\"", "p", "q", "r", "s", "\"}", "}"])
    let automaton = try automaton(schema, vocabulary, options: GrammarOptions(whitespace: .any))
    /// Returns the sampled letter and the number of blanks.
    ///
    /// The parameter `blank` is the logit of a blank. All other tokens have a logit of 0.
    func letter(_ seed: UInt64, blank: Float) throws -> (letter: String, blanks: Int) {
      var session = DecodingSession(
        automaton: automaton, settings: SamplingSettings(), seed: seed, repeat: 0)
      while !session.isFinished {
        var logits = [Float](repeating: 0, count: vocabulary.count)
        logits[2] = blank
        try logits.withUnsafeBufferPointer { _ = try session.next(logits: $0) }
      }
      let letters = session.text.filter { "pqrs".contains($0) }
      return (letters, session.text.count { $0 == " " })
    }
    var differentLayouts = 0
    for seed in 0..<60 {
      let (sparse, dense) = (
        try letter(UInt64(seed), blank: -3), try letter(UInt64(seed), blank: 1)
      )
      #expect(sparse.letter == dense.letter)
      if sparse.blanks != dense.blanks { differentLayouts += 1 }
    }
    #expect(differentLayouts > 30)
  }

  @Test("white space is as frequent as the model's probabilities say")
  func layoutFrequencies() throws {
    let schema = try schema(wrapped(#"{"type":"boolean"}"#))
    let vocabulary = vocabulary(["{\"v\":", " ", "true", " true", "false", "}"])
    let model = TinyModel(vocabulary: vocabulary, seed: 3, spread: 1)
    let automaton = try automaton(schema, vocabulary, options: Self.options)
    let expected = model.outputs(automaton)
    var counts: [String: Int] = [:]
    let runs = 6000
    for number in 0..<runs {
      let session = try model.run(
        automaton, seed: 12, repeat: number, recording: DecodingRecording(decisions: false))
      counts[session.text, default: 0] += 1
    }
    let statistic = expected.reduce(0.0) { sum, entry in
      let mean = entry.value * Double(runs)
      let difference = Double(counts[entry.key] ?? 0) - mean
      return sum + difference * difference / mean
    }
    // Eight texts have seven degrees of freedom, so the statistic exceeds 29.9 with probability
    // 0.0001. The seed is fixed, so each test run gives the same result.
    #expect(expected.count == 8, "\(expected.keys)")
    #expect(statistic < 29.9, "\(statistic)")
  }
}
