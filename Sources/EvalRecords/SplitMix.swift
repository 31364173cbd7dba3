/// A small seeded random number generator, which gives the same numbers on every machine.
///
/// The generator is SplitMix64 (Steele, Lea and Flood 2014): one 64-bit counter and a mixing
/// function.
package struct SplitMix: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  /// Returns the next 64 random bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// Returns the first random number for a seed; each of its bits depends on every bit of the seed.
  package static func mixed(_ seed: UInt64) -> UInt64 {
    var generator = SplitMix(seed: seed)
    return generator.next()
  }

  /// Returns a number from 0 up to, but not including, 1.
  package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
