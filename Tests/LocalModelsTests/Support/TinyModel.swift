import TestSupport
import Testing

/// A small transformer with random weights, both as a file and as numbers for the reference.
struct TinyModel {
  var architecture = "llama"
  var layers = 2
  var width = 64
  var heads = 4
  var keyValueHeads = 2
  var headLength = 16
  var feedForward = 96
  var vocabulary = 300
  var context = 256
  var isTied = true
  var hasFactors = false
  /// The number of rotated elements in a head, or nil if all elements are rotated.
  var rotated: Int?
  var hasLongFactors = false
  /// The number of positions that a layer with a window sees.
  var window: Int?
  var logitCap: Float?
  var isYarn = false
  /// The divisor of positions under linear scaling, or nil without scaling.
  var linearStretch: Double?

  /// Returns the base of the rotations; Gemma 3 has two.
  func rotationBase(isLocal: Bool) -> Double {
    architecture == "gemma3" && !isLocal ? 1_000_000 : 10000
  }
  /// The number that stands for the matrices' data type in a GGUF file.
  var type: UInt32 = 0

  var writer = GGUFWriter()
  /// The weights in the file, after rounding.
  var weights: [String: [Double]] = [:]
  private var random = SeededGenerator(seed: 7)

  init(_ change: (inout TinyModel) -> Void = { _ in }) {
    change(&self)
    build()
  }

  private mutating func build() {
    func key(_ name: String) -> String { "\(architecture).\(name)" }
    writer.values = [
      ("general.architecture", .string(architecture)),
      ("general.name", .string("tiny")),
      (key("block_count"), .uint32(UInt32(layers))),
      (key("context_length"), .uint32(UInt32(context))),
      (key("embedding_length"), .uint32(UInt32(width))),
      (key("feed_forward_length"), .uint32(UInt32(feedForward))),
      (key("attention.head_count"), .uint32(UInt32(heads))),
      (key("attention.head_count_kv"), .uint32(UInt32(keyValueHeads))),
      (key("attention.key_length"), .uint32(UInt32(headLength))),
      (key("attention.value_length"), .uint32(UInt32(headLength))),
      (key("attention.layer_norm_rms_epsilon"), .float32(1e-5)),
      (key("rope.freq_base"), .float32(Float(rotationBase(isLocal: false)))),
    ]
    if let rotated {
      writer.values.append((key("rope.dimension_count"), .uint32(UInt32(rotated))))
    }
    if let window {
      writer.values.append((key("attention.sliding_window"), .uint32(UInt32(window))))
    }
    if let logitCap {
      writer.values.append((key("final_logit_softcapping"), .float32(logitCap)))
    }
    if isYarn {
      writer.values += [
        (key("rope.scaling.type"), .string("yarn")),
        (key("rope.scaling.factor"), .float32(16)),
        (key("rope.scaling.original_context_length"), .uint32(8)),
        (key("rope.scaling.yarn_beta_fast"), .float32(4)),
        (key("rope.scaling.yarn_beta_slow"), .float32(0.1)),
        (key("attention.temperature_scale"), .float32(0.1)),
      ]
    }
    if hasLongFactors {
      writer.values += [
        (key("rope.scaling.original_context_length"), .uint32(16)),
        (key("rope.scaling.attn_factor"), .float32(1.19)),
      ]
    }
    if let linearStretch {
      writer.values += [
        (key("rope.scaling.type"), .string("linear")),
        (key("rope.scaling.factor"), .float32(Float(linearStretch))),
      ]
    }
    writer.values += Self.tokenizer(count: vocabulary)
    addMatrix("token_embd.weight", width, vocabulary)
    if !isTied { addMatrix("output.weight", width, vocabulary) }
    addVector("output_norm.weight", width, around: 1)
    if hasFactors { addVector("rope_freqs.weight", headLength / 2, around: 3) }
    if hasLongFactors {
      addVector("rope_factors_short.weight", (rotated ?? headLength) / 2, around: 2)
      addVector("rope_factors_long.weight", (rotated ?? headLength) / 2, around: 5)
    }
    for layer in 0..<layers {
      let prefix = "blk.\(layer)."
      addVector(prefix + "attn_norm.weight", width, around: 1)
      if architecture == "phi3" {
        addMatrix(prefix + "attn_qkv.weight", width, (heads + 2 * keyValueHeads) * headLength)
      } else {
        addMatrix(prefix + "attn_q.weight", width, heads * headLength)
        addMatrix(prefix + "attn_k.weight", width, keyValueHeads * headLength)
        addMatrix(prefix + "attn_v.weight", width, keyValueHeads * headLength)
      }
      addMatrix(prefix + "attn_output.weight", heads * headLength, width)
      if architecture == "qwen2" {
        addVector(prefix + "attn_q.bias", heads * headLength, around: 0)
        addVector(prefix + "attn_k.bias", keyValueHeads * headLength, around: 0)
        addVector(prefix + "attn_v.bias", keyValueHeads * headLength, around: 0)
      }
      if architecture == "qwen3" || architecture == "gemma3" {
        addVector(prefix + "attn_q_norm.weight", headLength, around: 1)
        addVector(prefix + "attn_k_norm.weight", headLength, around: 1)
      }
      addVector(prefix + "ffn_norm.weight", width, around: 1)
      if architecture == "gemma3" {
        addVector(prefix + "post_attention_norm.weight", width, around: 1)
        addVector(prefix + "post_ffw_norm.weight", width, around: 1)
      }
      if architecture == "phi3" {
        addMatrix(prefix + "ffn_up.weight", width, 2 * feedForward)
      } else {
        addMatrix(prefix + "ffn_gate.weight", width, feedForward)
        addMatrix(prefix + "ffn_up.weight", width, feedForward)
      }
      addMatrix(prefix + "ffn_down.weight", feedForward, width)
    }
  }

  /// Returns a SentencePiece tokenizer: three special tokens, 256 bytes, then made-up words.
  static func tokenizer(count: Int) -> [(key: String, value: GGUFWriter.Value)] {
    var tokens: [[UInt8]] = ["<unk>", "<s>", "</s>"].map { Array($0.utf8) }
    var types: [Int32] = [2, 3, 3]
    for byte in 0..<256 {
      let digits = String(byte, radix: 16, uppercase: true)
      tokens.append(Array("<0x\(digits.count == 1 ? "0" : "")\(digits)>".utf8))
      types.append(6)
    }
    while tokens.count < count {
      tokens.append(Array("w\(tokens.count)".utf8))
      types.append(1)
    }
    return [
      ("tokenizer.ggml.model", .string("llama")),
      ("tokenizer.ggml.tokens", .strings(Array(tokens.prefix(count)))),
      ("tokenizer.ggml.scores", .floats((0..<count).map { -Float($0) })),
      ("tokenizer.ggml.token_type", .integers(Array(types.prefix(count)))),
      ("tokenizer.ggml.bos_token_id", .uint32(1)),
      ("tokenizer.ggml.eos_token_id", .uint32(2)),
    ]
  }

  private mutating func addMatrix(_ name: String, _ columns: Int, _ rows: Int) {
    let spread = Float(1.5 / Double(columns).squareRoot())
    let data: [UInt8]
    let rounded: [Double]
    if StoredBlocks.layouts[type] != nil {
      let blocks = StoredBlocks(
        count: columns * rows, type: type, spread: spread, random: &random)
      (data, rounded) = (blocks.data, blocks.values)
    } else {
      let values = (0..<columns * rows).map { _ in random.signed() * spread }
      (data, rounded) = StoredNumbers.encode(values, type: type)
    }
    weights[name] = rounded
    writer.tensors.append(
      GGUFWriter.Tensor(
        name: name, dimensions: [UInt64(columns), UInt64(rows)], type: type, data: data))
  }

  private mutating func addVector(_ name: String, _ count: Int, around center: Float) {
    let values = (0..<count).map { _ in center + random.signed() * 0.3 }
    weights[name] = values.map(Double.init)
    writer.tensors.append(
      GGUFWriter.Tensor(
        name: name, dimensions: [UInt64(count)], type: 0,
        data: values.flatMap { GGUFWriter.bytes($0.bitPattern) }))
  }
}

/// Without this description, the test runner would print every weight, which takes 190 MB of log
/// and half a minute of CPU time.
extension TinyModel: CustomTestStringConvertible {
  var testDescription: String {
    let kind = type == 0 ? "" : ", type \(type)"
    return "\(architecture), \(layers) layers, width \(width), \(heads) heads\(kind)"
  }
}

extension TinyModel {
  /// Gives the last tokens of the vocabulary the spelling of control tokens.
  ///
  /// - Parameters:
  ///   - names: The spellings.
  ///   - types: The numbers that stand for the tokens' types in a GGUF file.
  mutating func addControlTokens(_ names: [String], types given: [Int32] = [3, 3]) {
    guard
      case .strings(var tokens)? = writer.values.first(where: {
        $0.key == "tokenizer.ggml.tokens"
      })?.value
    else { return }
    var types = [Int32](repeating: 1, count: tokens.count)
    (types[0], types[1], types[2]) = (2, 3, 3)
    for byte in 3..<259 { types[byte] = 6 }
    for (number, name) in names.enumerated() {
      tokens[tokens.count - names.count + number] = Array(name.utf8)
      types[tokens.count - names.count + number] = given[number]
    }
    writer.values.removeAll {
      ["tokenizer.ggml.tokens", "tokenizer.ggml.token_type"].contains($0.key)
    }
    writer.values += [
      ("tokenizer.ggml.tokens", .strings(tokens)), ("tokenizer.ggml.token_type", .integers(types)),
    ]
  }
}
