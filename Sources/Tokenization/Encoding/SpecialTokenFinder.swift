/// Finds special or user-defined tokens that are spelled out in a text.
struct SpecialTokenFinder: Sendable {
  private let index: ByteStringIndex
  /// For each byte, the lengths of the tokens that start with it, longest first.
  private let lengths: [[Int]]

  /// Creates a finder.
  ///
  /// - Parameters:
  ///   - strings: The vocabulary's tokens, as they are spelled in text.
  ///   - numbers: The tokens to find. The finder skips tokens with an empty spelling. Of several
  ///     tokens with equal spellings, it finds only the first.
  init(_ strings: ByteStrings, _ numbers: [TokenID]) {
    var index = ByteStringIndex(strings, capacity: numbers.count)
    var lengths = [Set<Int>](repeating: [], count: 256)
    for number in numbers {
      let bytes = strings[Int(number)]
      guard let first = bytes.first else { continue }
      index.insert(Int(number))
      lengths[Int(first)].insert(bytes.count)
    }
    self.index = index
    self.lengths = lengths.map { $0.sorted(by: >) }
  }

  /// Splits a text at the finder's tokens, from left to right; if several tokens match, the longest
  /// wins.
  ///
  /// - Parameters:
  ///   - plain: A closure that receives each stretch of ordinary text.
  ///   - special: A closure that receives each token that the finder found, and the number of its
  ///     bytes.
  func cut(_ text: String, plain: (Substring) -> Void, special: (TokenID, Int) -> Void) {
    var text = text
    text.makeContiguousUTF8()
    let count = text.utf8.count
    func slice(_ start: Int, _ end: Int) -> Substring {
      let utf8 = text.utf8
      return text[
        utf8.index(utf8.startIndex, offsetBy: start)..<utf8.index(utf8.startIndex, offsetBy: end)]
    }
    var found: [(Range<Int>, TokenID)] = []
    text.utf8.withContiguousStorageIfAvailable { bytes in
      var position = 0
      scan: while position < count {
        for length in lengths[Int(bytes[position])] where position + length <= count {
          let candidate = UnsafeBufferPointer(rebasing: bytes[position..<position + length])
          if let token = index.find(candidate) {
            found.append((position..<position + length, token))
            position += length
            continue scan
          }
        }
        position += 1
      }
    }
    var start = 0
    for (range, token) in found {
      if start < range.lowerBound { plain(slice(start, range.lowerBound)) }
      special(token, range.count)
      start = range.upperBound
    }
    if start < count { plain(slice(start, count)) }
  }
}
