/// Repeats with seeds of their own for each night, beside the fixed ones.
///
/// The *fixed block* has the same seeds every night, so that it is paired with the baseline attempt by
/// attempt. On a deterministic engine it shows nothing new until something changes: thirty nights
/// of it are one sample. The *fresh block* draws new seeds each night, so that the nights together
/// become a larger sample and a rare failure shows sooner or later.
///
///     repeat    0   1   2 │ 3   4
///     seeds     the suite's │ the night's
///               fixed block │ fresh block: counts for gates and trends, never for a comparison
public struct FreshBlock: Sendable, Hashable, Codable {
  /// The first repeat of the block: every repeat from it on is fresh.
  public var firstRepeat: Int
  /// Fresh attempts per case.
  public var repeats: Int
  /// What the block's random numbers are drawn from, in place of the suite's seed.
  public var seed: UInt64

  /// Creates a block.
  public init(firstRepeat: Int, repeats: Int, seed: UInt64) {
    self.firstRepeat = firstRepeat
    self.repeats = repeats
    self.seed = seed
  }
}

extension SuiteRecord {
  /// Whether a repeat is one of the night's own, which is never compared with another night's.
  public func isFresh(repeatIndex: Int) -> Bool {
    details.fresh.map { repeatIndex >= $0.firstRepeat } ?? false
  }
}
