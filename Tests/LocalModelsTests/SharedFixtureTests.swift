import Foundation
import Testing
import Tokenization

@testable import LocalModels

/// Compares logits and tokens with those of another implementation.
@Suite("Comparison with the reference files", .enabled(if: SharedData.folder != nil))
struct SharedFixtureTests {
  struct Index: Decodable {
    var tokens: [Int32]
    var rows: [Int]
  }

  /// Returns the largest and the mean difference from the reference, and the reference's standard
  /// deviation.
  func difference(_ name: String) throws -> (largest: Double, mean: Double, spread: Double) {
    let index = try JSONDecoder().decode(Index.self, from: SharedData.data("fixtures/index.json"))
    let expected = try SharedData.rows("fixtures/\(name).logits.npy").flatMap { $0 }
    let model = try LocalModel(path: SharedData.path("fixtures/\(name).gguf"))
    let all = try logits(model.makePredictor(slots: 1), index.tokens)
    let actual = index.rows.flatMap { all[$0] }
    let errors = zip(actual, expected).map { Double(abs($0 - $1)) }
    let count = Double(expected.count)
    let mean = expected.reduce(0) { $0 + Double($1) } / count
    let variance = expected.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / count
    return (errors.max() ?? .infinity, errors.reduce(0, +) / count, variance.squareRoot())
  }

  @Test(
    "with float weights, the logits match the reference's to within 1e-4",
    arguments: ["llama-f32", "llama-ropefreqs-f32", "qwen2-f32", "qwen3-f32"])
  func float(_ name: String) throws {
    let (largest, _, _) = try difference(name)
    print("\(name): largest difference \(largest)")
    #expect(largest < 1e-4)
  }

  @Test(
    "with 16-bit or quantized weights, logits stay close to another implementation's",
    arguments: [
      "llama-f16", "llama-bf16", "llama-q8_0", "llama-q4_0", "llama-q4_1", "llama-q5_0",
      "llama-q5_1", "llama-q2_k", "llama-q3_k_m", "llama-q4_k_m", "llama-q5_k_m", "llama-q6_k",
      "llama-iq4_nl", "llama-iq4_xs",
    ])
  func rounded(_ name: String) throws {
    let (largest, mean, spread) = try difference(name)
    print("\(name): largest \(largest), mean \(mean), spread \(spread)")
    #expect(mean < 0.05 * spread)
  }

  @Test(
    "with each vocabulary, texts are encoded as the same tokens as in the reference",
    arguments: ["gpt-2", "phi-3", "qwen2"])
  func vocabularies(_ name: String) throws {
    let path = "vocab/ggml-vocab-\(name).gguf"
    let file = try GGUFFile(path: SharedData.path(path))
    let tokenizer = Tokenizer(try file.tokenizerDefinition(tokenCount: nil))
    let inputs = String(decoding: try SharedData.data(path + ".inp"), as: UTF8.self)
      .components(separatedBy: "\n__ggml_vocab_test__\n")
    let outputs = String(decoding: try SharedData.data(path + ".out"), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    for (input, output) in zip(inputs, outputs) {
      let expected = output.split(separator: " ").compactMap { TokenID($0) }
      #expect(tokenizer.encode(input) == expected, "\(input.debugDescription)")
    }
    #expect(inputs.count > 40)
  }

  struct Strings: Decodable {
    struct Vocabulary: Decodable { var ids: [[TokenID]] }
    var strings: [String]
    var vocabs: [String: Vocabulary]
  }

  @Test(
    "difficult strings are encoded as the same tokens as in the reference",
    arguments: ["gpt-2", "phi-3", "qwen2"])
  func strings(_ name: String) throws {
    let oracle = try JSONDecoder().decode(
      Strings.self, from: SharedData.data("oracles/tokenizer_strings.json"))
    let file = try GGUFFile(path: SharedData.path("vocab/ggml-vocab-\(name).gguf"))
    let tokenizer = Tokenizer(try file.tokenizerDefinition(tokenCount: nil))
    let expected = try #require(oracle.vocabs[name]).ids
    #expect(expected.count == oracle.strings.count)
    for (text, ids) in zip(oracle.strings, expected) {
      #expect(tokenizer.encode(text) == ids, "\(text.debugDescription)")
    }
  }

  struct Greedy: Decodable {
    var prompt: String
    var prompt_tokens: [TokenID]
    var tokens: [TokenID]
    var top5: [[Float]]
  }

  @Test("the model with 260K parameters reproduces the published continuations")
  func stories() throws {
    let oracle = try JSONDecoder().decode(
      [Greedy].self, from: SharedData.data("oracles/stories260K_greedy.json"))
    let writer = try StoriesCheckpoint.converted()
    try withTemporaryFile(writer.encoded()) { path in
      let model = try LocalModel(path: path)
      let predictor = model.makePredictor(slots: 1)
      for story in oracle {
        #expect([1] + model.tokenizer.encode(story.prompt) == story.prompt_tokens)
        predictor.rewind(slot: 0, to: 0)
        var tokens = story.prompt_tokens
        var next = tokens
        var largest: Float = 0
        while tokens.count < story.tokens.count {
          var row: [Float] = []
          try predictor.evaluate([PredictorInput(slot: 0, tokens: next, wanted: .last)]) {
            row = Array($2)
          }
          let best = row.sorted(by: >).prefix(5)
          let expected = story.top5[tokens.count - story.prompt_tokens.count]
          for (a, b) in zip(best, expected) { largest = max(largest, abs(a - b)) }
          next = [TokenID(row.firstIndex(of: best[0]) ?? 0)]
          tokens += next
        }
        #expect(tokens == story.tokens)
        #expect(largest < 1e-3)
        print("stories260K: largest difference of the five best logits \(largest)")
      }
    }
  }
}
