import Testing
import Tokenization

@testable import LocalModels

@Suite("The transformer")
struct LlamaPredictorTests {
  static let shapes: [TinyModel] = [
    TinyModel(),
    TinyModel { ($0.isTied, $0.hasFactors) = (false, true) },
    TinyModel { ($0.heads, $0.keyValueHeads, $0.headLength) = (3, 1, 24) },
    // More heads share keys than the kernel can process together.
    TinyModel { ($0.heads, $0.keyValueHeads, $0.layers) = (35, 1, 1) },
    TinyModel { $0.architecture = "qwen2" },
    TinyModel { ($0.architecture, $0.headLength) = ("qwen3", 32) },
    TinyModel { ($0.architecture, $0.layers) = ("smollm3", 5) },
    TinyModel { $0.isYarn = true },
    // Of the seven layers, only the sixth has full attention. The 24 tokens exceed the window of 5.
    TinyModel { ($0.architecture, $0.layers, $0.window) = ("gemma3", 7, 5) },
    TinyModel {
      ($0.architecture, $0.headLength, $0.linearStretch, $0.logitCap) = ("gemma3", 24, 8, 2)
    },
    TinyModel { ($0.architecture, $0.isTied, $0.rotated) = ("phi3", false, 12) },
    TinyModel {
      ($0.architecture, $0.hasLongFactors, $0.keyValueHeads, $0.window) = ("phi3", true, 4, 7)
    },
    TinyModel { ($0.architecture, $0.isYarn, $0.headLength) = ("mistral3", true, 32) },
    // The weights are stored as F16 or BF16.
    TinyModel { $0.type = 1 },
    TinyModel { $0.type = 30 },
  ]

  @Test("with float weights, the logits match the reference's to within 1e-4", arguments: shapes)
  func floatWeights(_ tiny: TinyModel) throws {
    let tokens = someTokens(tiny.hasLongFactors ? 16 : 24, below: tiny.vocabulary)
    let expected = ReferenceTransformer(model: tiny).logits(tokens.map(Int.init))
    try withModel(tiny) { model in
      let actual = try logits(model.makePredictor(slots: 1), tokens)
      #expect(largestDifference(actual, expected) < 1e-4)
    }
  }

  @Test(
    "only Gemma 3 with 62 layers scales attention by the width per head, not by the head's length",
    arguments: [("gemma3", 62, 16), ("gemma3", 7, 24), ("qwen3", 62, 24)])
  func attentionScale(architecture: String, layers: Int, length: Int) throws {
    let tiny = TinyModel {
      ($0.architecture, $0.layers, $0.headLength) = (architecture, layers, 24)
    }
    #expect(tiny.width / tiny.heads == 16)
    try withModel(tiny) { model in
      #expect(model.shape.attentionScale == 1 / Float(length).squareRoot())
    }
  }

  @Test("a context longer than the model's original context uses separate rotation factors")
  func longFactors() throws {
    let tiny = TinyModel { ($0.architecture, $0.hasLongFactors) = ("phi3", true) }
    let tokens = someTokens(24, below: tiny.vocabulary)
    let expected = ReferenceTransformer(model: tiny).logits(tokens.map(Int.init), isLong: true)
    try withModel(tiny) { model in
      #expect(model.usualContextLength == 16)
      let actual = try logits(model.makePredictor(slots: 1, contextLength: 200), tokens)
      #expect(largestDifference(actual, expected) < 1e-4)
    }
  }

  @Test("with a window, logits match the reference's, even if each call evaluates only one token")
  func window() throws {
    let tiny = TinyModel {
      ($0.architecture, $0.window, $0.layers, $0.vocabulary) = ("gemma3", 40, 1, 262)
    }
    let tokens = someTokens(90, below: tiny.vocabulary)
    let expected = ReferenceTransformer(model: tiny).logits(tokens.map(Int.init))
    try withModel(tiny) { model in
      let atOnce = try logits(model.makePredictor(slots: 1), tokens)
      #expect(largestDifference(atOnce, expected) < 1e-4)
      let predictor = model.makePredictor(slots: 1)
      let split = try tokens.map { try logits(predictor, [$0])[0] }
      #expect(bits(split) == bits(atOnce))
    }
  }

  /// Returns a model with one layer, whose rows are long enough for the blocks of a type.
  static func rounded(_ type: UInt32) -> TinyModel {
    TinyModel {
      $0.type = type
      $0.layers = 1
      $0.vocabulary = 70
      if StoredBlocks.layouts[type]?.length == 256 {
        ($0.width, $0.headLength, $0.feedForward) = (256, 64, 256)
      } else if type != 8 {
        // These lengths aren't multiples of 64, so a single block is left at the end of a row.
        ($0.width, $0.headLength, $0.feedForward) = (96, 24, 160)
      }
    }
  }

  @Test(
    "with quantized weights, logits are off by less than 5 % of the standard deviation on average",
    arguments: [8] + StoredBlocks.layouts.keys.sorted())
  func roundedWeights(_ type: UInt32) throws {
    let tiny = Self.rounded(type)
    let tokens = someTokens(5, below: tiny.vocabulary)
    let expected = ReferenceTransformer(model: tiny).logits(tokens.map(Int.init)).flatMap { $0 }
    let mean = expected.reduce(0, +) / Double(expected.count)
    let spread =
      (expected.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(expected.count))
      .squareRoot()
    try withModel(tiny) { model in
      let actual = try logits(model.makePredictor(slots: 1), tokens).flatMap { $0 }
      let errors = zip(actual, expected).map { abs(Double($0) - $1) }
      #expect(errors.reduce(0, +) / Double(errors.count) < 0.05 * spread)
    }
  }

  @Test(
    "rows of quantized blocks unpack to the numbers that the format defines",
    arguments: StoredBlocks.layouts.keys.sorted())
  func unpacking(_ type: UInt32) throws {
    let tiny = Self.rounded(type)
    try withModel(tiny) { model in
      let matrix = model.weights.embedding
      let buffers = RoundingBuffers(columns: 1, widest: matrix.columns)
      let expected = try #require(tiny.weights["token_embd.weight"])
      var floats = [Float](repeating: 0, count: matrix.columns)
      for row in 0..<matrix.rows {
        matrix.dequantize(row: row, buffers, into: &floats)
        let exact = expected[row * matrix.columns..<(row + 1) * matrix.columns]
        // The tolerance covers two roundings to float32 of the largest number in a row.
        #expect(zip(floats, exact).allSatisfy { abs(Double($0) - $1) < 1e-6 }, "row \(row)")
      }
    }
  }

  @Test(
    "the logits are the same bit for bit, however the tokens are split into calls",
    // The types are F32, F16, Q4_0, Q4_1, Q8_0, BF16, Q5_0, Q4_K and Q6_K.
    arguments: [UInt32(0), 1, 2, 3, 8, 30, 6, 12, 14])
  func splits(_ type: UInt32) throws {
    let floats: [UInt32] = [0, 1, 8, 30]
    let tiny = floats.contains(type) ? TinyModel { $0.type = type } : Self.rounded(type)
    let tokens = someTokens(90, below: tiny.vocabulary)
    try withModel(tiny) { model in
      let atOnce = bits(try logits(model.makePredictor(slots: 1), tokens))
      for size in [1, 3, 7, 12, 13, 29, 64] {
        let predictor = model.makePredictor(slots: 1)
        var rows: [[Float]] = []
        for start in stride(from: 0, to: tokens.count, by: size) {
          rows += try logits(predictor, Array(tokens[start..<min(start + size, tokens.count)]))
        }
        #expect(bits(rows) == atOnce)
      }
    }
  }

  @Test(
    "the logits are the same bit for bit, however many threads compute them",
    arguments: [UInt32(0), 1, 2, 8, 30, 6, 12])
  func threads(_ type: UInt32) throws {
    let tiny = [2, 6, 12].contains(type) ? Self.rounded(type) : TinyModel { $0.type = type }
    let tokens = someTokens(40, below: tiny.vocabulary)
    try withModel(tiny) { model in
      let alone = bits(try logits(model.makePredictor(slots: 1), tokens))
      for threads in [2, 3, 8] {
        let predictor = model.makePredictor(slots: 1)
        predictor.threads = threads
        predictor.leastPart = 1
        let all = try logits(predictor, Array(tokens.dropLast()))
        let last = try logits(predictor, tokens.suffix(1))
        #expect(bits(all + last) == alone, "\(threads) threads")
      }
    }
  }

  @Test("sequences in one batch don't affect each other")
  func slots() throws {
    let tiny = TinyModel { $0.type = 8 }
    let first = someTokens(9, below: tiny.vocabulary, seed: 1)
    let second = someTokens(5, below: tiny.vocabulary, seed: 2)
    try withModel(tiny) { model in
      let alone = try [first, second].map { try logits(model.makePredictor(slots: 1), $0) }
      let predictor = model.makePredictor(slots: 3)
      var together: [[[Float]]] = [
        Array(repeating: [], count: 9), Array(repeating: [], count: 5),
      ]
      try predictor.evaluate([
        PredictorInput(slot: 2, tokens: first, wanted: .all),
        PredictorInput(slot: 0, tokens: second, wanted: .all),
      ]) { together[$0][$1] = Array($2) }
      #expect(together.map(bits) == alone.map(bits))
      #expect((0..<3).map(predictor.length(ofSlot:)) == [5, 0, 9])
    }
  }

  @Test("a rewound or copied slot continues as if nothing else had happened")
  func rewindAndCopy() throws {
    let tiny = TinyModel()
    let tokens = someTokens(20, below: tiny.vocabulary)
    try withModel(tiny) { model in
      let expected = bits(try logits(model.makePredictor(slots: 1), tokens))
      let predictor = model.makePredictor(slots: 2)
      _ = try logits(predictor, Array(tokens[..<12]))
      _ = try logits(predictor, someTokens(5, below: tiny.vocabulary, seed: 9))
      predictor.rewind(slot: 0, to: 12)
      predictor.copy(fromSlot: 0, toSlot: 1)
      _ = try logits(predictor, slot: 0, someTokens(3, below: tiny.vocabulary, seed: 11))
      let rest = try logits(predictor, slot: 1, Array(tokens[12...]))
      #expect(bits(rest) == Array(expected[12...]))
    }
  }

  @Test("the predictor reports only the requested logits")
  func wanted() throws {
    let tiny = TinyModel()
    try withModel(tiny) { model in
      let predictor = model.makePredictor(slots: 2)
      var seen: [[Int]] = []
      try predictor.evaluate([
        PredictorInput(slot: 0, tokens: [4, 5, 6], wanted: .none),
        PredictorInput(slot: 1, tokens: [4, 5], wanted: .last),
      ]) { seen.append([$0, $1, $2.count]) }
      #expect(seen == [[1, 1, tiny.vocabulary]])
    }
  }

  @Test("a model returns the logits at the requested positions, in the requested order")
  func probe() throws {
    let tiny = TinyModel()
    let tokens = someTokens(9, below: tiny.vocabulary)
    try withModel(tiny) { model in
      let all = bits(try logits(model.makePredictor(slots: 1), tokens))
      #expect(bits(try model.logits(tokens: tokens, rows: [8, 0, 8])) == [all[8], all[0], all[8]])
    }
  }

  @Test("invalid input is rejected and has no effect")
  func refusals() throws {
    let tiny = TinyModel()
    try withModel(tiny) { model in
      let predictor = model.makePredictor(slots: 2, contextLength: 8)
      func check(_ input: PredictorInput, _ expected: PredictorError) {
        let good = PredictorInput(slot: 0, tokens: [1], wanted: .last)
        #expect(throws: expected) { try predictor.evaluate([good, input]) { _, _, _ in } }
        #expect(predictor.length(ofSlot: 0) == 0)
      }
      check(
        PredictorInput(slot: 1, tokens: Array(repeating: 1, count: 9), wanted: .last),
        .contextExceeded(length: 9, limit: 8))
      check(PredictorInput(slot: 1, tokens: [300], wanted: .last), .unknownToken(300))
      check(PredictorInput(slot: 1, tokens: [-1], wanted: .last), .unknownToken(-1))
      check(PredictorInput(slot: 2, tokens: [1], wanted: .last), .unknownSlot(2))
    }
  }

  @Test(
    "all instruction sets of this machine compute the same logits bit for bit",
    arguments: shapes + ([8] + StoredBlocks.layouts.keys.sorted()).map(rounded))
  func instructionSets(_ tiny: TinyModel) throws {
    // Types 2 and 8 have product functions for up to eight columns, and other functions for more.
    for count in [2, 8].contains(tiny.type) ? [5, 12] : [5] {
      try checkInstructionSets(tiny, someTokens(count, below: tiny.vocabulary))
    }
  }

  private func checkInstructionSets(_ tiny: TinyModel, _ tokens: [TokenID]) throws {
    try withModel(tiny) { model in
      let expected = bits(
        try logits(model.makePredictor(slots: 1, instructionSet: .scalar), tokens))
      for set in InstructionSet.allCases where set.isSupported {
        let predictor = model.makePredictor(slots: 1, instructionSet: set)
        #expect(bits(try logits(predictor, tokens)) == expected, "\(set)")
      }
    }
  }
}
