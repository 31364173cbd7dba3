import CKernels

/// The working memory of matrix products, for 8-bit activations and unpacked rows of weights.
final class RoundingBuffers {
  let quants: UnsafeMutablePointer<Int8>
  let scales: UnsafeMutablePointer<Float>
  let sums: UnsafeMutablePointer<Float>
  let halfSums: UnsafeMutablePointer<Float>
  let offsets: UnsafeMutablePointer<Int32>
  let halfOffsets: UnsafeMutablePointer<Int32>
  /// The memory for unpacked rows; each part of a product has its own.
  private(set) var rows: [RowBuffers]
  private let widest: Int

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
    let together = Int(CK_COLUMNS)
    let columns = (columns + together - 1) / together * together
    self.widest = widest
    rows = [RowBuffers(widest: widest)]
    quants = memory(columns * widest + 64)
    scales = memory(columns * blocks)
    sums = memory(columns * blocks)
    halfSums = memory(columns * blocks * 2)
    offsets = memory(columns * blocks)
    halfOffsets = memory(columns * blocks * 2)
  }

  /// Allocates the memory that is still missing for a product with the given number of parts.
  func reserve(parts: Int) {
    while rows.count < parts { rows.append(RowBuffers(widest: widest)) }
  }

  deinit {
    quants.deallocate()
    scales.deallocate()
    sums.deallocate()
    halfSums.deallocate()
    offsets.deallocate()
    halfOffsets.deallocate()
  }
}

/// The memory in which one thread unpacks rows of weights.
final class RowBuffers {
  let quants: UnsafeMutablePointer<UInt8>
  let scales: UnsafeMutablePointer<Float>
  let pack: UnsafeMutableRawPointer

  /// Creates buffers for rows with up to `widest` elements.
  init(widest: Int) {
    let blocks = widest / 32 + 1
    let rows = Int(CK_ROWS)
    quants = .allocate(capacity: rows * blocks * 34)
    quants.initialize(repeating: 0, count: rows * blocks * 34)
    scales = .allocate(capacity: 4 * rows * (blocks * 2 + 3))
    scales.initialize(repeating: 0, count: 4 * rows * (blocks * 2 + 3))
    pack = UnsafeMutableRawPointer.allocate(byteCount: blocks * Int(CK_PACK), alignment: 64)
  }

  deinit {
    quants.deallocate()
    scales.deallocate()
    pack.deallocate()
  }
}
