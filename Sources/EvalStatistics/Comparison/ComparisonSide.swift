import EvalRecords

/// Selects the part of a run to compare; a property that is `nil` selects everything.
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

/// One side of a comparison: a run, its attempts, and the part of the run to compare.
public struct ComparisonSide: Sendable {
  /// The run.
  public var run: RunRecord
  /// The run's attempts, in any order.
  public var attempts: [AttemptRecord]
  /// The part to compare.
  public var selection: ComparisonSelection
  /// Where the run comes from, such as a file or a branch, or `nil` for the current database.
  public var origin: String?
  /// The matching attempts of earlier runs, keyed by the backend's id; only used for a baseline.
  public var histories: [String: PooledHistory] = [:]
  /// Differences between the requests of the two sides that only the caller knows; only used for a
  /// baseline.
  public var knownDifferences: [ComparisonDifference.Fact] = []

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

  /// The description of this side in the record of a comparison.
  var record: SideRecord {
    SideRecord(
      suite: selection.suite, variant: selection.variant, backend: selection.backend, run: run.id,
      origin: origin)
  }
}

/// The rules of a comparison: what counts as a regression, and how certain it must be.
public struct ComparisonRules: Sendable, Hashable {
  /// The tolerated change of a probability or rate: 0.01 is one percentage point.
  public var margin: Double
  /// The one-sided family-wise error rate.
  public var alpha: Double
  /// The largest share of a side's attempts that may end with a backend error.
  ///
  /// If the share of the baseline or the candidate is larger, the comparison is broken.
  public var brokenShare: Double
  /// The length below which an array counts as too short, keyed by suite and path.
  ///
  /// An entry for a suite replaces the minimums in the records.
  public var arrayMinimums: [String: [String: Int]]
  /// The seed for the random sign flips, which are drawn if there are too many test cases to
  /// enumerate all combinations of signs.
  public var seed: UInt64
  /// Whether the rules apply to several suites of a night.
  var isOneOfSeveral = false
  /// Whether the attempts stopped after their decisions, so that only measured probabilities are
  /// compared.
  package var comparesDecisionsOnly = false

  /// The share of α for the tests against the baseline.
  ///
  /// The rest of α is reserved for the tests against the history, even if there is no history. So
  /// adding a history takes nothing from the other tests.
  static let shareOfReference = 0.8
  /// The share of α for the tests against the baseline on a night of several suites.
  ///
  /// On such a night, several suites can get a second look, so a part of α is reserved for second
  /// looks too.
  static let shareOnNight = 0.7
  /// The share of α for the tests against the history.
  static let shareOfHistory = 0.2

  /// Returns the significance level of the tests against a reference.
  func level(against reference: ComparisonReference) -> Double {
    switch reference {
    case .baseline: alpha * (isOneOfSeveral ? Self.shareOnNight : Self.shareOfReference)
    case .pooledHistory: alpha * Self.shareOfHistory
    }
  }

  /// Creates rules.
  public init(
    margin: Double = 0.01, alpha: Double = 0.05, brokenShare: Double = 0.2,
    arrayMinimums: [String: [String: Int]] = [:], seed: UInt64 = 1
  ) {
    self.margin = margin
    self.alpha = alpha
    self.brokenShare = brokenShare
    self.arrayMinimums = arrayMinimums
    self.seed = seed
  }

  /// Returns whether so many attempts of a slice ended with a backend error that every comparison
  /// with them is broken.
  ///
  /// - Parameters:
  ///   - errors: The number of attempts that ended with a backend error.
  ///   - attempts: The number of attempts that were made.
  public func isBroken(errors: Int, of attempts: Int) -> Bool {
    Double(errors) > brokenShare * Double(attempts)
  }

  /// Returns whether a slice of some attempts has too many backend errors for a comparison.
  ///
  /// - Parameters:
  ///   - attempts: The attempts of a run.
  ///   - suite: The suite whose slices count.
  public func isBroken(_ attempts: [AttemptRecord], in suite: String) -> Bool {
    let made = attempts.filter { $0.key.suite == suite && $0.outcome != .skipped }
    return Dictionary(grouping: made, by: \.key.slice).values.contains {
      isBroken(errors: $0.count(where: \.isBackendError), of: $0.count)
    }
  }
}
