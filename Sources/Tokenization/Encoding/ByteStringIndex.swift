/// A hash table that maps a byte string to its number, which is its position in a list of strings.
///
/// The table doesn't copy the strings.
struct ByteStringIndex: Sendable {
  private let strings: ByteStrings
  private var slots: HashSlots

  /// Creates an empty index.
  ///
  /// - Parameters:
  ///   - strings: The strings; `insert` adds some or all of them to the index.
  ///   - capacity: The maximum number of inserted strings.
  init(_ strings: ByteStrings, capacity: Int) {
    self.strings = strings
    slots = HashSlots(capacity: capacity)
  }

  private static func areEqual(
    _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    a.count == b.count && a.elementsEqual(b)
  }

  /// Returns the number of a string, or nil if it was not inserted.
  func find(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32? {
    slots.find(ByteHash.hash(bytes)) { Self.areEqual(strings[$0], bytes) }.map(Int32.init)
  }

  /// Returns the number of a string, or nil if it was not inserted.
  func find(_ bytes: [UInt8]) -> Int32? { bytes.withUnsafeBufferPointer { find($0) } }

  /// Inserts a string; if the index already has an equal string, it keeps that string unless
  /// `replacing` is true.
  mutating func insert(_ number: Int, replacing: Bool = false) {
    let bytes = strings[number]
    slots.insert(number, ByteHash.hash(bytes), replacing: replacing) { [strings] in
      Self.areEqual(strings[$0], bytes)
    }
  }
}

/// The slots of a hash table whose keys are stored elsewhere.
///
/// The table uses open addressing. A slot holds the number of its key and half of the key's hash. A
/// lookup compares the hashes first, so it rarely has to read a key that differs.
struct HashSlots: Sendable {
  /// For each slot, the upper 32 bits of the key's hash, followed by the number plus one; 0 if the
  /// slot is free.
  private var slots: [UInt64]

  /// Creates slots for fewer than 2^32 - 1 numbers; at least a quarter of the slots stay free.
  init(capacity: Int) {
    var size = 16
    while size / 4 * 3 < capacity { size *= 2 }
    slots = Array(repeating: 0, count: size)
  }

  /// Returns the slot that holds a key, or the free slot where it belongs.
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

  /// Returns the number of a key, or nil if it was not inserted.
  func find(_ hash: UInt64, _ isEqual: (Int) -> Bool) -> Int? {
    let entry = slots[slot(hash, isEqual)]
    return entry == 0 ? nil : Self.number(entry)
  }

  /// Sets the number of a key; a key that already has a number keeps it unless `replacing` is true.
  mutating func insert(
    _ number: Int, _ hash: UInt64, replacing: Bool = false, _ isEqual: (Int) -> Bool
  ) {
    let slot = slot(hash, isEqual)
    if slots[slot] == 0 || replacing {
      slots[slot] = hash & ~0xFFFF_FFFF | UInt64(number + 1)
    }
  }
}
