/// The keys and values of one slot: for each layer, one row for each position.
///
/// Memory is allocated in steps as positions are added.
final class KeyValueCache {
  /// Positions are added in steps of so many.
  private static let step = 256

  private let rowLength: Int
  private let limit: Int
  private var capacity = 0
  /// Keys and values of the layers: 2 · layer for keys, 2 · layer + 1 for values.
  private var rows: [UnsafeMutablePointer<Float>]
  private let count: Int
  /// The number of positions in use.
  var length = 0

  init(layers: Int, rowLength: Int, limit: Int) {
    self.rowLength = rowLength
    self.limit = limit
    count = layers * 2
    rows = []
  }

  deinit {
    for row in rows { row.deallocate() }
  }

  func keys(_ layer: Int) -> UnsafeMutablePointer<Float> { rows[2 * layer] }
  func values(_ layer: Int) -> UnsafeMutablePointer<Float> { rows[2 * layer + 1] }

  /// Makes room for so many positions.
  func reserve(_ positions: Int) {
    guard positions > capacity else { return }
    let wanted = max(positions, capacity + capacity / 2)
    let size = min(limit, (wanted + Self.step - 1) / Self.step * Self.step)
    var grown: [UnsafeMutablePointer<Float>] = []
    for index in 0..<count {
      let row = UnsafeMutablePointer<Float>.allocate(capacity: size * rowLength)
      if !rows.isEmpty {
        row.update(from: rows[index], count: length * rowLength)
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
      rows[index].update(from: other.rows[index], count: other.length * rowLength)
    }
    length = other.length
  }
}
