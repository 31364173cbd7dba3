import EvalRecords

/// A summary of a run for lists, which leaves out the suites, the largest part of a run's record.
public struct RunHead: Sendable, Hashable {
  /// The run's id.
  public var id: Int
  /// The run's label.
  public var label: String
  /// The start time, ISO 8601 in UTC.
  public var startedAt: String
  /// The state of the run.
  public var status: RunRecord.Status

  /// Creates a summary.
  public init(id: Int, label: String, startedAt: String, status: RunRecord.Status) {
    self.id = id
    self.label = label
    self.startedAt = startedAt
    self.status = status
  }
}

/// The numbers of attempts and passes in one run, for a variant of a suite on one backend.
public struct SuiteCount: Sendable, Hashable {
  /// The run's id.
  public var run: Int
  /// The suite's id.
  public var suite: String
  /// The variant's id.
  public var variant: String
  /// The backend's id.
  public var backend: String
  /// The number of attempts that were made.
  public var attempts: Int
  /// The number of attempts that passed.
  public var passed: Int
}

extension ResultStore {
  /// Returns the summaries of all runs, in ascending order of ids.
  public func runHeads() throws -> [RunHead] {
    try withState { state in
      try state.connection.query(
        "SELECT id, label, started_at, status FROM run ORDER BY id"
      ) { row in
        RunHead(
          id: row.integer("id"), label: row.text("label"), startedAt: row.text("started_at"),
          status: try RecordText.member(
            RunRecord.Status.self,
            Self.status(row.text("status"), of: row.integer("id"), state), path: path))
      }
    }
  }

  /// Returns the counts for each suite, variant and backend of each run.
  ///
  /// - Parameter firstRun: The id of the first run to count.
  public func suiteCounts(from firstRun: Int = 0) throws -> [SuiteCount] {
    try withState { state in
      try state.connection.query(
        """
        SELECT run_id, suite_id, variant_id, backend_id, count(*) AS attempts,
          sum(outcome = 'pass') AS passed
        FROM attempt
        WHERE run_id >= ? AND outcome <> 'skipped'
        GROUP BY run_id, suite_id, variant_id, backend_id
        ORDER BY run_id, suite_id, variant_id, backend_id
        """, [SQLValue(firstRun)]
      ) {
        SuiteCount(
          run: $0.integer("run_id"), suite: $0.text("suite_id"), variant: $0.text("variant_id"),
          backend: $0.text("backend_id"), attempts: $0.integer("attempts"),
          passed: $0.integer("passed"))
      }
    }
  }

  /// Shrinks the file by the space that deleted rows occupied.
  ///
  /// If another process is reading, the database file keeps its size until SQLite can move the
  /// write-ahead log into the file.
  ///
  /// - Throws: `busy` if another process is writing; in that case, nothing changes.
  public func compact() throws {
    try withState { state in
      try state.connection.execute("VACUUM")
      _ = try state.connection.query("PRAGMA wal_checkpoint(TRUNCATE)") { $0.integer("busy") }
    }
  }
}
