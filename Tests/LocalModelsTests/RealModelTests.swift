import Foundation
import Testing
import Tokenization

@testable import LocalModels

/// The path of the real model, and whether its tests run.
private enum RealModelFile {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  static let model = root.appendingPathComponent(
    "evals/models/SmolLM2-135M-Instruct.Q4_1.gguf"
  ).path
  static let isWanted =
    ProcessInfo.processInfo.environment["ASSAY_REAL_WEIGHTS"] != nil
    && FileManager.default.fileExists(atPath: model)
}

/// Compares Assay's results for SmolLM2 with references: the tokens with those of a plain byte-pair
/// encoder, and the logits with logits computed in float64.
///
/// `scripts/models/model-references` writes the references. The tests run only if
/// `ASSAY_REAL_WEIGHTS` is set, as in continuous integration, and if `scripts/model get smollm2` has
/// fetched the model. If the variable is set during the build, the kernels are optimized; the tests
/// need that.
@Suite("A real model", .enabled(if: RealModelFile.isWanted))
struct RealModelTests {
  private struct Reference: Decodable {
    struct Text: Decodable {
      var text: String
      var tokens: [TokenID]
    }
    struct Row: Decodable {
      var position: Int
      var spread: Double
      var tokens: [Int]
      var values: [Double]
    }
    var texts: [Text]
    var prompt: String
    var tokens: [TokenID]
    var rows: [Row]
  }

  private func reference() throws -> Reference {
    let file = RealModelFile.root
      .appendingPathComponent("Tests/LocalModelsTests/References/smollm2.json")
    return try JSONDecoder().decode(Reference.self, from: Data(contentsOf: file))
  }

  @Test("the tokenizer splits texts into the same tokens as a plain byte-pair encoder")
  func tokens() throws {
    let tokenizer = try LocalModel(path: RealModelFile.model).tokenizer
    let reference = try reference()
    #expect(reference.texts.count > 10)
    for text in reference.texts {
      #expect(tokenizer.encode(text.text) == text.tokens, "\(text.text.debugDescription)")
    }
    #expect(tokenizer.encode(reference.prompt) == reference.tokens)
  }

  @Test("the logits agree with a float64 evaluation, and Assay's likeliest token is near its top")
  func logits() throws {
    let reference = try reference()
    let model = try LocalModel(path: RealModelFile.model)
    let rows = try LocalModelsTests.logits(model.makePredictor(slots: 1), reference.tokens)
    for row in reference.rows {
      let actual = rows[row.position]
      let errors = zip(row.tokens, row.values).map { abs(Double(actual[$0]) - $1) }
      #expect(errors.reduce(0, +) / Double(errors.count) < 0.1 * row.spread)
      #expect((errors.max() ?? .infinity) < 0.5 * row.spread)
      // If two logits are nearly equal, rounding may swap them.
      let best = try #require(actual.indices.max { actual[$0] < actual[$1] })
      let place = try #require(row.tokens.firstIndex(of: best), "no reference logit for \(best)")
      let largest = try #require(row.values.max())
      #expect(row.values[place] > largest - 0.2 * row.spread, "position \(row.position)")
    }
  }
}
