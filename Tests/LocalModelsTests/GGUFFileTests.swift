import TestSupport
import Testing
import Tokenization

@testable import LocalModels

@Suite("Reading model files")
struct GGUFFileTests {
  /// Returns the error that opening a file throws, or nil if it throws none.
  func failure(_ bytes: [UInt8]) throws -> ModelFileError? {
    try withTemporaryFile(bytes) { path in
      do {
        _ = try LocalModel(path: path)
        return nil
      } catch let error as ModelFileError {
        #expect(error.file == path)
        return error
      }
    }
  }

  func check(
    _ place: String, _ problem: ModelFileError.Problem, _ change: (inout TinyModel) -> Void
  ) throws {
    var tiny = TinyModel { $0.layers = 1 }
    change(&tiny)
    let error = try #require(try failure(tiny.writer.encoded()))
    #expect(error.place.hasPrefix(place), "\(error)")
    #expect(error.problem == problem, "\(error)")
  }

  @Test("versions 2 and 3 are read, and any other version is rejected")
  func versions() throws {
    for version in [UInt32(2), 3] {
      var tiny = TinyModel()
      tiny.writer.version = version
      #expect(try failure(tiny.writer.encoded()) == nil)
    }
    try check("the version", .unsupported("version 1")) { $0.writer.version = 1 }
    try check("the version", .unsupported("a big-endian file")) {
      $0.writer.version = 0x0300_0000
    }
  }

  @Test("an alignment of 128 is respected, and an invalid alignment is rejected")
  func alignment() throws {
    var tiny = TinyModel()
    tiny.writer.alignment = 128
    tiny.writer.values.append(("general.alignment", .uint32(128)))
    #expect(try failure(tiny.writer.encoded()) == nil)
    for wrong in [UInt32(0), 1, 33, 1 << 20] {
      try check("general.alignment", .invalid("\(wrong)")) {
        $0.writer.values.append(("general.alignment", .uint32(wrong)))
      }
    }
  }

  @Test("the error for an unsupported model gives the key and the reason")
  func unsupported() throws {
    func replace(_ key: String, _ value: GGUFWriter.Value) -> (inout TinyModel) -> Void {
      { tiny in
        tiny.writer.values.removeAll { $0.key == key }
        tiny.writer.values.append((key, value))
      }
    }
    try check(
      "general.architecture", .unsupported("architecture mamba"),
      replace("general.architecture", .string("mamba")))
    try check(
      "llama.rope.scaling.type", .unsupported("dynamic"),
      replace("llama.rope.scaling.type", .string("dynamic")))
    try check(
      "llama.rope.scaling.factor", .missing,
      replace("llama.rope.scaling.type", .string("yarn")))
    try check(
      "llama.attn_logit_softcapping", .unsupported("50.0"),
      replace("llama.attn_logit_softcapping", .float32(50)))
    try check(
      "llama.expert_count", .unsupported("a mixture of experts"),
      replace("llama.expert_count", .uint32(8)))
    try check(
      "tokenizer.ggml.model", .unsupported("tokenizer bert"),
      replace("tokenizer.ggml.model", .string("bert")))
    try check(
      "llama.attention.head_count_kv", .invalid("3"),
      replace(
        "llama.attention.head_count_kv", .uint32(3)))
    try check("llama.block_count", .invalid("0"), replace("llama.block_count", .uint32(0)))
    try check(
      "llama.block_count", .invalid("a string"), replace("llama.block_count", .string("two")))
  }

  @Test("the error for a missing, unsupported or invalid tensor names the tensor")
  func tensors() throws {
    try check("blk.0.ffn_up.weight", .missing) {
      $0.writer.tensors.removeAll { $0.name == "blk.0.ffn_up.weight" }
    }
    try check("blk.0.surprise.weight", .unsupported("this tensor")) {
      $0.writer.tensors.append(
        .init(
          name: "blk.0.surprise.weight", dimensions: [4], type: 0,
          data: Array(repeating: 0, count: 16)))
    }
    try check("output_norm.weight", .invalid("the shape 32")) {
      $0.writer.tensors[1].dimensions = [32]
    }
    try check("output_norm.weight", .unsupported("type F16 for a vector")) {
      $0.writer.tensors[1].type = 1
    }
    try check("token_embd.weight", .unsupported("tensor type IQ1_S")) {
      $0.writer.tensors[0].type = 19
    }
    try check("token_embd.weight", .invalid("tensor type 99")) { $0.writer.tensors[0].type = 99 }
    try check("token_embd.weight", .invalid("a dimension of 0")) {
      $0.writer.tensors[0].dimensions = [64, 0]
    }
    try check("token_embd.weight", .invalid("a dimension of \(UInt64.max)")) {
      $0.writer.tensors[0].dimensions = [64, .max]
    }
    try check("token_embd.weight", .invalid("the number of elements")) {
      $0.writer.tensors[0].dimensions = [1 << 30, 1 << 30, 1 << 30]
    }
    try check("token_embd.weight", .invalid("5 dimensions")) {
      $0.writer.tensors[0].dimensions = [1, 1, 1, 1, 1]
    }
    try check("token_embd.weight", .invalid("a row of 33")) {
      ($0.writer.tensors[0].dimensions, $0.writer.tensors[0].type) = ([33, 4], 8)
    }
    try check("output_norm.weight", .invalid("a second tensor of this name")) {
      $0.writer.tensors.append($0.writer.tensors[1])
    }
  }

  @Test("a file that is cut off anywhere is rejected")
  func truncation() throws {
    let whole = TinyModel { ($0.layers, $0.width, $0.feedForward) = (1, 32, 32) }.writer.encoded()
    var random = SeededGenerator(seed: 5)
    let cuts = [0, 1, 4, 8, 23, 24, 25] + (0..<60).map { _ in random.below(whole.count) }
    for cut in cuts { #expect(try failure(Array(whole[..<cut])) != nil, "\(cut)") }
  }

  @Test("reading a damaged header succeeds or fails, and never traps")
  func damage() throws {
    let whole = TinyModel { ($0.layers, $0.width, $0.feedForward) = (1, 32, 32) }.writer.encoded()
    var random = SeededGenerator(seed: 6)
    var refused = 0
    for _ in 0..<150 {
      var bytes = whole
      for _ in 0...random.below(3) {
        // The header of this file is about 8 KB.
        let place = random.below(9000)
        bytes[place] = [0, 0xFF, UInt8(random.below(256))][random.below(3)]
      }
      if try failure(bytes) != nil { refused += 1 }
      try use(bytes)
    }
    #expect(refused > 20)
  }

  /// Tokenizes a text and evaluates its tokens, if the file can be opened.
  func use(_ bytes: [UInt8]) throws {
    try withTemporaryFile(bytes) { path in
      guard let model = try? LocalModel(path: path) else { return }
      _ = model.info
      let tokens = model.tokenizer.encode("w300 w299\u{7FF} <s>", parsingSpecial: true)
      let known = tokens.filter { $0 < model.info.vocabularySize }
      let fitting = Array(known.prefix(model.usualContextLength))
      _ = try model.logits(tokens: fitting, rows: Array(fitting.indices))
    }
  }

  @Test("with damaged weights or tables, the model returns an answer or an error, and never traps")
  func damagedAnywhere() throws {
    for (architecture, seed) in [("llama", UInt64(8)), ("gemma3", 9), ("phi3", 10)] {
      let whole = TinyModel {
        ($0.architecture, $0.layers, $0.width, $0.feedForward) = (architecture, 1, 32, 32)
        $0.window = 5
      }.writer.encoded()
      var random = SeededGenerator(seed: seed)
      for _ in 0..<40 {
        var bytes = whole
        for _ in 0...random.below(20) {
          bytes[random.below(bytes.count)] = UInt8(random.below(256))
        }
        try use(bytes)
      }
    }
  }

  @Test("a huge count is rejected before memory is allocated for it")
  func hugeCounts() throws {
    // The header has the number of tensors at byte 8, and the number of values at byte 16.
    for offset in [8, 16] {
      var bytes = TinyModel().writer.encoded()
      bytes.replaceSubrange(offset..<offset + 8, with: GGUFWriter.bytes(UInt64.max >> 1))
      #expect(try failure(bytes) != nil)
    }
    let writer = GGUFWriter(values: [("a", .strings([]))])
    var bytes = writer.encoded()
    // The array's length is the last number in this file.
    bytes.replaceSubrange(bytes.count - 8..<bytes.count, with: GGUFWriter.bytes(UInt64.max))
    #expect(
      try failure(bytes)?.problem == .truncated(needed: .max, available: 0))
  }

  @Test("a missing file and a folder are reported as errors")
  func noFile() {
    #expect(throws: ModelFileError.self) { try LocalModel(path: "/nonexistent/model.gguf") }
    #expect(throws: ModelFileError.self) { try LocalModel(path: "/") }
  }
}
