/// A hash table that numbers entries; the table's owner stores the entries themselves.
///
/// It uses open addressing with linear probing.
struct InternTable {
  private var slots: [UInt32]
  private var hashes: [UInt64] = []
  private let empty = UInt32.max

  init() { slots = [UInt32](repeating: UInt32.max, count: 256) }

  /// Returns the number of an equal entry, or nil if there is none yet.
  @inline(__always)
  func find(_ hash: UInt64, isEqual: (UInt32) -> Bool) -> UInt32? {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != empty {
      let number = slots[slot]
      if hashes[Int(number)] == hash, isEqual(number) { return number }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// Assigns the next number to an entry that `find` didn't find, and returns the number.
  mutating func insert(_ hash: UInt64) -> UInt32 {
    let number = UInt32(hashes.count)
    hashes.append(hash)
    if hashes.count * 2 > slots.count {
      slots = [UInt32](repeating: empty, count: slots.count * 2)
      for (index, hash) in hashes.enumerated() { place(UInt32(index), hash) }
    } else {
      place(number, hash)
    }
    return number
  }

  private mutating func place(_ number: UInt32, _ hash: UInt64) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != empty { slot = (slot + 1) & mask }
    slots[slot] = number
  }
}
