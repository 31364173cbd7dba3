/// The optional facts about a run.
///
/// Every property is optional: see `Details`.
public struct RunDetails: Details {
  /// The run's share of the test cases, for example `2/5`.
  public var shard: String?
  /// The branch of the suites' repository, if it is known.
  public var branch: String?
  /// The baseline that the command asked for; nil for the accepted baselines.
  public var baselineRule: String?
  /// The suites that have an accepted baseline but no longer existed when the run began; nil if
  /// there were none.
  public var vanishedBaselines: [String]?
  /// The options that selected only some test cases, for example `--tag short`; nil for all.
  public var selection: [String]?
  /// How many traces were kept and dropped.
  public var traces: TraceUse?
  /// Why the run stopped early, unless a signal stopped it.
  public var ending: String?
  /// The gates that were settled before all their attempts were made.
  public var earlyStops: [EarlyStopRecord]?
  /// The version of the measurement protocol; nil for the first one.
  public var measurementProtocol: Int?
  /// Where the suites lie in their repository, by the suite's id; nil outside of one.
  public var sources: [String: SuiteSource]?
  /// What the models in this process were asked to do, by the backend's id.
  public var evaluations: [String: EvaluationUse]?

  /// The requests to served models, by the backend's id.
  public var served: [String: ServedUse]?

  /// Creates empty details.
  public init() {}

  /// Whether a served model stopped being asked before the plan was complete.
  public var hasEndedBackend: Bool { served?.values.contains { $0.ending != nil } ?? false }

  /// Whether the run has only some of the test cases, so its rates can't be compared with those of
  /// whole runs.
  public var isPart: Bool { shard != nil || selection?.isEmpty == false }
}

/// Where a suite and its cases lie in their repository, for the annotations of a review.
public struct SuiteSource: Sendable, Hashable, Codable {
  /// The suite's file, relative to the repository.
  public var file: String
  /// The file of the cases, relative to the repository; nil if it is the suite's.
  public var caseFile: String?
  /// The lines on which cases begin, by their ids.
  public var lines: [String: Int]

  /// Creates a source.
  public init(file: String, caseFile: String? = nil, lines: [String: Int]) {
    self.file = file
    self.caseFile = caseFile
    self.lines = lines
  }
}

/// What became of a run's traces under its budget.
public struct TraceUse: Sendable, Hashable, Codable {
  /// The budget in bytes.
  public var budget: Int
  /// The bytes that were used.
  public var bytes: Int
  /// The number of traces that were kept.
  public var kept: Int
  /// The number of requested traces that were dropped.
  public var dropped: Int

  /// Creates a record.
  public init(budget: Int, bytes: Int = 0, kept: Int = 0, dropped: Int = 0) {
    self.budget = budget
    self.bytes = bytes
    self.kept = kept
    self.dropped = dropped
  }
}
