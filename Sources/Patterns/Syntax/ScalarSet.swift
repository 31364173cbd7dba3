/// A set of Unicode scalars, stored as sorted ranges that neither overlap nor touch.
struct ScalarSet: Sendable, Hashable {
  private(set) var ranges: [ClosedRange<UInt32>]

  static let surrogates: ClosedRange<UInt32> = 0xD800...0xDFFF
  static let last: UInt32 = 0x10FFFF
  /// Every scalar.
  static let all = ScalarSet([0...last])

  /// Creates a set from ranges, which may overlap and be in any order; the set leaves out the
  /// surrogates.
  init(_ ranges: [ClosedRange<UInt32>] = []) {
    var merged: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let previous = merged.last, range.lowerBound <= previous.upperBound &+ 1 {
        merged[merged.count - 1] =
          previous.lowerBound...max(previous.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    self.ranges = merged.flatMap { range in
      guard range.overlaps(Self.surrogates) else { return [range] }
      var parts: [ClosedRange<UInt32>] = []
      if range.lowerBound < Self.surrogates.lowerBound {
        parts.append(range.lowerBound...Self.surrogates.lowerBound - 1)
      }
      if range.upperBound > Self.surrogates.upperBound {
        parts.append(Self.surrogates.upperBound + 1...range.upperBound)
      }
      return parts
    }
  }

  init(_ scalar: Unicode.Scalar) { self.init([scalar.value...scalar.value]) }

  var isEmpty: Bool { ranges.isEmpty }

  var inverted: ScalarSet {
    var gaps: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { gaps.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    if next <= Self.last { gaps.append(next...Self.last) }
    return ScalarSet(gaps)
  }

  func intersection(_ other: ScalarSet) -> ScalarSet {
    var common: [ClosedRange<UInt32>] = []
    var (one, two) = (0, 0)
    while one < ranges.count, two < other.ranges.count {
      let (left, right) = (ranges[one], other.ranges[two])
      if left.overlaps(right) { common.append(left.clamped(to: right)) }
      if left.upperBound < right.upperBound { one += 1 } else { two += 1 }
    }
    return ScalarSet(common)
  }

  func contains(_ value: UInt32) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(value)
  }
}

extension ScalarSet {
  /// The characters that `\d` matches.
  static let digits = ScalarSet([0x30...0x39])
  /// The characters that `\w` matches.
  static let wordCharacters = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  /// The characters that `\s` matches.
  static let spaces = ScalarSet([
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
    0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ])
  /// The characters that `.` matches: everything but the line terminators of ECMA-262.
  static let notLineEnds = ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]).inverted
}
