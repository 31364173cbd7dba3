import EvalRecords

/// Hashes and seeds that are the same on every machine and in every version.
package enum StableHash {
  /// Returns the 64-bit FNV-1a hash of a text's UTF-8 bytes, with a final mixing step so that every
  /// bit depends on every byte.
  package static func hash(_ text: String) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return SplitMix.mixed(hash)
  }

  /// Returns the seed of an attempt.
  ///
  /// The seed is the same for every variant and backend, so that their attempts are paired.
  ///
  /// ```
  /// seed(S, case, r) = mix( (mix(S) ⊕ hash(case)) + r · 0x9E3779B97F4A7C15 ) >> 11
  /// ```
  ///
  /// Here, `mix` is SplitMix64. The seed has 53 bits, so JSON and spreadsheets store it exactly.
  ///
  /// - Parameters:
  ///   - suiteSeed: The suite's seed.
  ///   - caseID: The test case's id.
  ///   - repeatIndex: The index of the repeat, counted from zero.
  package static func seed(suiteSeed: UInt64, caseID: String, repeatIndex: Int) -> UInt64 {
    let base = SplitMix.mixed(suiteSeed) ^ hash(caseID)
    let step = UInt64(truncatingIfNeeded: repeatIndex) &* 0x9e37_79b9_7f4a_7c15
    return SplitMix.mixed(base &+ step) >> 11
  }
}
