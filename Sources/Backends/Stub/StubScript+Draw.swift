import EvalRecords

extension StubScript {
  /// Returns the entry that a repeat answers with.
  ///
  /// A weighted draw takes the top 53 bits of SplitMix64 over (seed, repeat) as a number from 0 to
  /// 1 and walks the cumulative weights, so equal seeds give equal answers everywhere.
  ///
  /// - Parameter repeatSeed: The repeat with its seed.
  /// - Returns: One of the entries; there is at least one.
  func entry(for repeatSeed: RepeatSeed) -> Entry {
    switch choice {
    case .sequence:
      return entries[repeatSeed.repeatIndex % entries.count]
    case .weighted:
      let total = entries.reduce(0) { $0 + max(0, $1.weight) }
      var generator = SplitMix64(
        state: repeatSeed.seed &+ UInt64(repeatSeed.repeatIndex) &* 0x9E37_79B9_7F4A_7C15)
      var remaining = Double(generator.next() >> 11) / Double(1 << 53) * total
      for entry in entries {
        remaining -= max(0, entry.weight)
        if remaining < 0 { return entry }
      }
      return entries[entries.count - 1]
    }
  }
}

/// The SplitMix64 generator (Steele, Lea and Flood, 2014).
struct SplitMix64: RandomNumberGenerator {
  /// The state; any value is valid.
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
