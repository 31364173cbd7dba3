/// A set of bytes, stored as 256 bits.
struct ByteSet: Hashable {
  private var words = SIMD4<UInt64>()

  init() {}

  /// Creates a set of the bytes of ASCII characters.
  init(_ characters: StaticString) {
    for byte in "\(characters)".utf8 { insert(byte) }
  }

  /// The white space of JSON.
  static let whitespace = ByteSet(" \t\n\r")

  /// All bytes from 0x80 on.
  static let beyondASCII: ByteSet = {
    var bytes = ByteSet()
    bytes.insert(0x80...0xFF)
    return bytes
  }()

  @inline(__always)
  mutating func insert(_ byte: UInt8) {
    words[Int(byte >> 6)] |= 1 << UInt64(byte & 63)
  }

  mutating func insert(_ bytes: ClosedRange<UInt8>) {
    for word in Int(bytes.lowerBound >> 6)...Int(bytes.upperBound >> 6) {
      let low = word == Int(bytes.lowerBound >> 6) ? UInt64(bytes.lowerBound & 63) : 0
      let high = word == Int(bytes.upperBound >> 6) ? UInt64(bytes.upperBound & 63) : 63
      words[word] |= (UInt64.max >> (63 - (high - low))) << low
    }
  }

  @inline(__always)
  mutating func formUnion(_ other: ByteSet) { words |= other.words }

  @inline(__always)
  func intersection(_ other: ByteSet) -> ByteSet {
    var result = self
    result.words &= other.words
    return result
  }

  @inline(__always)
  func subtracting(_ other: ByteSet) -> ByteSet {
    var result = self
    result.words &= ~other.words
    return result
  }

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    words[Int(byte >> 6)] >> UInt64(byte & 63) & 1 != 0
  }

  /// The smallest byte, or 0 if there is none.
  var first: UInt8 {
    var copy = self
    return copy.popFirst() ?? 0
  }

  var isEmpty: Bool { words == SIMD4() }

  var count: Int {
    words[0].nonzeroBitCount + words[1].nonzeroBitCount + words[2].nonzeroBitCount
      + words[3].nonzeroBitCount
  }

  /// Returns the number of bytes in the set that are smaller than the given byte.
  @inline(__always)
  func rank(of byte: UInt8) -> Int {
    let word = Int(byte >> 6)
    var result = (words[word] & (1 << UInt64(byte & 63) - 1)).nonzeroBitCount
    for index in 0..<word { result += words[index].nonzeroBitCount }
    return result
  }

  /// Removes and returns the smallest byte, or returns nil if the set is empty.
  @inline(__always)
  mutating func popFirst() -> UInt8? {
    for index in 0..<4 where words[index] != 0 {
      let bit = words[index].trailingZeroBitCount
      words[index] &= words[index] &- 1
      return UInt8(truncatingIfNeeded: index << 6 | bit)
    }
    return nil
  }

  /// Calls a closure for each byte, in ascending order.
  @inline(__always)
  func forEach(_ body: (UInt8) -> Void) {
    for index in 0..<4 {
      var word = words[index]
      while word != 0 {
        body(UInt8(truncatingIfNeeded: index << 6 | word.trailingZeroBitCount))
        word &= word &- 1
      }
    }
  }
}
