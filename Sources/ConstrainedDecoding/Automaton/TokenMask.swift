import Tokenization

/// The legal tokens at one place.
///
/// A small mask is a sorted list of tokens. A large mask is a bit set, plus a sorted list of
/// further tokens. Masks can share bit sets: for example, the set of the tokens that stay inside a
/// string.
package final class TokenMask: Sendable {
  let base: BitWords?
  /// The sorted tokens that are not in `base`.
  let listed: [TokenID]
  /// The end tokens, if the value is complete; otherwise empty.
  let endTokens: [TokenID]
  /// The number of legal tokens, including end tokens.
  package let count: Int
  /// Whether the value is complete, so that the text may end.
  package let allowsEnd: Bool
  /// The approximate size in bytes of the data that the mask doesn't share with other masks.
  let ownBytes: Int

  init(
    base: BitWords?, baseCount: Int, ownsBase: Bool = false, listed: [TokenID],
    endTokens: [TokenID], allowsEnd: Bool
  ) {
    self.base = base
    ownBytes =
      128 + listed.count * MemoryLayout<TokenID>.stride
      + (ownsBase ? (base?.words.count ?? 0) * MemoryLayout<UInt64>.stride : 0)
    self.listed = listed
    self.endTokens = allowsEnd ? endTokens : []
    self.allowsEnd = allowsEnd
    count = baseCount + listed.count + self.endTokens.count
  }

  /// Returns whether a token is legal.
  ///
  /// - Complexity: O(log *n*) in the number of listed tokens.
  package func contains(_ token: TokenID) -> Bool {
    if let base, token >= 0, Int(token) >> 6 < base.words.count, base.contains(token) {
      return true
    }
    if endTokens.contains(token) { return true }
    var low = 0
    var high = listed.count
    while low < high {
      let middle = (low + high) / 2
      if listed[middle] < token { low = middle + 1 } else { high = middle }
    }
    return low < listed.count && listed[low] == token
  }

  /// The only legal token, or nil if there are several or none.
  package var onlyToken: TokenID? { count == 1 ? tokens.first : nil }

  /// Returns the mask without the given tokens.
  ///
  /// - Parameter tokenCount: The number of tokens in the vocabulary.
  func without(_ tokens: Set<TokenID>, tokenCount: Int) -> TokenMask {
    let kept = listed.filter { !tokens.contains($0) }
    guard let base else {
      return TokenMask(
        base: nil, baseCount: 0, listed: kept, endTokens: endTokens, allowsEnd: allowsEnd)
    }
    let words = BitWords(bitCount: tokenCount)
    words.formUnion(base)
    for token in tokens { words.remove(token) }
    return TokenMask(
      base: words, baseCount: words.populationCount, ownsBase: true, listed: kept,
      endTokens: endTokens, allowsEnd: allowsEnd)
  }

  /// Calls a closure for each legal token: first the tokens in `base`, then the listed tokens, then
  /// the end tokens, each group in ascending order.
  @inline(__always)
  package func forEach(_ body: (TokenID) -> Void) {
    if let base {
      let words = base.words
      for index in words.indices {
        var word = words[index]
        while word != 0 {
          body(TokenID(truncatingIfNeeded: index << 6 | word.trailingZeroBitCount))
          word &= word &- 1
        }
      }
    }
    for token in listed { body(token) }
    for token in endTokens { body(token) }
  }

  /// The legal tokens in ascending order.
  package var tokens: [TokenID] {
    var result: [TokenID] = []
    result.reserveCapacity(count)
    forEach { result.append($0) }
    return result.sorted()
  }

  /// Writes the mask as bits, 64 tokens per word, lowest bit first.
  ///
  /// - Parameter words: A buffer of at least ⌈tokens / 64⌉ words; if it has more, the method
  ///   clears the remaining words.
  package func fill(_ words: UnsafeMutableBufferPointer<UInt64>) {
    var filled = 0
    if let base {
      filled = min(words.count, base.words.count)
      if filled > 0, let target = words.baseAddress, let source = base.words.baseAddress {
        // This stays in bounds, because `filled` exceeds neither count.
        target.update(from: source, count: filled)
      }
    }
    for index in filled..<words.count { words[index] = 0 }
    func set(_ token: TokenID) {
      let index = Int(token) >> 6
      if index < words.count { words[index] |= 1 << UInt64(truncatingIfNeeded: token & 63) }
    }
    for token in listed { set(token) }
    for token in endTokens { set(token) }
  }
}
