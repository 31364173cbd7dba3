/// Bits by token number, 64 in a word, in memory of its own.
///
/// In bounds: words are made for the number of tokens of a vocabulary, and the bits that are asked
/// for are its tokens; `TokenMask.contains`, which anybody may call, compares first.
final class BitWords: @unchecked Sendable {
  // Written by its maker before it is shared.
  let words: UnsafeMutableBufferPointer<UInt64>

  /// Creates words for a number of bits, all clear.
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

  /// Adds all bits of words of the same length.
  func formUnion(_ other: BitWords) {
    for index in 0..<min(words.count, other.words.count) { words[index] |= other.words[index] }
  }

  /// The number of bits that are set.
  var populationCount: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }
}
