/// Repeats that normally get new seeds every day, in addition to the repeats with fixed seeds.
///
/// The *fixed block* has the same seeds in every run, so each of its attempts is paired with an
/// attempt of the baseline. On a deterministic engine, the fixed block shows nothing new until
/// something changes: thirty runs of the fixed block are only one sample. The *fresh block* gets a
/// new seed every day, so the nightly runs together form a larger sample, and a rare failure shows
/// up sooner or later.
///
///     repeat    0   1   2     │ 3   4
///     seeds     the suite's   │ the run's
///     block     fixed         │ fresh: not paired with the fresh block of another night
public struct FreshBlock: Sendable, Hashable, Codable {
  /// The first repeat of the block; this repeat and all later repeats are fresh.
  public var firstRepeat: Int
  /// The number of fresh attempts per test case.
  public var repeats: Int
  /// The seed of the block's random numbers, which replaces the suite's seed.
  public var seed: UInt64
  /// Whether test cases in which nothing is sampled have no fresh attempts, because a new seed
  /// can't change their answers; `nil` if they have.
  public var onlySampled: Bool?

  /// Creates a block.
  public init(firstRepeat: Int, repeats: Int, seed: UInt64, onlySampled: Bool = false) {
    self.firstRepeat = firstRepeat
    self.repeats = repeats
    self.seed = seed
    self.onlySampled = onlySampled ? true : nil
  }
}

extension SuiteRecord {
  /// Returns whether a repeat is fresh.
  ///
  /// Fresh repeats of two runs are paired only if both runs have the same fresh block, for example
  /// because they began on the same day.
  public func isFresh(repeatIndex: Int) -> Bool {
    details.fresh.map { repeatIndex >= $0.firstRepeat } ?? false
  }

  /// Returns the number of fresh attempts at a test case, in each variant and on each backend.
  package func freshRepeats(of caseID: String) -> Int {
    guard let fresh = details.fresh else { return 0 }
    guard fresh.onlySampled == true else { return fresh.repeats }
    let settings = effectiveSettings
    let isFixed = variants.allSatisfy { variant in
      (settings.exceptions(in: variant.id)[caseID] ?? settings.settings(in: variant.id))
        .samplesNothing
    }
    return isFixed ? 0 : fresh.repeats
  }
}
