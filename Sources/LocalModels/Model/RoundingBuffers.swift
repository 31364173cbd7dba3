import CKernels

/// The working memory of matrix products, for 8-bit activations and unpacked rows of weights.
final class RoundingBuffers {
  let quants: UnsafeMutablePointer<Int8>
  let scales: UnsafeMutablePointer<Float>
  let sums: UnsafeMutablePointer<Float>
  let offsets: UnsafeMutablePointer<Int32>
  let halfOffsets: UnsafeMutablePointer<Int32>
  let rowQuants: UnsafeMutablePointer<UInt8>
  let rowScales: UnsafeMutablePointer<Float>
  let pack: UnsafeMutableRawPointer

  /// Creates buffers.
  ///
  /// - Parameters:
  ///   - columns: The maximum number of columns in a product.
  ///   - widest: The length of the longest column.
  init(columns: Int, widest: Int) {
    func memory<T: Numeric>(_ count: Int) -> UnsafeMutablePointer<T> {
      let memory = UnsafeMutablePointer<T>.allocate(capacity: count)
      memory.initialize(repeating: 0, count: count)
      return memory
    }
    let blocks = widest / 32 + 1
    let rows = Int(CK_ROWS)
    quants = memory(columns * widest + 64)
    scales = memory(columns * blocks)
    sums = memory(columns * blocks * 2)
    offsets = memory(columns * blocks)
    halfOffsets = memory(columns * blocks * 2)
    rowQuants = memory(rows * blocks * 34)
    rowScales = memory(4 * rows * (blocks * 2 + 3))
    pack = UnsafeMutableRawPointer.allocate(byteCount: blocks * Int(CK_PACK), alignment: 64)
  }

  deinit {
    quants.deallocate()
    scales.deallocate()
    sums.deallocate()
    offsets.deallocate()
    halfOffsets.deallocate()
    rowQuants.deallocate()
    rowScales.deallocate()
    pack.deallocate()
  }
}

extension WeightMatrix {
  /// Multiplies the matrix by columns.
  ///
  /// - Parameters:
  ///   - x: The columns: `count` vectors, each with as many floats as a row of the matrix.
  ///   - roundsInput: Whether to round `x` to 8 bits first. This is false if the buffers already
  ///     contain the rounded columns, or if products with the matrix's type take floats.
  ///   - y: Receives the products: `count` vectors, each with a float for each row of the matrix.
  func multiply(
    _ x: UnsafePointer<Float>, _ count: Int, _ set: ck_instruction_set,
    _ buffers: RoundingBuffers, roundsInput: Bool, into y: UnsafeMutablePointer<Float>
  ) {
    if roundsInput {
      ck_quantize(
        set, x, count * columns, buffers.quants, buffers.scales, buffers.sums, buffers.offsets,
        buffers.halfOffsets)
    }
    var input = ck_columns(
      values: x, quants: buffers.quants, scales: buffers.scales, sums: buffers.sums,
      offsets: buffers.offsets, half_offsets: buffers.halfOffsets, row_quants: buffers.rowQuants,
      row_scales: buffers.rowScales, pack: buffers.pack, length: Int32(columns),
      batch: Int32(count))
    ck_matmul(set, kernelType, data, Int32(rows), &input, y, rows)
  }
}
