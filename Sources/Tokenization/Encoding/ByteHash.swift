/// Hashes short byte strings with keys that differ in every process, so that nobody can prepare
/// strings that all collide.
///
/// Like Wang Yi's wyhash, it turns sixteen bytes at a time into two factors, and folds their
/// 128-bit product into the next state. A key masks one factor, and the state so far masks the
/// other.
enum ByteHash {
  private static let keys: (UInt64, UInt64, UInt64) = (key(1), key(2), key(3))

  /// Returns a number that differs in every process, because the standard library's hash has a
  /// random seed.
  private static func key(_ number: Int) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(number)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let (high, low) = a.multipliedFullWidth(by: b)
    return high ^ low
  }

  /// Returns the hash of a string.
  static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    let raw = UnsafeRawBufferPointer(bytes)
    let count = raw.count
    func eight(_ place: Int) -> UInt64 { raw.loadUnaligned(fromByteOffset: place, as: UInt64.self) }
    func four(_ place: Int) -> UInt64 {
      UInt64(raw.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }
    var (low, high): (UInt64, UInt64) = (0, 0)
    var state = keys.2
    switch count {
    case 0: break
    case 1...3:
      low = UInt64(raw[0]) << 16 | UInt64(raw[count >> 1]) << 8 | UInt64(raw[count - 1])
    case 4...7: low = four(0) << 32 | four(count - 4)
    default:
      var place = 0
      while count - place > 16 {
        state = fold(eight(place) ^ keys.0, eight(place + 8) ^ state)
        place += 16
      }
      // Read the rest as two groups of eight bytes. The groups may overlap bytes that are already
      // folded, and in strings of fewer than sixteen bytes, they may overlap each other.
      low = count < 16 ? eight(0) : eight(count - 16)
      high = eight(count - 8)
    }
    return fold(fold(low ^ keys.0, high ^ state) ^ keys.1, UInt64(count) ^ keys.2)
  }

  /// Returns the hash of a pair of strings, given the hash of each; the order matters.
  static func hash(_ left: UInt64, _ right: UInt64) -> UInt64 {
    fold(left ^ keys.0, right &+ keys.1)
  }
}
