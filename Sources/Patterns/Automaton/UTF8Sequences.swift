/// Converts sets of scalars to sequences of byte ranges in UTF-8.
///
///     U+0061...U+00FF  →  [61-7F]  [C2-C3][80-BF]
enum UTF8Sequences {
  /// Returns the sequences for a set, in ascending order; no scalar is in two of them.
  static func sequences(of set: ScalarSet) -> [[ClosedRange<UInt8>]] {
    var output: [[ClosedRange<UInt8>]] = []
    for range in set.ranges {
      var lower = range.lowerBound
      for limit: UInt32 in [0x7F, 0x7FF, 0xFFFF, 0x10FFFF] where lower <= limit {
        let upper = min(limit, range.upperBound)
        guard lower <= upper else { break }
        append(lower, upper, to: &output)
        lower = limit + 1
      }
    }
    return output
  }

  /// Appends a range of scalars whose UTF-8 encodings have the same length.
  ///
  /// If the bounds differ in one byte, all bytes after it must run from 80 to BF. The method cuts
  /// the range into parts until this holds for each part, so that each part is a single sequence of
  /// byte ranges.
  private static func append(
    _ lower: UInt32, _ upper: UInt32, to output: inout [[ClosedRange<UInt8>]]
  ) {
    let (first, last) = (bytes(of: lower), bytes(of: upper))
    for index in 1..<max(1, first.count) {
      let mask: UInt32 = (1 << (6 * UInt32(index))) - 1
      guard lower & ~mask != upper & ~mask else { continue }
      if lower & mask != 0 {
        append(lower, lower | mask, to: &output)
        append((lower | mask) + 1, upper, to: &output)
        return
      }
      if upper & mask != mask {
        append(lower, (upper & ~mask) - 1, to: &output)
        append(upper & ~mask, upper, to: &output)
        return
      }
    }
    output.append(zip(first, last).map { $0...$1 })
  }

  private static func bytes(of value: UInt32) -> [UInt8] {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(0x80 | (value >> shift) & 0x3F) }
    switch value {
    case 0...0x7F: return [UInt8(value)]
    case 0x80...0x7FF: return [UInt8(0xC0 | value >> 6), tail(0)]
    case 0x800...0xFFFF: return [UInt8(0xE0 | value >> 12), tail(6), tail(0)]
    default: return [UInt8(0xF0 | (value >> 18) & 7), tail(12), tail(6), tail(0)]
    }
  }
}
