/// Sorts token numbers in linear time.
///
/// ```
/// 5000, 3, 70, 3     words    bit 3 of word 0, bit 6 of word 1, bit 8 of word 78
///                    summary  words 0, 1 and 78 are not empty       ──►   3, 70, 5000
/// ```
///
/// Sorting a few hundred numbers by comparison takes several microseconds. That is longer than
/// computing the rest of a mask.
final class TokenSorter {
  private let words: UnsafeMutableBufferPointer<UInt64>
  private let summary: UnsafeMutableBufferPointer<UInt64>

  init(tokenCount: Int) {
    words = .allocate(capacity: (tokenCount + 63) / 64)
    words.initialize(repeating: 0)
    summary = .allocate(capacity: (words.count + 63) / 64)
    summary.initialize(repeating: 0)
  }

  deinit {
    words.deallocate()
    summary.deallocate()
  }

  /// Sorts tokens, and removes duplicates and the tokens that are already in a set.
  ///
  /// Accesses stay in bounds, because every token is below the count for which `words` and `base`
  /// were created; a word's number is below 64 times the number of words in `summary`.
  func sort(_ tokens: inout [Int32], without base: BitWords?) {
    if tokens.isEmpty { return }
    for token in tokens {
      let word = Int(token) >> 6
      words[word] |= 1 << UInt64(truncatingIfNeeded: token & 63)
      summary[word >> 6] |= 1 << UInt64(truncatingIfNeeded: word & 63)
    }
    tokens.removeAll(keepingCapacity: true)
    for index in summary.indices {
      var used = summary[index]
      summary[index] = 0
      while used != 0 {
        let word = index << 6 | used.trailingZeroBitCount
        used &= used &- 1
        var bits = words[word]
        words[word] = 0
        if let base { bits &= ~base.words[word] }
        while bits != 0 {
          tokens.append(Int32(truncatingIfNeeded: word << 6 | bits.trailingZeroBitCount))
          bits &= bits &- 1
        }
      }
    }
  }
}
