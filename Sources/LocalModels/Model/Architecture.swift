/// The supported transformers of the llama family, and the differences between them.
///
/// | | rotation | norms | gate | attention |
/// | --- | --- | --- | --- | --- |
/// | `llama` | neighbors | before each block | SiLU | all earlier positions |
/// | `qwen2` | halves | | | biases |
/// | `qwen3` | halves | also of queries and keys | | |
/// | `smollm3` | neighbors, none in every fourth layer | | | |
/// | `gemma3` | halves, 2 bases | also of queries, keys, outputs | GELU | windows, 5 of 6 layers |
/// | `phi3` | halves, long-context factors | | | one matrix for queries, keys, values; windows |
/// | `mistral3` | neighbors, YaRN | | | sharpened beyond the original context |
///
/// Where a cell is empty, the model is like `llama`.
enum Architecture: String, Sendable, CaseIterable {
  case llama
  case qwen2
  case qwen3
  case smollm3
  case gemma3
  case phi3
  case mistral3

  /// Whether rotations pair element i with element i + n/2 instead of with its neighbor.
  var rotatesHalves: Bool {
    switch self {
    case .qwen2, .qwen3, .gemma3, .phi3: true
    case .llama, .smollm3, .mistral3: false
    }
  }

  /// Returns whether a layer rotates its queries and keys.
  ///
  /// In SmolLM3, every fourth layer doesn't rotate them (Yang et al., Rope to Nope, 2025).
  func rotates(layer: Int) -> Bool { self != .smollm3 || (layer + 1) % 4 != 0 }

  /// Whether the file stores the matrices of queries, keys and values as one matrix, and the
  /// feed-forward network's matrices `gate` and `up` as another matrix.
  var fusesMatrices: Bool { self == .phi3 }

  /// Whether the output of a block is normalized before it is added to the stream.
  var normsAfterBlocks: Bool { self == .gemma3 }

  /// Whether the gate is GELU (in its tanh form) instead of SiLU.
  var gatesWithGELU: Bool { self == .gemma3 }
}
