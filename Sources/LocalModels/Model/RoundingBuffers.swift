import CKernels

/// Working memory of matrix products: activations of 8 bits, and rows of weights as they unpack.
final class RoundingBuffers {
  let quants: UnsafeMutablePointer<Int8>
  let scales: UnsafeMutablePointer<Float>
  let sums: UnsafeMutablePointer<Float>
  let rowQuants: UnsafeMutablePointer<Int8>
  let rowScales: UnsafeMutablePointer<Float>

  /// - Parameters:
  ///   - columns: The most columns of a product.
  ///   - widest: The longest column.
  init(columns: Int, widest: Int) {
    func memory<T: Numeric>(_ count: Int) -> UnsafeMutablePointer<T> {
      let memory = UnsafeMutablePointer<T>.allocate(capacity: count)
      memory.initialize(repeating: 0, count: count)
      return memory
    }
    quants = memory(columns * widest + 64)
    scales = memory(columns * (widest / 32 + 1))
    sums = memory(columns * (widest / 16 + 1))
    rowQuants = memory(Int(CK_ROWS) * (widest + 64))
    rowScales = memory(Int(CK_ROWS) * (widest / 8 + 64))
  }

  deinit {
    quants.deallocate()
    scales.deallocate()
    sums.deallocate()
    rowQuants.deallocate()
    rowScales.deallocate()
  }
}

extension WeightMatrix {
  /// The matrix times columns.
  ///
  /// - Parameters:
  ///   - x: `count` columns of as many floats as the matrix has columns.
  ///   - roundsInput: Whether `x` is new to the buffers; types that take 8-bit activations only.
  ///   - y: Gets `count` columns of as many floats as the matrix has rows.
  func multiply(
    _ x: UnsafePointer<Float>, _ count: Int, _ set: ck_instruction_set,
    _ buffers: RoundingBuffers, roundsInput: Bool, into y: UnsafeMutablePointer<Float>
  ) {
    if roundsInput {
      ck_quantize(set, x, count * columns, buffers.quants, buffers.scales, buffers.sums)
    }
    var input = ck_columns(
      values: x, quants: buffers.quants, scales: buffers.scales, sums: buffers.sums,
      row_quants: buffers.rowQuants, row_scales: buffers.rowScales, length: Int32(columns),
      batch: Int32(count))
    ck_matmul(set, kernelType, data, Int32(rows), &input, y, rows)
  }
}
