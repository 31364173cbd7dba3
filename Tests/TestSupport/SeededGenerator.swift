/// SplitMix64, which gives the same numbers for the same seed on every machine.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator.
  public init(seed: UInt64) { state = seed }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// Returns `true` with a probability.
  public mutating func chance(_ share: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < share
  }

  /// Returns a number below a limit.
  public mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  /// Returns a number in -1 ..< 1.
  public mutating func signed() -> Float {
    Float(Int32(truncatingIfNeeded: next() >> 32)) / 0x1p31
  }
}
