import Foundation

/// Converts the 260K-parameter checkpoint of llama2.c to a GGUF file.
///
/// The checkpoint consists of seven integers and then float32 tensors, grouped by kind: first the
/// tensors of one kind for all layers, then the tensors of the next kind. The tokenizer file
/// contains the score, the length and the bytes of each token.
enum StoriesCheckpoint {
  static func converted() throws -> GGUFWriter {
    let checkpoint = try SharedData.data("stories260K/stories260K.bin")
    let shape = (0..<7).map { index in
      checkpoint.withUnsafeBytes {
        Int($0.loadUnaligned(fromByteOffset: index * 4, as: Int32.self))
      }
    }
    let (width, hidden, layers, heads, keyHeads) = (
      shape[0], shape[1], shape[2], shape[3], shape[4]
    )
    let (vocabulary, context) = (abs(shape[5]), shape[6])
    let keyLength = width / heads * keyHeads
    var offset = 28
    func take(_ count: Int) -> [UInt8] {
      defer { offset += count * 4 }
      return [UInt8](checkpoint[offset..<offset + count * 4])
    }
    var writer = GGUFWriter()
    func add(_ name: String, _ columns: Int, _ rows: Int? = nil, _ data: [UInt8]) {
      writer.tensors.append(
        GGUFWriter.Tensor(
          name: name, dimensions: [UInt64(columns)] + (rows.map { [UInt64($0)] } ?? []), type: 0,
          data: data))
    }
    func addLayers(_ name: String, _ columns: Int, _ rows: Int? = nil) {
      for layer in 0..<layers {
        add("blk.\(layer).\(name).weight", columns, rows, take(columns * (rows ?? 1)))
      }
    }
    add("token_embd.weight", width, vocabulary, take(vocabulary * width))
    addLayers("attn_norm", width)
    addLayers("attn_q", width, width)
    addLayers("attn_k", width, keyLength)
    addLayers("attn_v", width, keyLength)
    addLayers("attn_output", width, width)
    addLayers("ffn_norm", width)
    addLayers("ffn_gate", width, hidden)
    addLayers("ffn_down", hidden, width)
    addLayers("ffn_up", width, hidden)
    add("output_norm.weight", width, nil, take(width))
    writer.values = [
      ("general.architecture", .string("llama")),
      ("llama.block_count", .uint32(UInt32(layers))),
      ("llama.context_length", .uint32(UInt32(context))),
      ("llama.embedding_length", .uint32(UInt32(width))),
      ("llama.feed_forward_length", .uint32(UInt32(hidden))),
      ("llama.attention.head_count", .uint32(UInt32(heads))),
      ("llama.attention.head_count_kv", .uint32(UInt32(keyHeads))),
      ("llama.attention.layer_norm_rms_epsilon", .float32(1e-5)),
    ]
    writer.values += try tokenizer(vocabulary)
    return writer
  }

  private static func tokenizer(
    _ count: Int
  ) throws -> [(key: String, value: GGUFWriter.Value)] {
    let file = [UInt8](try SharedData.data("stories260K/tok512.bin"))
    var offset = 4
    var tokens: [[UInt8]] = []
    var scores: [Float] = []
    func number() -> UInt32 {
      defer { offset += 4 }
      return file.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }
    for _ in 0..<count {
      scores.append(Float(bitPattern: number()))
      let length = Int(number())
      let written = String(decoding: file[offset..<offset + length], as: UTF8.self)
      tokens.append(Array(written.replacingOccurrences(of: " ", with: "\u{2581}").utf8))
      offset += length
    }
    let types = (0..<count).map { Int32($0 == 0 ? 2 : $0 < 3 ? 3 : $0 < 259 ? 6 : 1) }
    return [
      ("tokenizer.ggml.model", .string("llama")),
      ("tokenizer.ggml.tokens", .strings(tokens)),
      ("tokenizer.ggml.scores", .floats(scores)),
      ("tokenizer.ggml.token_type", .integers(types)),
      ("tokenizer.ggml.bos_token_id", .uint32(1)),
      ("tokenizer.ggml.eos_token_id", .uint32(2)),
    ]
  }
}
