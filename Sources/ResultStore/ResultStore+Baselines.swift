import EvalRecords

/// An accepted baseline: a run that later runs of a suite are compared with.
public struct BaselineRecord: Sendable, Hashable, Codable {
  /// The run's id.
  public var run: Int
  /// The suite's id.
  public var suite: String
  /// The backend's id.
  public var backend: String
  /// The reason why the run was accepted.
  public var reason: String
  /// The time when the run was accepted, ISO 8601 in UTC.
  public var acceptedAt: String

  /// Creates a record.
  public init(run: Int, suite: String, backend: String, reason: String, acceptedAt: String) {
    self.run = run
    self.suite = suite
    self.backend = backend
    self.reason = reason
    self.acceptedAt = acceptedAt
  }
}

extension ResultStore {
  /// Accepts a run as the baseline of its suites on its backends.
  ///
  /// - Parameters:
  ///   - run: The run's id; the run must be complete.
  ///   - suites: The suites to accept the run for, or `nil` for all suites of the run.
  ///   - backends: The backends to accept the run for, or `nil` for all backends of the run.
  ///   - reason: The reason for accepting the run.
  ///   - time: The current time, ISO 8601 in UTC.
  /// - Returns: The accepted baselines.
  @discardableResult
  public func acceptBaseline(
    run: Int, suites: [String]? = nil, backends: [String]? = nil, reason: String, at time: String
  ) throws -> [BaselineRecord] {
    let record = try self.run(run)
    guard record.status == .complete else {
      throw StoreError(.runIsNotComplete(run), path: path)
    }
    return try withState { state in
      try state.transaction { state in
        var accepted: [BaselineRecord] = []
        for suite in record.suites where suites?.contains(suite.id) != false {
          for backend in record.backends where backends?.contains(backend.id) != false {
            let baseline = BaselineRecord(
              run: run, suite: suite.id, backend: backend.id, reason: reason, acceptedAt: time)
            try Self.insert(baseline, state.connection)
            accepted.append(baseline)
          }
        }
        return accepted
      }
    }
  }

  /// Returns the most recently accepted baseline for a suite on a backend, or `nil` if there is
  /// none.
  public func baseline(suite: String, backend: String) throws -> BaselineRecord? {
    try baselines("WHERE suite_id = ? AND backend_id = ?", [SQLValue(suite), SQLValue(backend)])
      .last
  }

  /// Returns all accepted baselines, oldest first.
  public func baselines() throws -> [BaselineRecord] { try baselines("", []) }

  /// Inserts an accepted baseline.
  ///
  /// Call this function inside a transaction.
  static func insert(_ baseline: BaselineRecord, _ connection: Connection) throws {
    try connection.insert(
      into: "baseline",
      [
        "run_id": SQLValue(baseline.run),
        "suite_id": SQLValue(baseline.suite),
        "backend_id": SQLValue(baseline.backend),
        "reason": SQLValue(baseline.reason),
        "accepted_at": SQLValue(baseline.acceptedAt),
      ])
  }

  private func baselines(_ condition: String, _ values: [SQLValue]) throws -> [BaselineRecord] {
    try withState { state in
      try state.connection.query(
        """
        SELECT run_id, suite_id, backend_id, reason, accepted_at FROM baseline \(condition)
        ORDER BY id
        """, values
      ) {
        BaselineRecord(
          run: $0.integer("run_id"), suite: $0.text("suite_id"), backend: $0.text("backend_id"),
          reason: $0.text("reason"), acceptedAt: $0.text("accepted_at"))
      }
    }
  }

  /// Deletes runs, everything that belongs to them, and the texts that no other run uses.
  ///
  /// - Parameters:
  ///   - ids: The runs.
  ///   - includingBaselines: Whether accepted baselines may be deleted too.
  /// - Throws: `runIsActive` or `runIsBaseline`; in both cases, nothing is deleted.
  public func deleteRuns(_ ids: [Int], includingBaselines: Bool = false) throws {
    try withState { state in
      try state.transaction { state in
        let connection = state.connection
        for id in ids {
          if state.ownedRuns.contains(id) || state.locks?.isHeldElsewhere(id) == true {
            throw StoreError(.runIsActive(id), path: path)
          }
          if includingBaselines {
            try connection.run("DELETE FROM baseline WHERE run_id = ?", [SQLValue(id)])
          } else if try connection.integer(
            "SELECT count(*) FROM baseline WHERE run_id = ?", [SQLValue(id)]) != 0
          {
            throw StoreError(.runIsBaseline(id), path: path)
          }
          // Delete the attempts first, because they refer to variants and test cases, which are
          // deleted with the run.
          try connection.run("DELETE FROM attempt WHERE run_id = ?", [SQLValue(id)])
          try connection.run("DELETE FROM run WHERE id = ?", [SQLValue(id)])
        }
        try connection.run(
          """
          DELETE FROM text WHERE id NOT IN (
            SELECT prompt_text FROM attempt UNION SELECT output_text FROM attempt
            UNION SELECT schema_text FROM variant UNION SELECT prompt_text FROM variant
            UNION SELECT instructions_text FROM variant WHERE instructions_text IS NOT NULL
            UNION SELECT variables_text FROM eval_case)
          """)
        state.textIDs = [:]
      }
    }
  }
}
