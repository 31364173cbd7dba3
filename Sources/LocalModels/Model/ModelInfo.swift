/// Facts about a model file.
public struct ModelInfo: Sendable, Hashable {
  /// The name in the file's metadata or, if there is none, the file's name.
  public var name: String
  /// The architecture, such as `llama`.
  public var architecture: String
  /// The number of weights.
  ///
  /// A matrix that is used twice counts once.
  public var parameterCount: Int
  /// The number of weights in an output matrix of its own, or 0 if the model uses the matrix of the
  /// token embeddings as the output matrix too.
  public var outputParameterCount: Int
  /// The types of the weights, such as `Q8_0, F32`, with the most frequent type first.
  public var quantization: String
  /// The maximum number of tokens in a context: the number in the file, or 2^20 if that is less.
  public var contextLength: Int
  /// The number of tokens in the vocabulary.
  public var vocabularySize: Int
  /// The number of layers.
  public var layerCount: Int
  /// What the file's chat template says, if it contains known marks.
  public var chatTemplate: ChatTemplate?
  /// The size of the file in bytes.
  public var byteCount: Int
  /// The number of bytes that a predictor needs for each token in a slot.
  public var bytesPerToken: Int
}

extension LocalModel {
  /// Facts about the file.
  public var info: ModelInfo {
    var counts: [TensorType: Int] = [:]
    for tensor in file.tensors.values {
      counts[tensor.type, default: 0] += tensor.dimensions.reduce(1, *)
    }
    let types = counts.sorted { ($1.value, $0.key.name) < ($0.value, $1.key.name) }
    let ownName = file.file.path.split(separator: "/").last.map(String.init) ?? ""
    let name = try? file.string("general.name")
    let template = try? file.string("tokenizer.chat_template")
    return ModelInfo(
      name: name.flatMap { $0.isEmpty ? nil : $0 } ?? ownName,
      architecture: shape.architecture.rawValue,
      parameterCount: counts.values.reduce(0, +),
      outputParameterCount: file.tensors["output.weight"]?.dimensions.reduce(1, *) ?? 0,
      quantization: types.map(\.key.name).joined(separator: ", "),
      contextLength: shape.contextLength, vocabularySize: shape.vocabularySize,
      layerCount: shape.layerCount, chatTemplate: template.flatMap(ChatTemplate.init(source:)),
      byteCount: file.file.bytes.count,
      bytesPerToken: 2 * shape.layerCount * shape.keyLength
        * KeyValuePool.elementSize(isHalf: weights.storesHalves))
  }
}
