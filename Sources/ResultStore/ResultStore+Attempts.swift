import EvalRecords

/// A filter for attempts; a property that is nil matches everything.
public struct AttemptFilter: Sendable, Hashable {
  /// The suite's id.
  public var suite: String?
  /// The variant's id.
  public var variant: String?
  /// The backend's id.
  public var backend: String?
  /// The test case's id.
  public var caseID: String?
  /// The outcome.
  public var outcome: Outcome?
  /// Whether to also read token traces, by far the largest part of an attempt.
  public var includesTraces: Bool

  /// Creates a filter.
  public init(
    suite: String? = nil, variant: String? = nil, backend: String? = nil,
    caseID: String? = nil, outcome: Outcome? = nil, includesTraces: Bool = true
  ) {
    self.suite = suite
    self.variant = variant
    self.backend = backend
    self.caseID = caseID
    self.outcome = outcome
    self.includesTraces = includesTraces
  }
}

extension ResultStore {
  /// Stores a finished attempt in one transaction, and returns after the commit.
  ///
  /// The new attempt replaces a skipped attempt with the same key. If the existing attempt was not
  /// skipped, the call throws `duplicateAttempt`.
  ///
  /// - Parameters:
  ///   - attempt: The attempt.
  ///   - run: The run's id.
  /// - Throws: `duplicateAttempt`, `unknownAttemptKey`, or the database's error.
  public func append(_ attempt: AttemptRecord, run: Int) throws {
    try withState { state in
      try state.transaction { state in try Self.insert(attempt, of: run, into: &state) }
    }
  }

  /// Returns the attempts of a run, in the order in which they were stored.
  ///
  /// - Parameters:
  ///   - run: The run's id.
  ///   - filter: A filter for the attempts.
  public func attempts(run: Int, _ filter: AttemptFilter = .init()) throws -> [AttemptRecord] {
    try withState { state in
      try state.connection.reading {
        let known = try state.connection.integer(
          "SELECT count(*) FROM run WHERE id = ?", [SQLValue(run)])
        guard known == 1 else { throw StoreError(.noSuchRun(run), path: path) }
        return try Self.loadAttempts(of: run, filter, state.connection)
      }
    }
  }

  /// Returns the number of attempts in a run for each outcome.
  public func attemptCounts(run: Int) throws -> [Outcome: Int] {
    try withState { state in
      let rows = try state.connection.query(
        "SELECT outcome, count(*) AS attempts FROM attempt WHERE run_id = ? GROUP BY outcome",
        [SQLValue(run)]
      ) {
        (
          try RecordText.member(Outcome.self, $0.text("outcome"), path: path),
          $0.integer("attempts")
        )
      }
      return Dictionary(uniqueKeysWithValues: rows)
    }
  }
}
