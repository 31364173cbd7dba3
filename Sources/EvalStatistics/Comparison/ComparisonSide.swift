import EvalRecords

/// Which part of a run is compared; nil means everything.
public struct ComparisonSelection: Sendable, Hashable {
  /// The suite's id.
  public var suite: String?
  /// The variant's id.
  public var variant: String?
  /// The backend's id.
  public var backend: String?

  /// Creates a selection.
  public init(suite: String? = nil, variant: String? = nil, backend: String? = nil) {
    self.suite = suite
    self.variant = variant
    self.backend = backend
  }
}

/// One side of a comparison: a run, its attempts, and which part of them counts.
public struct ComparisonSide: Sendable {
  /// The run.
  public var run: RunRecord
  /// The run's attempts, in any order.
  public var attempts: [AttemptRecord]
  /// Which part is compared.
  public var selection: ComparisonSelection
  /// Where the run is from, in words: a file, or a branch; nil for the database at hand.
  public var origin: String?
  /// What earlier runs have of the same, by the backend's id; used of a baseline.
  public var histories: [String: PooledHistory] = [:]

  /// Creates a side.
  public init(
    run: RunRecord, attempts: [AttemptRecord], selection: ComparisonSelection = .init(),
    origin: String? = nil
  ) {
    self.run = run
    self.attempts = attempts
    self.selection = selection
    self.origin = origin
  }

  /// The side as a record keeps it.
  var record: SideRecord {
    SideRecord(
      suite: selection.suite, variant: selection.variant, backend: selection.backend, run: run.id,
      origin: origin)
  }
}

/// What a comparison calls a regression, and how sure it must be.
public struct ComparisonRules: Sendable, Hashable {
  /// The change of a probability or rate that is tolerated: 0.01 is one percentage point.
  public var margin: Double
  /// The chance of a false alarm, one-sided, over the whole family of tests.
  public var alpha: Double
  /// How much worse a *counted* rate may still be, by its interval, to be called ok.
  ///
  /// Counts are coarse: to exclude one percentage point takes hundreds of attempts.
  public var countedMargin: Double
  /// The share of errors above which a side has too few values to be judged.
  public var brokenShare: Double
  /// More minimums for P(fewer than n), by suite and path; they replace those of the records.
  public var arrayMinimums: [String: [String: Int]]
  /// The seed of random flips, drawn where there are too many cases to count all.
  public var seed: UInt64

  /// Creates rules.
  public init(
    margin: Double = 0.01, alpha: Double = 0.05, countedMargin: Double = 0.05,
    brokenShare: Double = 0.2, arrayMinimums: [String: [String: Int]] = [:], seed: UInt64 = 1
  ) {
    self.margin = margin
    self.alpha = alpha
    self.countedMargin = countedMargin
    self.brokenShare = brokenShare
    self.arrayMinimums = arrayMinimums
    self.seed = seed
  }
}
