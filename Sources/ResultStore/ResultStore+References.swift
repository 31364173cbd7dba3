import EvalRecords
import StructuredText

extension ResultStore {
  /// Stores what a run is compared with.
  ///
  /// - Parameters:
  ///   - run: The run with its references, which replace those that the run kept before.
  ///   - copies: The copies of the references, keyed by suite id.
  public func keepReferences(of run: RunRecord, copies: [String: String]) throws {
    try withState { state in
      try state.transaction { state in
        try state.connection.run(
          "UPDATE run SET details = ? WHERE id = ?",
          [try RecordText.details(run.details, path: path), SQLValue(run.id)])
        try state.connection.run(
          "DELETE FROM reference WHERE run_id = ?", [SQLValue(run.id)])
        try Self.insert(references: copies, ofRun: run.id, into: &state)
      }
    }
  }

  /// Returns the copies of a run's references, keyed by suite id.
  ///
  /// A copy is the text of a baseline file. `RunDetails.references` says which suites have one.
  public func references(ofRun id: Int) throws -> [String: String] {
    try withState { state in
      Dictionary(
        try state.connection.query(
          """
          SELECT r.suite_id, t.body FROM reference r JOIN text t ON t.id = r.copy_text
          WHERE r.run_id = ?
          """, [SQLValue(id)]
        ) { ($0.text("suite_id"), $0.text("body")) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// Returns the last run before another run in which a suite had an accepted baseline, or `nil` if
  /// there is none.
  ///
  /// If a later run was allowed to have no baseline any more, the result is `nil`.
  public func lastRunWithBaseline(of suite: String, before run: Int) throws -> Int? {
    try withState { state in
      try state.connection.query(
        """
        SELECT r.id, x.value ->> 'acceptedAt' IS NOT NULL AS has_baseline
        FROM run r, json_each(r.details, '$.references') x
        WHERE r.id < ? AND x.value ->> 'suite' = ? AND (
          x.value ->> 'acceptedAt' IS NOT NULL
          OR json_type(x.value, '$.remark.baselineFileIsGone') IS NOT NULL
            AND r.details ->> '$.judging.allowsNotComparable')
        ORDER BY r.id DESC LIMIT 1
        """, [SQLValue(run), SQLValue(suite)]
      ) { $0.bool("has_baseline") ? $0.integer("id") : nil }.first ?? nil
    }
  }

  /// Stores the copies of a run's references.
  ///
  /// Call this function inside a transaction.
  ///
  /// - Parameters:
  ///   - copies: The copies, keyed by suite id.
  ///   - run: The run's id.
  ///   - state: The database.
  static func insert(
    references copies: [String: String], ofRun run: Int, into state: inout State
  ) throws {
    for (suite, text) in copies.sorted(by: { $0.key < $1.key }) {
      try state.connection.insert(
        into: "reference",
        [
          "run_id": SQLValue(run), "suite_id": SQLValue(suite),
          "copy_text": .integer(try state.textID(text)),
        ])
    }
  }
}
