/// The shape of a transformer of the llama family, read from a file and checked.
struct LlamaConfiguration: Sendable, Hashable {
  /// The architectures that are implemented.
  enum Architecture: String, Sendable, CaseIterable {
    case llama
    case qwen2
    case qwen3
    case smollm3

    /// Whether rotations pair element i with i + n/2 instead of neighbours.
    var rotatesHalves: Bool { self == .qwen2 || self == .qwen3 }

    /// Whether a layer rotates its queries and keys.
    ///
    /// SmolLM3 leaves it out in every fourth layer (Yang et al., Rope to Nope, 2025).
    func rotates(layer: Int) -> Bool { self != .smollm3 || (layer + 1) % 4 != 0 }
  }

  var architecture: Architecture
  var layerCount: Int
  /// The length of a token's vector.
  var width: Int
  var headCount: Int
  /// Heads of keys and values; each serves `headCount / keyValueHeadCount` query heads.
  var keyValueHeadCount: Int
  var headLength: Int
  var feedForwardLength: Int
  var epsilon: Float
  var rotationBase: Double
  /// How many elements of a head are rotated.
  var rotatedLength: Int
  /// Linear stretching of positions: they are divided by this.
  var rotationScale: Double
  /// The longest text that the model was made for.
  var contextLength: Int
  var vocabularySize: Int

  /// All query heads side by side.
  var queryLength: Int { headCount * headLength }
  /// All key heads side by side, and all value heads.
  var keyLength: Int { keyValueHeadCount * headLength }

  init(_ file: GGUFFile) throws(ModelFileError) {
    guard let name = try file.string("general.architecture") else {
      throw file.failure("general.architecture", .missing)
    }
    guard let architecture = Architecture(rawValue: name) else {
      let known = Architecture.allCases.map(\.rawValue).joined(separator: ", ")
      throw file.failure(
        "general.architecture", .unsupported("architecture \(name)"),
        allowed: "\(known); a server can run others: see the OpenAI-compatible backend")
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
    contextLength = try required("context_length", 1...1 << 24)
    epsilon = Float(
      try file.number("\(name).attention.layer_norm_rms_epsilon", in: 0...1) ?? 1e-5)
    rotationBase = try file.number("\(name).rope.freq_base", in: 1...1e12) ?? 10000
    rotatedLength = try optional("rope.dimension_count", 1...4096) ?? headLength
    guard rotatedLength.isMultiple(of: 2), rotatedLength <= headLength else {
      throw file.failure(
        "\(name).rope.dimension_count", .invalid("\(rotatedLength)"),
        allowed: "even, at most \(headLength)")
    }
    rotationScale = try Self.rotationScale(file, name)
    if let experts = try optional("expert_count", 0...1 << 20), experts > 0 {
      throw file.failure("\(name).expert_count", .unsupported("a mixture of experts"))
    }
    guard let embedding = file.tensors["token_embd.weight"] else {
      throw file.failure("token_embd.weight", .missing)
    }
    vocabularySize = embedding.rows
  }

  private static func rotationScale(
    _ file: GGUFFile, _ name: String
  ) throws(ModelFileError) -> Double {
    let key = "\(name).rope.scaling.type"
    let legacy = try file.number("\(name).rope.scale_linear", in: 1...1e6)
    switch try file.string(key) {
    case nil: return legacy ?? 1
    case "none": return 1
    case "linear":
      return try file.number("\(name).rope.scaling.factor", in: 1...1e6) ?? legacy ?? 1
    case let other?:
      throw file.failure(key, .unsupported(other), allowed: "none, linear")
    }
  }
}
