/// The checked shape of a transformer of the llama family.
struct LlamaConfiguration: Sendable, Hashable {
  var architecture: Architecture
  var layerCount: Int
  /// The length of a token's vector.
  var width: Int
  var headCount: Int
  /// The number of heads of keys and values.
  ///
  /// Each serves `headCount / keyValueHeadCount` query heads.
  var keyValueHeadCount: Int
  var headLength: Int
  var feedForwardLength: Int
  var epsilon: Float
  /// The number of rotated elements in a head.
  var rotatedLength: Int
  var rotation: RotationRule
  /// The rotation of the layers with a window.
  var windowRotation: RotationRule
  /// The number of positions that a token sees in a layer with a window, including its own
  /// position, or `nil` if no layer has a window.
  var window: Int?
  /// For each layer, whether it has a window.
  var seesWindow: [Bool]
  /// The factor by which products of queries and keys are multiplied.
  var attentionScale: Float
  /// The factor by which a token's vector is multiplied before the first layer.
  var embeddingScale: Float
  /// The limit c of the logits: x becomes c · tanh(x / c).
  ///
  /// It is `nil` if there is no limit.
  var logitCap: Float?
  /// The rule that scales up queries at late positions, or `nil` if the model has none.
  var sharpening: Sharpening?
  /// The context length before the model was extended.
  ///
  /// Longer contexts can have separate rotation factors.
  var originalContextLength: Int
  /// The maximum number of tokens in a context: the number in the file, or 2^20 if that is less.
  var contextLength: Int
  var vocabularySize: Int

  /// A rule that multiplies queries at position p by 1 + strength · ln(⌊p / length⌋ + 1).
  struct Sharpening: Sendable, Hashable {
    var strength: Double
    var length: Int

    func factor(at position: Int) -> Float {
      Float(1 + strength * Logarithm.natural(Double(position / length + 1)))
    }
  }

  /// The total length of all query heads.
  var queryLength: Int { headCount * headLength }
  /// The total length of all key heads, which is also the total length of all value heads.
  var keyLength: Int { keyValueHeadCount * headLength }

  init(_ file: GGUFFile) throws(ModelFileError) {
    guard let name = try file.string("general.architecture") else {
      throw file.failure("general.architecture", .missing)
    }
    guard let architecture = Architecture(rawValue: name) else {
      let known = Architecture.allCases.map(\.rawValue).joined(separator: ", ")
      throw file.failure(
        "general.architecture", .unsupported("architecture \(name)"),
        allowed: known)
    }
    self.architecture = architecture
    func required(_ key: String, _ range: ClosedRange<Int>) throws(ModelFileError) -> Int {
      guard let value = try file.integer("\(name).\(key)", in: range) else {
        throw file.failure("\(name).\(key)", .missing)
      }
      return value
    }
    func optional(_ key: String, _ range: ClosedRange<Int>) throws(ModelFileError) -> Int? {
      try file.integer("\(name).\(key)", in: range)
    }
    layerCount = try required("block_count", 1...1024)
    width = try required("embedding_length", 1...1 << 17)
    headCount = try required("attention.head_count", 1...4096)
    keyValueHeadCount = try optional("attention.head_count_kv", 1...4096) ?? headCount
    guard headCount.isMultiple(of: keyValueHeadCount) else {
      throw file.failure(
        "\(name).attention.head_count_kv", .invalid("\(keyValueHeadCount)"),
        allowed: "a divisor of \(headCount)")
    }
    if let length = try optional("attention.key_length", 1...4096) {
      headLength = length
    } else {
      guard width.isMultiple(of: headCount) else {
        throw file.failure(
          "\(name).attention.head_count", .invalid("\(headCount)"), allowed: "a divisor of \(width)"
        )
      }
      headLength = width / headCount
    }
    if let length = try optional("attention.value_length", 1...4096), length != headLength {
      throw file.failure(
        "\(name).attention.value_length", .unsupported("\(length)"),
        allowed: "the same as the keys' length, \(headLength)")
    }
    feedForwardLength = try required("feed_forward_length", 1...1 << 20)
    // Beyond 2^20 positions, the angles of the rotation would be too imprecise.
    contextLength = min(try required("context_length", 1...1 << 24), 1 << 20)
    epsilon = Float(
      try file.number("\(name).attention.layer_norm_rms_epsilon", in: 0...1) ?? 1e-5)
    rotatedLength = try optional("rope.dimension_count", 1...4096) ?? headLength
    guard rotatedLength.isMultiple(of: 2), rotatedLength <= headLength else {
      throw file.failure(
        "\(name).rope.dimension_count", .invalid("\(rotatedLength)"),
        allowed: "even, at most \(headLength)")
    }
    (rotation, windowRotation) = try Self.rotations(file, name, contextLength: contextLength)
    originalContextLength =
      try optional("rope.scaling.original_context_length", 1...1 << 24) ?? contextLength
    (window, seesWindow) = try Self.windows(file, architecture, layerCount: layerCount)
    attentionScale = 1 / Float(headLength).squareRoot()
    embeddingScale = 1
    logitCap = nil
    sharpening = nil
    switch architecture {
    case .gemma3:
      embeddingScale = Float(width).squareRoot()
      // Only the 27B model scales by its width per head. The file doesn't say which model it is,
      // but only the 27B model has 62 layers.
      if layerCount == 62 { attentionScale = 1 / Float(width / headCount).squareRoot() }
      let cap = try file.number("\(name).final_logit_softcapping", in: 0...1e6) ?? 0
      logitCap = cap > 0 ? Float(cap) : nil
    case .mistral3:
      let strength = try file.number("\(name).attention.temperature_scale", in: 0...1e3) ?? 0
      if strength > 0 {
        sharpening = Sharpening(strength: strength, length: originalContextLength)
      }
    case .llama, .qwen2, .qwen3, .smollm3, .phi3: break
    }
    for key in ["attention.scale", "attn_logit_softcapping", "logit_scale", "residual_scale"] {
      guard let value = try file.number("\(name).\(key)", in: -1e9...1e9), value != 0 else {
        continue
      }
      throw file.failure("\(name).\(key)", .unsupported("\(value)"), allowed: "none")
    }
    if let experts = try optional("expert_count", 0...1 << 20), experts > 0 {
      throw file.failure("\(name).expert_count", .unsupported("a mixture of experts"))
    }
    guard let embedding = file.tensors["token_embd.weight"] else {
      throw file.failure("token_embd.weight", .missing)
    }
    vocabularySize = embedding.rows
  }
}
