import CKernels

/// The keys and values of one slot, in pages that slots can share.
///
/// A copy of a slot shares the slot's pages. Before a slot adds a position to a shared page, it
/// copies the page. So a prompt is stored only once for all its repeats.
///
/// ```
/// slot 0   [ 0 ..< 32 ] [ 32 ..< 64 ] [ 64 ..< 70 ]
///               ▲             ▲
/// slot 1   ─────┘─────────────┘       [ 64 ..< 83 ]   a copy of slot 0 at length 70 that then grew
/// ```
final class KeyValueCache {
  private let pool: KeyValuePool
  private var pages: [KeyValuePage] = []
  /// The addresses of the pages, for the kernels.
  ///
  /// The table has room for the longest sequence.
  let table: UnsafeMutablePointer<UnsafeRawPointer?>
  /// The number of positions in use.
  private(set) var length = 0

  init(pool: KeyValuePool, limit: Int) {
    self.pool = pool
    let count = limit / KeyValuePool.positions + 1
    table = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: count)
    table.initialize(repeating: nil, count: count)
  }

  deinit { table.deallocate() }

  /// Stores the keys and values of all heads at a reserved position.
  func store(
    _ layer: Int, position: Int, keys: UnsafePointer<Float>, values: UnsafePointer<Float>,
    _ set: ck_instruction_set
  ) {
    let length = pool.headLength
    let memory = pages[position / KeyValuePool.positions].memory
    for head in 0..<pool.heads {
      ck_store_position(
        set, keys + head * length, values + head * length,
        memory + pool.keys(layer, head: head) * pool.elementSize,
        memory + pool.values(layer, head: head) * pool.elementSize,
        Int32(position % KeyValuePool.positions), Int32(length), pool.storesHalves ? 1 : 0)
    }
  }

  /// Reserves memory for a total number of positions.
  ///
  /// Afterwards, no other slot shares the pages that new positions will be written to.
  ///
  /// - Parameter positions: The total number of positions, including the current ones.
  func reserve(_ positions: Int) {
    guard positions > length else { return }
    if length % KeyValuePool.positions > 0, !isKnownUniquelyReferenced(&pages[pages.count - 1]) {
      let shared = pages[pages.count - 1]
      let own = KeyValuePage(pool)
      pool.copy(shared, to: own)
      set(own, pages.count - 1)
    }
    while pages.count * KeyValuePool.positions < positions { set(KeyValuePage(pool), pages.count) }
  }

  private func set(_ page: KeyValuePage, _ index: Int) {
    if index < pages.count { pages[index] = page } else { pages.append(page) }
    table[index] = UnsafeRawPointer(page.memory)
  }

  /// Records the number of stored positions.
  func advance(to length: Int) { self.length = length }

  /// Keeps only the first `length` positions.
  func rewind(to length: Int) {
    self.length = length
    let count = (length + KeyValuePool.positions - 1) / KeyValuePool.positions
    if count < pages.count { pages.removeSubrange(count...) }
  }

  /// Replaces this slot's positions with those of another slot.
  func copy(from other: KeyValueCache) {
    pages = other.pages
    table.update(from: other.table, count: pages.count)
    length = other.length
  }
}
