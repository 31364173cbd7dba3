/// The keys and values of one slot: for each layer and head, one short row for each position.
///
/// The rows of a head lie together, because attention reads them one after the other. Memory is
/// allocated in steps as positions are added.
final class KeyValueCache {
  /// Positions are added in steps of so many.
  private static let step = 256

  /// The floats of one head at one position.
  let headLength: Int
  private let heads: Int
  private let limit: Int
  private let count: Int
  private var capacity = 0
  /// For each layer the heads' keys, then the heads' values.
  private var rows: [UnsafeMutablePointer<Float>] = []
  /// The number of positions in use.
  var length = 0

  init(layers: Int, heads: Int, headLength: Int, limit: Int) {
    self.heads = heads
    self.headLength = headLength
    self.limit = limit
    count = layers * 2 * heads
  }

  deinit {
    for row in rows { row.deallocate() }
  }

  func keys(_ layer: Int, head: Int) -> UnsafeMutablePointer<Float> {
    rows[layer * 2 * heads + head]
  }

  func values(_ layer: Int, head: Int) -> UnsafeMutablePointer<Float> {
    rows[(layer * 2 + 1) * heads + head]
  }

  /// Stores the keys and values of all heads at a position.
  func store(
    _ layer: Int, position: Int, keys: UnsafePointer<Float>, values: UnsafePointer<Float>
  ) {
    for head in 0..<heads {
      let place = position * headLength
      (self.keys(layer, head: head) + place).update(
        from: keys + head * headLength, count: headLength)
      (self.values(layer, head: head) + place).update(
        from: values + head * headLength, count: headLength)
    }
  }

  /// Makes room for so many positions.
  func reserve(_ positions: Int) {
    guard positions > capacity else { return }
    let wanted = max(positions, capacity + capacity / 2)
    let size = min(limit, (wanted + Self.step - 1) / Self.step * Self.step)
    var grown: [UnsafeMutablePointer<Float>] = []
    grown.reserveCapacity(count)
    for index in 0..<count {
      let row = UnsafeMutablePointer<Float>.allocate(capacity: size * headLength)
      if !rows.isEmpty {
        row.update(from: rows[index], count: length * headLength)
        rows[index].deallocate()
      }
      grown.append(row)
    }
    rows = grown
    capacity = size
  }

  /// Takes over another slot's positions.
  func copy(from other: KeyValueCache) {
    length = 0
    reserve(other.length)
    for index in 0..<count where other.length > 0 {
      rows[index].update(from: other.rows[index], count: other.length * headLength)
    }
    length = other.length
  }
}
