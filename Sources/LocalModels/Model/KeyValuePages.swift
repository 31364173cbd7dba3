import CKernels

/// The keys and values of a range of positions, for all layers and heads.
///
/// Several slots can share a page. Its memory returns to the pool when the last slot releases the
/// page.
final class KeyValuePage {
  let memory: UnsafeMutablePointer<Float>
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
  /// The number of floats of one head at one position.
  let headLength: Int
  private var free: [UnsafeMutablePointer<Float>] = []
  /// The number of pages that slots hold.
  private var pagesInUse = 0

  init(layers: Int, heads: Int, headLength: Int) {
    self.layers = layers
    self.heads = heads
    self.headLength = headLength
  }

  deinit {
    for memory in free { memory.deallocate() }
  }

  /// The number of bytes in the pages that slots hold.
  ///
  /// A shared page counts once.
  var bytesInUse: Int { pagesInUse * pageSize * MemoryLayout<Float>.size }

  /// The number of floats of one head in a page.
  private var headSize: Int { Self.positions * headLength }
  private var pageSize: Int { layers * 2 * heads * headSize }

  /// Returns the offset of a head's keys in a page.
  func keys(_ layer: Int, head: Int) -> Int { (layer * 2 * heads + head) * headSize }

  /// Returns the offset of a head's values in a page.
  func values(_ layer: Int, head: Int) -> Int { ((layer * 2 + 1) * heads + head) * headSize }

  fileprivate func take() -> UnsafeMutablePointer<Float> {
    pagesInUse += 1
    // Each position of a page is written before it is read.
    return free.popLast() ?? UnsafeMutablePointer<Float>.allocate(capacity: pageSize)
  }

  fileprivate func give(_ memory: UnsafeMutablePointer<Float>) {
    pagesInUse -= 1
    free.append(memory)
  }

  /// Copies the first positions of a page to another page.
  func copy(_ source: KeyValuePage, to destination: KeyValuePage, positions: Int) {
    for start in stride(from: 0, to: pageSize, by: headSize) {
      (destination.memory + start).update(
        from: source.memory + start, count: positions * headLength)
    }
  }
}
