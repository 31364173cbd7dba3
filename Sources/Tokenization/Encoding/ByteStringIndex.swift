/// Numbers by byte strings: a hash table whose look-ups copy nothing.
struct ByteStringIndex: Sendable {
  private var strings: [[UInt8]] = []
  private var numbers: [Int32] = []
  /// Open addressing: an index into `strings`, or -1; a power of two in length.
  private var slots: [Int32]

  /// Makes an empty index with room for so many strings.
  init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    slots = Array(repeating: -1, count: size)
    strings.reserveCapacity(capacity)
    numbers.reserveCapacity(capacity)
  }

  /// The number of strings.
  var count: Int { strings.count }

  /// The standard library's hash, whose seed differs from run to run: strings that all collide
  /// cannot be prepared.
  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
    return hasher.finalize()
  }

  /// The slot that holds a string, or the free one where it belongs.
  private func slot(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var slot = Self.hash(bytes) & (slots.count - 1)
    while slots[slot] >= 0 {
      let string = strings[Int(slots[slot])]
      if string.count == bytes.count, string.elementsEqual(bytes) { return slot }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  /// The number of a string.
  func find(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32? {
    let index = slots[slot(of: bytes)]
    return index < 0 ? nil : numbers[Int(index)]
  }

  /// The number of a string.
  func find(_ bytes: [UInt8]) -> Int32? { bytes.withUnsafeBufferPointer { find($0) } }

  /// Gives a string a number; the first one stays unless told otherwise.
  mutating func insert(_ string: [UInt8], _ number: Int32, replacing: Bool = false) {
    if (strings.count + 1) * 2 > slots.count { grow() }
    let slot = string.withUnsafeBufferPointer { self.slot(of: $0) }
    if slots[slot] >= 0 {
      if replacing { numbers[Int(slots[slot])] = number }
      return
    }
    slots[slot] = Int32(strings.count)
    strings.append(string)
    numbers.append(number)
  }

  private mutating func grow() {
    slots = Array(repeating: -1, count: slots.count * 2)
    for (index, string) in strings.enumerated() {
      slots[string.withUnsafeBufferPointer { slot(of: $0) }] = Int32(index)
    }
  }
}
