/// One side of a comparison: a run, and the part of the run that is compared.
public struct SideRecord: Sendable, Hashable, Codable {
  /// The suite's id, or `nil` for all suites.
  public var suite: String?
  /// The variant's id, or `nil` if no variant was chosen.
  public var variant: String?
  /// The backend's id, or `nil` for all backends.
  public var backend: String?
  /// The run's id.
  public var run: Int
  /// The file or branch that the run comes from, or `nil` for the current database.
  public var origin: String?

  /// Creates a side.
  public init(
    suite: String? = nil, variant: String? = nil, backend: String? = nil, run: Int,
    origin: String? = nil
  ) {
    self.suite = suite
    self.variant = variant
    self.backend = backend
    self.run = run
    self.origin = origin
  }
}

extension SideRecord {
  /// Returns whether this side and another one are variants of the same run.
  ///
  /// The number alone doesn't say so: a baseline that comes from another database may have the
  /// number of the run that is compared with it.
  public func isOfSameRun(as other: SideRecord) -> Bool {
    run == other.run && origin == other.origin && variant != other.variant
  }
}

/// The role of a side in a comparison.
public enum ComparedRole: String, Sendable, Hashable, Codable, CaseIterable {
  case baseline
  case candidate
}

/// The pair of slices in which an effect or a difference was found.
public struct ComparedPlace: Sendable, Hashable, Codable {
  /// The slice of the baseline.
  public var baseline: SliceKey
  /// The slice of the candidate.
  public var candidate: SliceKey
  /// Whether the baseline's suite ran in several variants, so that reports must name the variant.
  public var hasVariants: Bool

  /// Creates a place.
  public init(baseline: SliceKey, candidate: SliceKey, hasVariants: Bool = false) {
    self.baseline = baseline
    self.candidate = candidate
    self.hasVariants = hasVariants
  }

  /// Creates a place whose two sides have the same ids.
  public init(_ slice: SliceKey, hasVariants: Bool = false) {
    self.init(baseline: slice, candidate: slice, hasVariants: hasVariants)
  }
}
