import EvalRecords
import StructuredText

/// A filter for runs; a property that is nil matches everything.
public struct RunFilter: Sendable, Hashable {
  /// The label.
  public var label: String?
  /// The commit of the suites' repository.
  public var commit: String?
  /// A suite that the run must include.
  public var suite: String?
  /// A backend that the run must include.
  public var backend: String?
  /// The state of the run.
  public var status: RunRecord.Status?
  /// An id; only runs with smaller ids match.
  public var before: Int?
  /// A variant that the run must include: a variant of `suite` or, if `suite` is nil, of any suite.
  public var variant: String?
  /// The branch of the suites' repository.
  public var branch: String?
  /// The id of a run; only second looks at this run match.
  public var secondLookOf: Int?

  /// Creates a filter.
  public init(
    label: String? = nil, commit: String? = nil, suite: String? = nil, backend: String? = nil,
    status: RunRecord.Status? = nil, before: Int? = nil, variant: String? = nil,
    branch: String? = nil, secondLookOf: Int? = nil
  ) {
    self.label = label
    self.commit = commit
    self.suite = suite
    self.backend = backend
    self.status = status
    self.before = before
    self.variant = variant
    self.branch = branch
    self.secondLookOf = secondLookOf
  }
}

extension ResultStore {
  /// Stores a new run and takes its lock.
  ///
  /// - Parameter run: The run; its id is ignored, and its status becomes `running`.
  /// - Returns: The run with its id, which is larger than every earlier run's id.
  public func beginRun(_ run: RunRecord) throws -> RunRecord {
    try withState { state in
      var run = run
      run.status = .running
      var id = 0
      do {
        try state.transaction { state in
          id = try Self.insert(run, into: &state)
          // Lock the run before other processes can see it, so that they don't consider it
          // abandoned.
          _ = state.locks?.take(id)
        }
      } catch {
        if id > 0 { state.locks?.release(id) }
        throw error
      }
      state.ownedRuns.insert(id)
      run.id = id
      return run
    }
  }

  /// Stores the end of a run and releases the run's lock.
  ///
  /// - Parameters:
  ///   - id: The run.
  ///   - status: `complete` or `interrupted`.
  ///   - time: The end time, ISO 8601 in UTC.
  ///   - details: The run's details at its end, or `nil` to keep the details from its beginning.
  public func finishRun(
    _ id: Int, status: RunRecord.Status, at time: String, details: RunDetails? = nil
  ) throws {
    try withState { state in
      try state.connection.run(
        "UPDATE run SET status = ?, finished_at = ? WHERE id = ?",
        [SQLValue(status.rawValue), SQLValue(time), SQLValue(id)])
      guard state.connection.changeCount == 1 else { throw StoreError(.noSuchRun(id), path: path) }
      if let details {
        try state.connection.run(
          "UPDATE run SET details = ? WHERE id = ?",
          [try RecordText.details(details, path: path), SQLValue(id)])
      }
      state.ownedRuns.remove(id)
      state.locks?.release(id)
    }
  }

  /// Resumes a run that was interrupted or stopped early.
  ///
  /// - Returns: The run with the status `running`; it keeps its attempts.
  /// - Throws: `runIsActive` if another store holds the run's lock, or `noSuchRun`.
  public func resumeRun(_ id: Int) throws -> RunRecord {
    try withState { state in
      guard state.locks?.take(id) != false else {
        throw StoreError(.runIsActive(id), path: path)
      }
      try state.connection.run(
        "UPDATE run SET status = 'running', finished_at = NULL WHERE id = ?", [SQLValue(id)])
      guard state.connection.changeCount == 1 else {
        state.locks?.release(id)
        throw StoreError(.noSuchRun(id), path: path)
      }
      state.ownedRuns.insert(id)
    }
    return try run(id)
  }

  /// Returns the ids of runs in ascending order.
  public func runIDs(matching filter: RunFilter = .init()) throws -> [Int] {
    try withState { state in try Self.ids(filter, state) }
  }

  /// Returns the branches of all runs, sorted by name.
  public func branches() throws -> [String] {
    try withState { state in
      try state.connection.query(
        """
        SELECT DISTINCT details ->> 'branch' AS branch FROM run
        WHERE branch IS NOT NULL ORDER BY branch
        """
      ) { $0.text("branch") }
    }
  }

  /// Returns the variants of all runs in the form `SUITE:VARIANT`, sorted by name.
  public func variantNames() throws -> [String] {
    try withState { state in
      try state.connection.query(
        "SELECT DISTINCT suite_id || ':' || id AS name FROM variant ORDER BY name"
      ) { $0.text("name") }
    }
  }

  /// Returns the matching runs, in ascending order of their ids.
  public func runs(matching filter: RunFilter = .init()) throws -> [RunRecord] {
    try withState { state in
      try state.connection.reading {
        try Self.ids(filter, state).map { try Self.load($0, state) }
      }
    }
  }

  /// Returns a run.
  ///
  /// - Throws: `noSuchRun` if there is no such run.
  public func run(_ id: Int) throws -> RunRecord {
    try withState { state in try state.connection.reading { try Self.load(id, state) } }
  }

  /// Returns the latest matching run, or `nil` if there is none.
  ///
  /// The result is never a second look, because a second look is part of another run's verdict.
  public func latestRun(matching filter: RunFilter = .init()) throws -> RunRecord? {
    try withState { state in
      try state.connection.reading {
        try Self.ids(filter, state, withSecondLooks: false).last.map { try Self.load($0, state) }
      }
    }
  }

  static func ids(
    _ filter: RunFilter, _ state: State, withSecondLooks: Bool = true
  ) throws -> [Int] {
    let rows = try state.connection.query(
      """
      SELECT id, status FROM run r
      WHERE (?1 IS NULL OR label = ?1) AND (?2 IS NULL OR commit_id = ?2)
        AND (?3 IS NULL OR EXISTS (SELECT 1 FROM suite s WHERE s.run_id = r.id AND s.id = ?3))
        AND (?4 IS NULL OR EXISTS (SELECT 1 FROM backend b WHERE b.run_id = r.id AND b.id = ?4))
        AND (?5 IS NULL OR id < ?5)
        AND (?6 IS NULL OR EXISTS (
          SELECT 1 FROM variant v WHERE v.run_id = r.id AND v.id = ?6
            AND (?3 IS NULL OR v.suite_id = ?3)))
        AND (?7 IS NULL OR details ->> 'branch' = ?7)
        AND (?8 IS NULL OR details ->> 'secondLookOf' = ?8)
        AND (?9 OR details ->> 'secondLookOf' IS NULL)
      ORDER BY id
      """,
      [
        SQLValue(filter.label), SQLValue(filter.commit), SQLValue(filter.suite),
        SQLValue(filter.backend), SQLValue(filter.before), SQLValue(filter.variant),
        SQLValue(filter.branch), SQLValue(filter.secondLookOf), SQLValue(withSecondLooks),
      ]
    ) { ($0.integer("id"), $0.text("status")) }
    guard let status = filter.status else { return rows.map(\.0) }
    return rows.filter { Self.status($0.1, of: $0.0, state) == status.rawValue }.map(\.0)
  }

  /// Returns the current status of a run.
  ///
  /// A run is interrupted if its stored status is `running` but no process executes it.
  static func status(_ stored: String, of id: Int, _ state: State) -> String {
    guard stored == RunRecord.Status.running.rawValue, !state.ownedRuns.contains(id),
      state.locks?.isHeldElsewhere(id) != true
    else { return stored }
    return RunRecord.Status.interrupted.rawValue
  }

  static func load(
    _ id: Int, _ state: State, parts: SuiteParts = .all
  ) throws -> RunRecord {
    let connection = state.connection
    let path = connection.path
    let backends = try connection.query(
      """
      SELECT id, model, model_digest, parameter_count, is_toy, engine, is_deterministic
      FROM backend WHERE run_id = ? ORDER BY position
      """, [SQLValue(id)]
    ) { row in
      BackendRecord(
        id: row.text("id"), model: row.text("model"),
        modelDigest: row.optionalText("model_digest"),
        parameterCount: row.optionalInteger("parameter_count").map(Int.init),
        isToy: row.bool("is_toy"), engine: row.text("engine"),
        isDeterministic: row.bool("is_deterministic"))
    }
    let suites = try loadSuites(of: id, connection, parts: parts)
    let runs = try connection.query(
      """
      SELECT label, started_at, finished_at, status, tool_version, commit_id, comparison, details
      FROM run WHERE id = ?
      """, [SQLValue(id)]
    ) { row in
      RunRecord(
        id: id, label: row.text("label"), startedAt: row.text("started_at"),
        finishedAt: row.optionalText("finished_at"),
        status: try RecordText.member(
          RunRecord.Status.self, status(row.text("status"), of: id, state), path: path),
        toolVersion: row.text("tool_version"), commit: row.optionalText("commit_id"),
        backends: backends, suites: suites,
        comparison: try row.optionalText("comparison").map {
          try RecordText.value(VariantComparison.self, from: $0, path: path)
        }, details: try RecordText.details(row.optionalText("details"), path: path))
    }
    guard let run = runs.first else { throw StoreError(.noSuchRun(id), path: path) }
    return run
  }
}
