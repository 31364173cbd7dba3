/// The working memory of a predictor, for the vectors of up to `columns` tokens at a time.
final class ActivationBuffers {
  /// The number of tokens that pass through the layers together.
  static let columns = 64
  /// The number of positions whose logits are computed together.
  static let logitColumns = 32
  /// The maximum number of pairs of a head and a column in a call of the attention kernel.
  static let readers = 32

  let stream: UnsafeMutablePointer<Float>
  /// The output of a block, before it is added to the stream.
  let added: UnsafeMutablePointer<Float>
  let normed: UnsafeMutablePointer<Float>
  let query: UnsafeMutablePointer<Float>
  let key: UnsafeMutablePointer<Float>
  let value: UnsafeMutablePointer<Float>
  let gate: UnsafeMutablePointer<Float>
  let up: UnsafeMutablePointer<Float>
  /// The scores for `readers` pairs of a head and a column.
  ///
  /// The scores of consecutive pairs begin `scoreStride` floats apart.
  let scores: UnsafeMutablePointer<Float>
  let scoreStride: Int
  /// For each pair of a head and a column: the weighted sum of values, the query, and a factor.
  let sums: UnsafeMutablePointer<Float>
  let logits: UnsafeMutablePointer<Float>
  let rounding: RoundingBuffers

  init(_ shape: LlamaConfiguration, contextLength: Int) {
    func floats(_ count: Int) -> UnsafeMutablePointer<Float> {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
      memory.initialize(repeating: 0, count: count)
      return memory
    }
    let columns = Self.columns
    let widest = max(shape.width, shape.queryLength, shape.feedForwardLength)
    stream = floats(columns * shape.width)
    added = floats(columns * shape.width)
    normed = floats(columns * max(shape.width, shape.queryLength))
    query = floats(columns * shape.queryLength)
    key = floats(columns * shape.keyLength)
    value = floats(columns * shape.keyLength)
    gate = floats(columns * shape.feedForwardLength)
    up = floats(columns * shape.feedForwardLength)
    sums = floats(Self.readers * (2 * shape.headLength + 1))
    // Don't initialize this memory, so that only the part that is used takes up space.
    scoreStride = contextLength + KeyValuePool.positions
    scores = UnsafeMutablePointer<Float>.allocate(capacity: Self.readers * scoreStride)
    logits = UnsafeMutablePointer<Float>.allocate(
      capacity: Self.logitColumns * shape.vocabularySize)
    rounding = RoundingBuffers(columns: columns, widest: widest)
  }

  deinit {
    for memory in [stream, added, normed, query, key, value, gate, up, scores, sums, logits] {
      memory.deallocate()
    }
  }
}
