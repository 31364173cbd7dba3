/// The weights of a transformer of the llama family, as pointers into the mapped file.
struct LlamaWeights: Sendable {
  /// One layer: attention and then a gated feed-forward network, each with a norm before it.
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
    var attentionPostNorm: WeightVector?
    var feedForwardNorm: WeightVector
    var feedForwardPostNorm: WeightVector?
    var gate: WeightMatrix
    var up: WeightMatrix
    var down: WeightMatrix
  }

  var embedding: WeightMatrix
  var layers: [Layer]
  var outputNorm: WeightVector
  /// The output matrix, or the embedding if the file has no separate one.
  var output: WeightMatrix
  /// The divisors of the rotation frequencies that apply to every context length.
  var rotationFactors: WeightVector?
  /// The divisors for a predictor whose context isn't longer than the model's original context.
  var shortRotationFactors: WeightVector?
  /// The divisors for a predictor whose context is longer than the model's original context.
  var longRotationFactors: WeightVector?

  init(_ file: GGUFFile, _ shape: LlamaConfiguration) throws(ModelFileError) {
    let width = shape.width
    embedding = try file.matrix(
      "token_embd.weight", columns: width, rows: shape.vocabularySize)
    outputNorm = try file.vector("output_norm.weight", count: width)
    output =
      try file.optionalMatrix("output.weight", columns: width, rows: shape.vocabularySize)
      ?? embedding
    let pairs = shape.rotatedLength / 2
    rotationFactors = try file.optionalVector("rope_freqs.weight", count: pairs)
    shortRotationFactors = try file.optionalVector("rope_factors_short.weight", count: pairs)
    longRotationFactors = try file.optionalVector("rope_factors_long.weight", count: pairs)
    layers = []
    for number in 0..<shape.layerCount {
      layers.append(try Self.layer(file, shape, "blk.\(number)."))
    }
    let known = Self.knownNames(shape)
    let unknown = file.tensors.keys.filter { !Self.isKnown($0, known, shape) }
    if let name = unknown.min() {
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
    func postNorm(_ name: String) throws(ModelFileError) -> WeightVector? {
      guard shape.architecture.normsAfterBlocks else { return nil }
      return try file.vector(prefix + name, count: shape.width)
    }
    let attention: [WeightMatrix]
    let gateAndUp: [WeightMatrix]
    let (queries, keys, hidden) = (shape.queryLength, shape.keyLength, shape.feedForwardLength)
    if shape.architecture.fusesMatrices {
      attention = try matrix("attn_qkv.weight", shape.width, queries + 2 * keys)
        .split(rows: [queries, keys, keys])
      gateAndUp = try matrix("ffn_up.weight", shape.width, 2 * hidden)
        .split(rows: [hidden, hidden])
    } else {
      attention = [
        try matrix("attn_q.weight", shape.width, queries),
        try matrix("attn_k.weight", shape.width, keys),
        try matrix("attn_v.weight", shape.width, keys),
      ]
      gateAndUp = [
        try matrix("ffn_gate.weight", shape.width, hidden),
        try matrix("ffn_up.weight", shape.width, hidden),
      ]
    }
    return Layer(
      attentionNorm: try file.vector(prefix + "attn_norm.weight", count: shape.width),
      query: attention[0], key: attention[1], value: attention[2],
      output: try matrix("attn_output.weight", queries, shape.width),
      queryBias: try optional("attn_q.bias", queries),
      keyBias: try optional("attn_k.bias", keys),
      valueBias: try optional("attn_v.bias", keys),
      queryNorm: try optional("attn_q_norm.weight", shape.headLength),
      keyNorm: try optional("attn_k_norm.weight", shape.headLength),
      attentionPostNorm: try postNorm("post_attention_norm.weight"),
      feedForwardNorm: try file.vector(prefix + "ffn_norm.weight", count: shape.width),
      feedForwardPostNorm: try postNorm("post_ffw_norm.weight"),
      gate: gateAndUp[0], up: gateAndUp[1],
      down: try matrix("ffn_down.weight", hidden, shape.width))
  }

  /// Returns the names of the supported tensors outside of layers, and of those in each layer.
  private static func knownNames(
    _ shape: LlamaConfiguration
  ) -> (whole: Set<String>, layer: Set<Substring>) {
    var layer: Set<Substring> = [
      "attn_norm.weight", "attn_output.weight", "ffn_norm.weight", "ffn_up.weight",
      "ffn_down.weight",
      // Some old files contain the rotation's frequencies, which the engine computes itself.
      "attn_rot_embd",
    ]
    if shape.architecture.fusesMatrices {
      layer.insert("attn_qkv.weight")
    } else {
      layer.formUnion([
        "attn_q.weight", "attn_k.weight", "attn_v.weight", "attn_q.bias", "attn_k.bias",
        "attn_v.bias", "attn_q_norm.weight", "attn_k_norm.weight", "ffn_gate.weight",
      ])
    }
    if shape.architecture.normsAfterBlocks {
      layer.formUnion(["post_attention_norm.weight", "post_ffw_norm.weight"])
    }
    let whole: Set<String> = [
      "token_embd.weight", "output_norm.weight", "output.weight", "rope_freqs.weight",
      "rope_factors_short.weight", "rope_factors_long.weight",
    ]
    return (whole, layer)
  }

  /// Returns whether a tensor is supported.
  ///
  /// A file with unknown tensors is rejected, because ignoring a tensor would silently give wrong
  /// answers.
  private static func isKnown(
    _ name: String, _ known: (whole: Set<String>, layer: Set<Substring>),
    _ shape: LlamaConfiguration
  ) -> Bool {
    if known.whole.contains(name) { return true }
    let parts = name.split(separator: ".", maxSplits: 2)
    guard parts.count == 3, parts[0] == "blk", let number = Int(parts[1]),
      (0..<shape.layerCount).contains(number)
    else { return false }
    return known.layer.contains(parts[2])
  }
}

extension LlamaWeights {
  /// Whether keys and values are stored as halves, which is the case if a layer's key matrix or
  /// value matrix is quantized.
  ///
  /// Products with quantized weights round their input to 8 bits, which changes logits much more
  /// than rounding keys and values to halves. And reading halves takes half the time.
  var storesHalves: Bool {
    layers.contains { $0.key.takesQuantized || $0.value.takesQuantized }
  }

  /// Returns the divisors of the rotation frequencies for a context length, or `nil` if the file
  /// has none.
  func rotationFactors(_ shape: LlamaConfiguration, contextLength: Int) -> WeightVector? {
    if let rotationFactors { return rotationFactors }
    return contextLength > shape.originalContextLength
      ? longRotationFactors : shortRotationFactors
  }
}
