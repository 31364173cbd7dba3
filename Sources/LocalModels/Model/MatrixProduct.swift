import CKernels

/// The product of a matrix and several columns; several threads can compute its rows.
///
/// The result doesn't depend on the number of threads, because no row depends on another row:
///
/// ```
/// rows     0 ..< 384     part 0   ── thread A          each part unpacks its rows
///        384 ..< 768     part 1   ── thread B          into separate memory
///        768 ..< 1152    part 2   ── thread A
///       1152 ..< 1536    part 3   ── thread B
/// ```
struct MatrixProduct: @unchecked Sendable {
  // Unchecked, because no part reads what another part writes.

  let matrix: WeightMatrix
  let set: ck_instruction_set
  /// The columns: `count` vectors, each with as many floats as a row of the matrix.
  let x: UnsafePointer<Float>
  let count: Int
  let buffers: RoundingBuffers
  /// The memory for the products: `count` vectors, each with a float for each row of the matrix.
  let y: UnsafeMutablePointer<Float>

  /// The minimum number of multiplications in a part.
  var leastPart = MatrixProduct.usualLeastPart

  /// The usual minimum number of multiplications in a part.
  ///
  /// Such a part takes more than a microsecond, which is much longer than it takes to claim the
  /// part.
  static let usualLeastPart = 1 << 16

  /// Computes the product.
  ///
  /// - Parameters:
  ///   - roundsInput: Whether to round `x` to 8 bits first. Pass false if the buffers already
  ///     contain the rounded columns, or if products with the matrix's type take floats.
  ///   - team: The threads that share the work, or `nil` if the caller computes alone.
  func compute(roundsInput: Bool, team: ThreadTeam?) {
    if roundsInput {
      ck_quantize(
        set, x, count * matrix.columns, buffers.quants, buffers.scales, buffers.sums,
        buffers.halfSums, buffers.offsets, buffers.halfOffsets)
    }
    // Each thread gets two parts, so that a thread that starts late can leave one to the others.
    let size = matrix.rows * matrix.columns * count
    let parts = min(2 * (team?.size ?? 0), size / leastPart)
    guard let team, parts > 1 else { return compute(rows: 0..<matrix.rows, part: 0) }
    buffers.reserve(parts: parts)
    let together = Int(CK_ROWS)
    let groups = (matrix.rows + together - 1) / together
    team.run(parts: parts) { part in
      let first = part * groups / parts * together
      compute(rows: first..<min(matrix.rows, (part + 1) * groups / parts * together), part: part)
    }
  }

  private func compute(rows: Range<Int>, part: Int) {
    let scratch = buffers.rows[part]
    var input = ck_columns(
      values: x, quants: buffers.quants, scales: buffers.scales, sums: buffers.sums,
      half_sums: buffers.halfSums, offsets: buffers.offsets, half_offsets: buffers.halfOffsets,
      row_quants: scratch.quants, row_scales: scratch.scales, pack: scratch.pack,
      length: Int32(matrix.columns), batch: Int32(count))
    ck_matmul(
      set, matrix.kernelType, matrix.data + rows.lowerBound * matrix.rowSize, Int32(rows.count),
      &input, y + rows.lowerBound, matrix.rows)
  }
}
