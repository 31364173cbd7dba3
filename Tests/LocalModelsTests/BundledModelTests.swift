import Foundation
import Testing
import Tokenization

@testable import LocalModels

/// Compares the bundled model's tokens and logits with an independent reference.
@Suite("The bundled model", .enabled(if: BundledModel.isPresent))
struct BundledModelTests {
  struct Reference: Decodable {
    struct Row: Decodable {
      var position: Int
      var values: [Double]
    }
    struct Encoded: Decodable {
      var text: String
      var ids: [TokenID]
    }
    var prompt: String
    var tokens: [TokenID]
    var logits: [Row]
    var tokenizer: [Encoded]
    var tokenizerWithSpecials: [Encoded]
  }

  func reference() throws -> Reference {
    try JSONDecoder().decode(
      Reference.self, from: Data(contentsOf: URL(fileURLWithPath: BundledModel.referencePath)))
  }

  @Test("the tokenizer splits texts into the same tokens as the reference")
  func tokens() throws {
    let tokenizer = try LocalModel(path: BundledModel.path).tokenizer
    let reference = try reference()
    for pair in reference.tokenizer {
      #expect(tokenizer.encode(pair.text) == pair.ids, "\(pair.text.debugDescription)")
      #expect(tokenizer.decode(pair.ids) == pair.text)
    }
    for pair in reference.tokenizerWithSpecials {
      #expect(tokenizer.encode(pair.text, parsingSpecial: true) == pair.ids)
    }
    #expect(tokenizer.encode(reference.prompt, parsingSpecial: true) == reference.tokens)
    #expect(reference.tokenizer.count > 20)
  }

  @Test("on average, logits are off by less than 5 % of the reference's standard deviation")
  func logits() throws {
    let reference = try reference()
    let model = try LocalModel(path: BundledModel.path)
    let rows = try LocalModelsTests.logits(
      model.makePredictor(slots: 1), reference.tokens)
    for row in reference.logits {
      let actual = rows[row.position]
      #expect(actual.count == row.values.count)
      let mean = row.values.reduce(0, +) / Double(row.values.count)
      let spread =
        (row.values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        / Double(row.values.count)).squareRoot()
      let errors = zip(actual, row.values).map { abs(Double($0) - $1) }
      #expect(errors.reduce(0, +) / Double(errors.count) < 0.05 * spread)
      #expect((errors.max() ?? .infinity) < 0.3 * spread)
    }
  }

  @Test("a conversation is written in the format that the model was trained on")
  func prompt() throws {
    let model = try LocalModel(path: BundledModel.path)
    #expect(model.info.chatTemplate?.format == .chatML)
    #expect(model.info.byteCount <= 2_000_000)
    let pieces = ChatFormat.chatML.render(system: "A\n\nB", user: "C")
    let written =
      "<|im_start|>system\nA\n\nB<|im_end|>\n<|im_start|>user\nC<|im_end|>\n"
      + "<|im_start|>assistant\n"
    #expect(pieces.map(\.written).joined() == written)
    #expect(model.encode(pieces) == model.tokenizer.encode(written, parsingSpecial: true))
  }
}
