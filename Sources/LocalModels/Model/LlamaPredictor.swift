import CKernels
import Tokenization

/// A transformer of the llama family.
///
/// Every sum has a fixed order that depends on neither the batch nor the machine nor the number of
/// threads. So the same tokens always give the same logits, to the last bit.
public final class LlamaPredictor: TokenPredictor {
  /// The model's tokens.
  public let vocabulary: Vocabulary
  /// The maximum number of tokens in a slot.
  public let contextLength: Int
  /// The number of slots.
  public let slotCount: Int
  /// The maximum number of threads for the large matrix products, including the caller's.
  public var threads = 1
  /// The minimum number of multiplications for each part of a product that threads share.
  var leastPart = MatrixProduct.usualLeastPart

  let shape: LlamaConfiguration
  let weights: LlamaWeights
  let set: ck_instruction_set
  private var rotations: RotationTable
  /// The rotations of layers with a window, if they differ from other layers' rotations.
  private var windowRotations: RotationTable?
  let buffers: ActivationBuffers
  /// The threads of the current evaluation, or `nil` if the caller computes alone.
  private var team: ThreadTeam?
  /// The model, which keeps alive the mapped memory that the weights point to.
  private let model: LocalModel
  private let pool: KeyValuePool
  private let slots: [KeyValueCache]

  init(model: LocalModel, slots: Int, contextLength: Int, instructionSet: InstructionSet) {
    self.model = model
    self.contextLength = contextLength
    shape = model.shape
    weights = model.weights
    vocabulary = model.vocabulary
    slotCount = slots
    set = instructionSet.kernel
    rotations = RotationTable(
      model.shape.rotation, count: model.shape.rotatedLength,
      factors: model.weights.rotationFactors(
        model.shape, contextLength: contextLength))
    let isWindowed = model.shape.architecture == .gemma3 && model.shape.window != nil
    windowRotations =
      isWindowed
      ? RotationTable(
        model.shape.windowRotation, count: model.shape.rotatedLength, factors: nil) : nil
    buffers = ActivationBuffers(model.shape, contextLength: contextLength)
    let pool = KeyValuePool(
      layers: shape.layerCount, heads: shape.keyValueHeadCount, headLength: shape.headLength,
      storesHalves: weights.storesHalves)
    self.pool = pool
    self.slots = (0..<slots).map { _ in KeyValueCache(pool: pool, limit: contextLength) }
  }

  /// The number of bytes that the keys and values of all slots take up.
  ///
  /// Memory that several slots share counts once.
  public var bytesInUse: Int { pool.bytesInUse }

  /// Returns the number of tokens in a slot.
  public func length(ofSlot slot: Int) -> Int { slots[slot].length }

  /// Shortens a slot to its first tokens.
  public func rewind(slot: Int, to length: Int) {
    precondition((0...slots[slot].length).contains(length), "a length up to the current one")
    slots[slot].rewind(to: length)
  }

  /// Copies one slot to another.
  ///
  /// The slots share memory until one of them grows.
  public func copy(fromSlot source: Int, toSlot destination: Int) {
    guard source != destination else { return }
    slots[destination].copy(from: slots[source])
  }

  /// One token of a batch.
  private struct Column {
    var slot: Int
    var position: Int
    var token: TokenID
    var entry: Int
    var index: Int
    var isWanted: Bool
  }

  /// Appends tokens to slots, evaluates them, and passes the requested logits to a closure.
  ///
  /// - Throws: `PredictorError` if a slot would overflow, or if a slot or token doesn't exist. In
  ///   this case, no slot has changed.
  public func evaluate(
    _ batch: [PredictorInput],
    receive: (_ entry: Int, _ position: Int, _ logits: UnsafeBufferPointer<Float>) -> Void
  ) throws(PredictorError) {
    let columns = try self.columns(batch)
    if threads > 1 { team = ThreadTeam(size: threads) }
    defer {
      team?.finish()
      team = nil
    }
    var start = 0
    while start < columns.count {
      let end = min(start + ActivationBuffers.columns, columns.count)
      evaluate(columns[start..<end], receive)
      start = end
    }
  }

  /// Checks a batch before anything changes, reserves memory for its tokens, and returns the
  /// tokens.
  private func columns(_ batch: [PredictorInput]) throws(PredictorError) -> [Column] {
    var columns: [Column] = []
    var lengths = slots.map(\.length)
    for (entry, input) in batch.enumerated() {
      guard slots.indices.contains(input.slot) else { throw .unknownSlot(input.slot) }
      let length = lengths[input.slot] + input.tokens.count
      guard length <= contextLength else {
        throw .contextExceeded(length: length, limit: contextLength)
      }
      for (index, token) in input.tokens.enumerated() {
        guard token >= 0, token < shape.vocabularySize else { throw .unknownToken(token) }
        let isWanted =
          switch input.wanted {
          case .none: false
          case .last: index == input.tokens.count - 1
          case .all: true
          }
        columns.append(
          Column(
            slot: input.slot, position: lengths[input.slot] + index, token: token, entry: entry,
            index: index, isWanted: isWanted))
      }
      lengths[input.slot] = length
    }
    for (slot, length) in zip(slots, lengths) { slot.reserve(length) }
    let longest = lengths.max() ?? 0
    rotations.reserve(longest)
    windowRotations?.reserve(longest)
    return columns
  }

  private func evaluate(
    _ columns: ArraySlice<Column>,
    _ receive: (_ entry: Int, _ position: Int, _ logits: UnsafeBufferPointer<Float>) -> Void
  ) {
    let count = columns.count
    for (column, token) in columns.enumerated() {
      weights.embedding.dequantize(
        row: Int(token.token), buffers.rounding, into: buffers.stream + column * shape.width)
    }
    if shape.embeddingScale != 1 {
      for element in 0..<count * shape.width { buffers.stream[element] *= shape.embeddingScale }
    }
    for layer in weights.layers.indices {
      attend(layer, columns)
      feedForward(weights.layers[layer], count)
    }
    for column in columns { slots[column.slot].advance(to: column.position + 1) }
    handOut(columns, receive)
  }

  // MARK: The layers

  /// Computes y = matrix · x for `count` columns.
  ///
  /// The input is rounded only if it is new.
  private func multiply(
    _ matrix: WeightMatrix, _ x: UnsafePointer<Float>, _ count: Int,
    into y: UnsafeMutablePointer<Float>, isNewInput: Bool = true
  ) {
    MatrixProduct(
      matrix: matrix, set: set, x: x, count: count, buffers: buffers.rounding, y: y,
      leastPart: leastPart
    ).compute(roundsInput: matrix.takesQuantized && isNewInput, team: team)
  }

  /// Computes the products of several matrices with the same input.
  private func multiply(
    _ matrices: [(WeightMatrix, UnsafeMutablePointer<Float>)], _ x: UnsafePointer<Float>,
    _ count: Int
  ) {
    var isNewInput = true
    for (matrix, y) in matrices {
      multiply(matrix, x, count, into: y, isNewInput: isNewInput)
      if matrix.takesQuantized { isNewInput = false }
    }
  }

  private func normalize(
    _ x: UnsafePointer<Float>, _ weight: WeightVector, _ count: Int,
    into y: UnsafeMutablePointer<Float>
  ) {
    ck_rms_norm(set, x, weight.data, Int32(weight.count), Int32(count), shape.epsilon, y)
  }

  private func add(
    _ bias: WeightVector?, to y: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    guard let bias else { return }
    for column in 0..<count { ck_add(y + column * bias.count, bias.data, bias.count) }
  }

  private func attend(_ number: Int, _ columns: ArraySlice<Column>) {
    let layer = weights.layers[number]
    let count = columns.count
    normalize(buffers.stream, layer.attentionNorm, count, into: buffers.normed)
    multiply(
      [(layer.query, buffers.query), (layer.key, buffers.key), (layer.value, buffers.value)],
      buffers.normed, count)
    add(layer.queryBias, to: buffers.query, count)
    add(layer.keyBias, to: buffers.key, count)
    add(layer.valueBias, to: buffers.value, count)
    if let norm = layer.queryNorm {
      normalize(buffers.query, norm, count * shape.headCount, into: buffers.query)
    }
    if let norm = layer.keyNorm {
      normalize(buffers.key, norm, count * shape.keyValueHeadCount, into: buffers.key)
    }
    for (column, token) in columns.enumerated() {
      if shape.architecture.rotates(layer: number) {
        let table = (shape.seesWindow[number] ? windowRotations : nil) ?? rotations
        rotate(
          buffers.query + column * shape.queryLength, shape.headCount, token.position, table)
        rotate(
          buffers.key + column * shape.keyLength, shape.keyValueHeadCount, token.position, table)
      }
      if let factor = shape.sharpening?.factor(at: token.position), factor != 1 {
        let query = buffers.query + column * shape.queryLength
        for element in 0..<shape.queryLength { query[element] *= factor }
      }
      slots[token.slot].store(
        number, position: token.position, keys: buffers.key + column * shape.keyLength,
        values: buffers.value + column * shape.keyLength, set)
    }
    read(number, columns)
    multiply(layer.output, buffers.normed, count, into: buffers.added)
    if let norm = layer.attentionPostNorm {
      normalize(buffers.added, norm, count, into: buffers.added)
    }
    ck_add(buffers.stream, buffers.added, count * shape.width)
  }

  /// Computes the attention of a layer, in which queries read keys and values.
  ///
  /// For a group of columns, the method processes together all heads that share keys, so the keys
  /// stay in the processor's cache while the heads read them.
  private func read(_ number: Int, _ columns: ArraySlice<Column>) {
    let window = shape.seesWindow[number] ? shape.window ?? .max : .max
    let group = shape.headCount / shape.keyValueHeadCount
    let heads = min(group, ActivationBuffers.readers)
    let together = ActivationBuffers.readers / heads
    for first in stride(from: 0, to: shape.headCount, by: group) {
      let keys = pool.keys(number, head: first / group)
      let values = pool.values(number, head: first / group)
      for head in stride(from: first, to: first + group, by: heads) {
        var readers: [ck_reader] = []
        for (column, token) in columns.enumerated() {
          let place = column * shape.queryLength + head * shape.headLength
          // Skip the pages that are entirely outside the window. The kernel skips single positions.
          let reached = max(0, token.position + 1 - window)
          let start = reached / Int(CK_PAGE) * Int(CK_PAGE)
          readers.append(
            ck_reader(
              query: buffers.query + place, y: buffers.normed + place,
              pages: slots[token.slot].table + start / Int(CK_PAGE),
              positions: Int32(token.position + 1 - start), skipped: Int32(reached - start)))
          guard readers.count == together || column == columns.count - 1 else { continue }
          ck_attention(
            set, readers, Int32(readers.count), Int32(min(heads, first + group - head)), keys,
            values, Int32(shape.headLength), shape.attentionScale, buffers.scoreStride,
            buffers.scores, buffers.sums, pool.storesHalves ? 1 : 0)
          readers.removeAll(keepingCapacity: true)
        }
      }
    }
  }

  private func rotate(
    _ heads: UnsafeMutablePointer<Float>, _ count: Int, _ position: Int, _ table: RotationTable
  ) {
    table.cosines.withUnsafeBufferPointer { cosines in
      table.sines.withUnsafeBufferPointer { sines in
        guard let cosines = cosines.baseAddress, let sines = sines.baseAddress else { return }
        for head in 0..<count {
          ck_rotate(
            heads + head * shape.headLength, cosines + position * table.pairs,
            sines + position * table.pairs, Int32(shape.rotatedLength),
            shape.architecture.rotatesHalves ? 1 : 0)
        }
      }
    }
  }

  private func feedForward(_ layer: LlamaWeights.Layer, _ count: Int) {
    normalize(buffers.stream, layer.feedForwardNorm, count, into: buffers.normed)
    multiply([(layer.gate, buffers.gate), (layer.up, buffers.up)], buffers.normed, count)
    if shape.architecture.gatesWithGELU {
      ck_gated_gelu(set, buffers.gate, buffers.up, count * shape.feedForwardLength)
    } else {
      ck_gated_silu(set, buffers.gate, buffers.up, count * shape.feedForwardLength)
    }
    multiply(layer.down, buffers.gate, count, into: buffers.added)
    if let norm = layer.feedForwardPostNorm {
      normalize(buffers.added, norm, count, into: buffers.added)
    }
    ck_add(buffers.stream, buffers.added, count * shape.width)
  }

  /// Computes the requested logits, several positions at a time.
  private func handOut(
    _ columns: ArraySlice<Column>,
    _ receive: (_ entry: Int, _ position: Int, _ logits: UnsafeBufferPointer<Float>) -> Void
  ) {
    var wanted: [Column] = []
    func flush() {
      multiply(weights.output, buffers.normed, wanted.count, into: buffers.logits)
      if let cap = shape.logitCap {
        ck_soft_cap(set, buffers.logits, wanted.count * shape.vocabularySize, cap)
      }
      for (row, column) in wanted.enumerated() {
        receive(
          column.entry, column.index,
          UnsafeBufferPointer(
            start: buffers.logits + row * shape.vocabularySize, count: shape.vocabularySize))
      }
      wanted.removeAll(keepingCapacity: true)
    }
    for (column, token) in columns.enumerated() where token.isWanted {
      normalize(
        buffers.stream + column * shape.width, weights.outputNorm, 1,
        into: buffers.normed + wanted.count * shape.width)
      wanted.append(token)
      if wanted.count == ActivationBuffers.logitColumns { flush() }
    }
    if !wanted.isEmpty { flush() }
  }
}
