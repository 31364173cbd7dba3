import CKernels

/// The keys and values of a range of positions, for all layers and heads.
///
/// Several slots can share a page. Its memory returns to the pool when the last slot releases the
/// page.
final class KeyValuePage {
  let memory: UnsafeMutableRawPointer
  private let pool: KeyValuePool

  init(_ pool: KeyValuePool) {
    self.pool = pool
    memory = pool.take()
  }

  deinit { pool.give(memory) }
}

/// The pool of a predictor's pages, which reuses memory.
final class KeyValuePool {
  /// The number of positions in a page.
  static let positions = Int(CK_PAGE)

  let layers: Int
  let heads: Int
  /// The number of elements of one head at one position.
  let headLength: Int
  /// Whether the elements are halves (16-bit floats) instead of 32-bit floats.
  let storesHalves: Bool
  private var free: [UnsafeMutableRawPointer] = []
  /// The number of pages that slots hold.
  private var pagesInUse = 0

  init(layers: Int, heads: Int, headLength: Int, storesHalves: Bool) {
    self.layers = layers
    self.heads = heads
    self.headLength = headLength
    self.storesHalves = storesHalves
  }

  deinit {
    for memory in free { memory.deallocate() }
  }

  /// The number of bytes in the pages that slots hold.
  ///
  /// A shared page counts once.
  var bytesInUse: Int { pagesInUse * pageSize }

  /// The number of bytes of an element.
  var elementSize: Int { Self.elementSize(isHalf: storesHalves) }
  /// The number of elements of one head in a page.
  private var headSize: Int { Self.positions * headLength }
  /// The number of bytes of a page.
  private var pageSize: Int { layers * 2 * heads * headSize * elementSize }

  /// Returns the offset of a head's keys in a page, in elements.
  func keys(_ layer: Int, head: Int) -> Int { (layer * 2 * heads + head) * headSize }

  /// Returns the offset of a head's values in a page, in elements.
  func values(_ layer: Int, head: Int) -> Int { ((layer * 2 + 1) * heads + head) * headSize }

  /// Returns the number of bytes of a half or a float.
  static func elementSize(isHalf: Bool) -> Int {
    isHalf ? MemoryLayout<UInt16>.size : MemoryLayout<Float>.size
  }

  fileprivate func take() -> UnsafeMutableRawPointer {
    pagesInUse += 1
    if let memory = free.popLast() { return memory }
    // The kernels multiply the values of unused positions by 0, so all of them must be finite.
    let memory = UnsafeMutableRawPointer.allocate(byteCount: pageSize, alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: pageSize)
    return memory
  }

  fileprivate func give(_ memory: UnsafeMutableRawPointer) {
    pagesInUse -= 1
    free.append(memory)
  }

  /// Copies a page to another page.
  func copy(_ source: KeyValuePage, to destination: KeyValuePage) {
    destination.memory.copyMemory(from: source.memory, byteCount: pageSize)
  }
}
