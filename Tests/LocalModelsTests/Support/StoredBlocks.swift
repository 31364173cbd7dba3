import TestSupport

/// Random blocks of the quantized types, with the value of each element in float64.
///
/// The values are computed element by element, following the format's description, whereas the
/// module under test works on whole groups.
struct StoredBlocks {
  /// The numbers of elements and bytes in a block, and the offsets of its half-precision scale and
  /// minimum, by the number of the type in the format.
  ///
  /// The types are Q4_0, Q4_1, Q5_0, Q5_1, Q2_K to Q6_K, IQ4_NL and IQ4_XS, in this order.
  static let layouts: [UInt32: (length: Int, size: Int, scale: Int, minimum: Int?)] = [
    2: (32, 18, 0, nil), 3: (32, 20, 0, 2), 6: (32, 22, 0, nil), 7: (32, 24, 0, 2),
    10: (256, 84, 80, 82), 11: (256, 110, 108, nil), 12: (256, 144, 0, 2), 13: (256, 176, 0, 2),
    14: (256, 210, 208, nil), 20: (32, 18, 0, nil), 23: (256, 136, 0, nil),
  ]

  let type: UInt32
  let data: [UInt8]

  /// Creates random blocks whose elements are about as large as `spread`.
  init(count: Int, type: UInt32, spread: Float, random: inout SeededGenerator) {
    self.type = type
    guard let layout = Self.layouts[type] else {
      data = []
      return
    }
    // The largest product of a scale and an element, by type.
    let reach: Float =
      [2: 8, 3: 8, 6: 16, 7: 16, 10: 24, 11: 64, 12: 256, 13: 512, 14: 2048, 20: 64, 23: 1024][
        type] ?? 1
    // The minimum of a block as a multiple of `spread`, by type.
    let least: Float = [3: -1, 7: -1, 10: 1.0 / 8, 12: 1.0 / 32, 13: 1.0 / 32][type] ?? 0
    var data: [UInt8] = []
    for _ in 0..<count / layout.length {
      var block = (0..<layout.size).map { _ in UInt8(random.below(256)) }
      let scale = StoredNumbers.half(spread / reach * (1 + random.signed() / 2))
      block.replaceSubrange(layout.scale..<layout.scale + 2, with: GGUFWriter.bytes(scale))
      if let place = layout.minimum {
        block.replaceSubrange(
          place..<place + 2, with: GGUFWriter.bytes(StoredNumbers.half(spread * least)))
      }
      data += block
    }
    self.data = data
  }

  /// The values of all elements.
  var values: [Double] {
    guard let layout = Self.layouts[type] else { return [] }
    return stride(from: 0, to: data.count, by: layout.size).flatMap { start in
      let block = Array(data[start..<start + layout.size])
      func half(_ place: Int) -> Double {
        StoredNumbers.fromHalf(UInt16(block[place]) | UInt16(block[place + 1]) << 8)
      }
      let scale = half(layout.scale)
      let minimum = layout.minimum.map(half) ?? 0
      let numbers = block.map(Int.init)
      return (0..<layout.length).map { element(numbers, $0, scale, minimum) }
    }
  }

  /// The values of the 16 codes in IQ4_NL and IQ4_XS.
  private static let levels = [
    -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113,
  ]

  /// Returns one element of a block: `i` is its index, `d` the block's scale, and `m` the
  /// block's minimum.
  private func element(_ b: [Int], _ i: Int, _ d: Double, _ m: Double) -> Double {
    /// Returns bits `low ..< low + width` of a byte.
    func field(_ place: Int, _ low: Int, _ width: Int) -> Int {
      b[place] >> low & (1 << width - 1)
    }
    func nibble(_ start: Int) -> Int { field(start + i % 16, i / 16 * 4, 4) }
    let levels = Self.levels
    switch type {
    case 2: return d * Double(nibble(2) - 8)
    case 3: return d * Double(nibble(4)) + m
    case 6: return d * Double(nibble(6) + 16 * field(2 + i / 8, i % 8, 1) - 16)
    case 7: return d * Double(nibble(8) + 16 * field(4 + i / 8, i % 8, 1)) + m
    case 10:
      let group = i / 16
      let q = field(16 + i / 128 * 32 + i % 32, i / 32 % 4 * 2, 2)
      return d * Double(field(group, 0, 4) * q) - m * Double(field(group, 4, 4))
    case 11:
      let group = i / 16
      let low = field(96 + group % 8, group / 8 * 4, 4)
      let scale = low + 16 * field(104 + group % 4, group / 4 * 2, 2) - 32
      let q = field(32 + i / 128 * 32 + i % 32, i / 32 % 4 * 2, 2) + 4 * field(i % 32, i / 32, 1)
      return d * Double(scale * (q - 4))
    case 12, 13:
      let group = i / 32
      let scale =
        group < 4
        ? field(4 + group, 0, 6) : field(8 + group, 0, 4) + 16 * field(group, 6, 2)
      let least =
        group < 4
        ? field(8 + group, 0, 6) : field(8 + group, 4, 4) + 16 * field(4 + group, 6, 2)
      let start = type == 12 ? 16 : 48
      var q = field(start + i / 64 * 32 + i % 32, i / 32 % 2 * 4, 4)
      if type == 13 { q += 16 * field(16 + i % 32, group, 1) }
      return d * Double(scale * q) - m * Double(least)
    case 14:
      let part = i / 32 % 4
      let q =
        field(i / 128 * 64 + part % 2 * 32 + i % 32, part / 2 * 4, 4)
        + 16 * field(128 + i / 128 * 32 + i % 32, part * 2, 2)
      return d * Double(Int(Int8(truncatingIfNeeded: b[192 + i / 16])) * (q - 32))
    case 20: return d * Double(levels[nibble(2)])
    case 23:
      let group = i / 32
      let scale =
        field(4 + group / 2, group % 2 * 4, 4) + 16 * field(2 + group / 4, group % 4 * 2, 2)
      return d * Double((scale - 32) * levels[field(8 + group * 16 + i % 16, i % 32 / 16 * 4, 4)])
    default: return .nan
    }
  }
}
