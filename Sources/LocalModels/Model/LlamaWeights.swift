/// The weights of a transformer of the llama family: places in the mapped file.
struct LlamaWeights: Sendable {
  /// One layer: attention, then a gated feed-forward network, each after a norm.
  struct Layer: Sendable {
    var attentionNorm: WeightVector
    var query: WeightMatrix
    var key: WeightMatrix
    var value: WeightMatrix
    var output: WeightMatrix
    var queryBias: WeightVector?
    var keyBias: WeightVector?
    var valueBias: WeightVector?
    var queryNorm: WeightVector?
    var keyNorm: WeightVector?
    var feedForwardNorm: WeightVector
    var gate: WeightMatrix
    var up: WeightMatrix
    var down: WeightMatrix
  }

  var embedding: WeightMatrix
  var layers: [Layer]
  var outputNorm: WeightVector
  /// The embedding where the file has no matrix of its own.
  var output: WeightMatrix
  /// What each rotation frequency is divided by.
  var rotationFactors: WeightVector?

  init(_ file: GGUFFile, _ shape: LlamaConfiguration) throws(ModelFileError) {
    let width = shape.width
    embedding = try file.matrix(
      "token_embd.weight", columns: width, rows: shape.vocabularySize)
    outputNorm = try file.vector("output_norm.weight", count: width)
    output =
      try file.optionalMatrix("output.weight", columns: width, rows: shape.vocabularySize)
      ?? embedding
    rotationFactors = try file.optionalVector(
      "rope_freqs.weight", count: shape.rotatedLength / 2)
    layers = []
    for number in 0..<shape.layerCount {
      layers.append(try Self.layer(file, shape, "blk.\(number)."))
    }
    for name in file.tensors.keys.sorted() where !Self.isKnown(name, shape) {
      throw file.failure(
        name, .unsupported("this tensor"),
        allowed: "the tensors of a plain \(shape.architecture.rawValue) model")
    }
  }

  private static func layer(
    _ file: GGUFFile, _ shape: LlamaConfiguration, _ prefix: String
  ) throws(ModelFileError) -> Layer {
    func matrix(_ name: String, _ columns: Int, _ rows: Int) throws(ModelFileError) -> WeightMatrix
    {
      try file.matrix(prefix + name, columns: columns, rows: rows)
    }
    func optional(_ name: String, _ count: Int) throws(ModelFileError) -> WeightVector? {
      try file.optionalVector(prefix + name, count: count)
    }
    return Layer(
      attentionNorm: try file.vector(prefix + "attn_norm.weight", count: shape.width),
      query: try matrix("attn_q.weight", shape.width, shape.queryLength),
      key: try matrix("attn_k.weight", shape.width, shape.keyLength),
      value: try matrix("attn_v.weight", shape.width, shape.keyLength),
      output: try matrix("attn_output.weight", shape.queryLength, shape.width),
      queryBias: try optional("attn_q.bias", shape.queryLength),
      keyBias: try optional("attn_k.bias", shape.keyLength),
      valueBias: try optional("attn_v.bias", shape.keyLength),
      queryNorm: try optional("attn_q_norm.weight", shape.headLength),
      keyNorm: try optional("attn_k_norm.weight", shape.headLength),
      feedForwardNorm: try file.vector(prefix + "ffn_norm.weight", count: shape.width),
      gate: try matrix("ffn_gate.weight", shape.width, shape.feedForwardLength),
      up: try matrix("ffn_up.weight", shape.width, shape.feedForwardLength),
      down: try matrix("ffn_down.weight", shape.feedForwardLength, shape.width))
  }

  /// Whether the evaluation uses a tensor.
  ///
  /// A file with others is refused: to leave one out would give wrong answers in silence.
  private static func isKnown(_ name: String, _ shape: LlamaConfiguration) -> Bool {
    let known: Set<Substring> = [
      "token_embd.weight", "output_norm.weight", "output.weight", "rope_freqs.weight",
    ]
    if known.contains(name[...]) { return true }
    let parts = name.split(separator: ".", maxSplits: 2)
    guard parts.count == 3, parts[0] == "blk", let number = Int(parts[1]),
      (0..<shape.layerCount).contains(number)
    else { return false }
    let layer: Set<Substring> = [
      "attn_norm.weight", "attn_q.weight", "attn_k.weight", "attn_v.weight",
      "attn_output.weight", "attn_q.bias", "attn_k.bias", "attn_v.bias", "attn_q_norm.weight",
      "attn_k_norm.weight", "ffn_norm.weight", "ffn_gate.weight", "ffn_up.weight",
      "ffn_down.weight",
    ]
    return layer.contains(parts[2])
      // Some old files carry the rotation's frequencies, which follow from the metadata.
      || parts[2] == "attn_rot_embd"
  }
}
