import StructuredText

/// The beginning of a key, compared with the sorted keys that its object already has.
struct KeyPrefix {
  /// The range of the used keys that begin with this text; if the text ends inside an escape, the
  /// range ignores the escape.
  private(set) var matches: Range<Int>
  /// The number of bytes so far, with escapes replaced.
  private(set) var length = 0
  /// The bytes of an incomplete escape.
  private var escape: [UInt8] = []

  /// Creates the beginning of a key in an object with the given number of keys.
  init(usedCount: Int) { matches = 0..<usedCount }

  var isInEscape: Bool { !escape.isEmpty }

  /// Returns whether the object already has the key that ends here.
  func isComplete(in used: [[UInt8]]) -> Bool {
    // A key comes before all other keys that begin with it.
    !matches.isEmpty && used[matches.lowerBound].count == length
  }

  /// Appends a byte of the key's spelling.
  ///
  /// - Returns: The bytes of the key that are now known: the byte itself, nothing inside an escape,
  ///   and the escaped character at the end of an escape.
  @discardableResult
  mutating func feed(_ byte: UInt8, _ used: [[UInt8]]) -> [UInt8] {
    if escape.isEmpty, byte != UInt8(ascii: "\\") {
      narrow(to: byte, used)
      return [byte]
    }
    escape.append(byte)
    guard JSONEscapes.isComplete(escape) else { return [] }
    let bytes = Array(JSONEscapes.unescaped(escape).utf8)
    escape.removeAll()
    for byte in bytes { narrow(to: byte, used) }
    return bytes
  }

  private mutating func narrow(to byte: UInt8, _ used: [[UInt8]]) {
    let place = length
    length += 1
    if matches.isEmpty { return }
    func first(_ isAfter: (UInt8) -> Bool) -> Int {
      var (low, high) = (matches.lowerBound, matches.upperBound)
      while low < high {
        let middle = (low + high) / 2
        let key = used[middle]
        if key.count > place, isAfter(key[place]) { high = middle } else { low = middle + 1 }
      }
      return low
    }
    let lower = first { $0 >= byte }
    matches = lower..<max(lower, first { $0 > byte })
  }
}
