import EvalRecords

extension StubScript {
  /// Returns the entry from which the stub answers a repeat.
  ///
  /// A weighted draw seeds SplitMix64 with the seed and the repeat's index, turns the top 53 bits
  /// of its output into a number from 0 to 1, and looks this number up in the cumulative weights.
  /// So equal seeds give equal answers on every machine.
  ///
  /// - Parameter repeatSeed: The repeat with its seed.
  /// - Returns: One of the script's entries, of which there must be at least one.
  func entry(for repeatSeed: RepeatSeed) -> Entry {
    switch choice {
    case .sequence:
      return entries[repeatSeed.repeatIndex % entries.count]
    case .weighted:
      let total = entries.reduce(0) { $0 + max(0, $1.weight) }
      var generator = SplitMix(
        seed: repeatSeed.seed &+ UInt64(repeatSeed.repeatIndex) &* 0x9E37_79B9_7F4A_7C15)
      var remaining = generator.unit() * total
      for entry in entries {
        remaining -= max(0, entry.weight)
        if remaining < 0 { return entry }
      }
      return entries[entries.count - 1]
    }
  }
}
