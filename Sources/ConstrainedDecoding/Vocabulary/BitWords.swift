/// A set of token numbers as bits, 64 per word.
///
/// Accesses stay in bounds, because a set has a bit for every token of a vocabulary, and its users
/// access only these bits. `TokenMask.contains` accepts any number, so it checks the number first.
final class BitWords: @unchecked Sendable {
  // The creator writes the words before it shares this object.
  let words: UnsafeMutableBufferPointer<UInt64>

  /// Creates an empty set with room for a number of bits.
  init(bitCount: Int) {
    words = .allocate(capacity: (bitCount + 63) / 64)
    words.initialize(repeating: 0)
  }

  deinit { words.deallocate() }

  @inline(__always)
  func insert(_ bit: Int32) {
    words[Int(bit) >> 6] |= 1 << UInt64(truncatingIfNeeded: bit & 63)
  }

  @inline(__always)
  func remove(_ bit: Int32) {
    words[Int(bit) >> 6] &= ~(1 << UInt64(truncatingIfNeeded: bit & 63))
  }

  @inline(__always)
  func contains(_ bit: Int32) -> Bool {
    words[Int(bit) >> 6] >> UInt64(truncatingIfNeeded: bit & 63) & 1 != 0
  }

  /// Adds all bits of another set of the same length.
  func formUnion(_ other: BitWords) {
    for index in 0..<min(words.count, other.words.count) { words[index] |= other.words[index] }
  }

  /// The number of set bits.
  var populationCount: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }
}
