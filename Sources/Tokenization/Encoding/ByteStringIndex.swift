/// The numbers of byte strings: a hash table over strings that stay where they are.
struct ByteStringIndex: Sendable {
  private let strings: ByteStrings
  private var slots: HashSlots

  /// Creates an empty index.
  ///
  /// - Parameters:
  ///   - strings: The strings, some of which will be found.
  ///   - capacity: The most of them.
  init(_ strings: ByteStrings, capacity: Int) {
    self.strings = strings
    slots = HashSlots(capacity: capacity)
  }

  private static func areEqual(
    _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    a.count == b.count && a.elementsEqual(b)
  }

  /// The number of a string.
  func find(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32? {
    slots.find(ByteHash.hash(bytes)) { Self.areEqual(strings[$0], bytes) }.map(Int32.init)
  }

  /// The number of a string.
  func find(_ bytes: [UInt8]) -> Int32? { bytes.withUnsafeBufferPointer { find($0) } }

  /// Makes a string one that is found; of equal strings the first one stays unless told otherwise.
  mutating func insert(_ number: Int, replacing: Bool = false) {
    let bytes = strings[number]
    slots.insert(number, ByteHash.hash(bytes), replacing: replacing) { [strings] in
      Self.areEqual(strings[$0], bytes)
    }
  }
}

/// The slots of a hash table whose keys lie elsewhere: open addressing, half of each slot for the
/// hash, which tells nearly all other keys apart without a look at them, and half for a number.
struct HashSlots: Sendable {
  /// The hash's upper 32 bits, then the number and one; zero for a free slot.
  private var slots: [UInt64]

  /// Creates slots for so many numbers, fewer than 2^32 - 1; at least a quarter stays free.
  init(capacity: Int) {
    var size = 16
    while size / 4 * 3 < capacity { size *= 2 }
    slots = Array(repeating: 0, count: size)
  }

  /// The slot that holds a key, or the free one where it belongs.
  private func slot(_ hash: UInt64, _ isEqual: (Int) -> Bool) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash >> 32) & mask
    while slots[slot] != 0 {
      if slots[slot] >> 32 == hash >> 32, isEqual(Self.number(slots[slot])) { break }
      slot = (slot + 1) & mask
    }
    return slot
  }

  private static func number(_ entry: UInt64) -> Int { Int(entry & 0xFFFF_FFFF) - 1 }

  /// The number of a key.
  func find(_ hash: UInt64, _ isEqual: (Int) -> Bool) -> Int? {
    let entry = slots[slot(hash, isEqual)]
    return entry == 0 ? nil : Self.number(entry)
  }

  /// Gives a key a number; its first one stays unless told otherwise.
  mutating func insert(
    _ number: Int, _ hash: UInt64, replacing: Bool = false, _ isEqual: (Int) -> Bool
  ) {
    let slot = slot(hash, isEqual)
    if slots[slot] == 0 || replacing {
      slots[slot] = hash & ~0xFFFF_FFFF | UInt64(number + 1)
    }
  }
}
