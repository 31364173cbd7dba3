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

  /// Replaces the records of what a run is compared with, but not the copies.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - id: The run's id.
  public func updateReferences(_ records: [ReferenceRecord], ofRun id: Int) throws {
    try withState { state in
      try state.connection.run(
        "UPDATE run SET details = json_set(details, '$.references', json(?)) WHERE id = ?",
        [SQLValue(try RecordText.text(of: records, path: path)), SQLValue(id)])
    }
  }

  /// Returns the text of a comparison, which the record of a reference can keep.
  package func text(of comparison: ComparisonRecord) throws -> String {
    try RecordText.text(of: comparison, path: path)
  }

  /// Returns the comparison with a text.
  package func comparison(_ text: String) throws -> ComparisonRecord {
    try RecordText.value(ComparisonRecord.self, from: text, path: path)
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

  /// Notes that a run was accepted as the baseline of suites.
  ///
  /// - Parameters:
  ///   - id: The run's id.
  ///   - suites: The ids of the suites.
  ///   - time: The time of acceptance, ISO 8601 in UTC.
  public func noteAcceptance(ofRun id: Int, for suites: [String], at time: String) throws {
    let times = JSONValue.object(JSONObject(suites.map { (key: $0, value: .string(time)) }))
    try withState { state in
      try state.connection.run(
        """
        UPDATE run SET details = json_set(
          coalesce(details, '{}'), '$.acceptances',
          json_patch(coalesce(details -> '$.acceptances', '{}'), ?))
        WHERE id = ?
        """, [SQLValue(times.compactText), SQLValue(id)])
    }
  }

  /// Returns the remark that a suite had an accepted baseline before a run, or `nil` if it had
  /// none.
  ///
  /// The last of these facts decides: a run was accepted, a run was compared with an accepted
  /// baseline, or a run was allowed to have no baseline any more.
  ///
  /// - Parameters:
  ///   - suite: The suite's id.
  ///   - run: The run's id.
  public func pastBaseline(of suite: String, before run: Int) throws -> ReferenceRemark? {
    try withState { state in
      try state.connection.query(
        """
        SELECT r.id AS id, r.started_at AS time,
          iif(x.value ->> 'acceptedAt' IS NOT NULL, 'compared', 'allowed') AS fact
        FROM run r, json_each(r.details, '$.references') x
        WHERE r.id < ?1 AND x.value ->> 'suite' = ?2 AND (
          x.value ->> 'acceptedAt' IS NOT NULL
          OR (json_type(x.value, '$.remark.baselineFileIsGone') IS NOT NULL
              OR json_type(x.value, '$.remark.acceptedFileIsGone') IS NOT NULL)
            AND r.details ->> '$.judging.allowsNotComparable')
        UNION ALL
        SELECT r.id, a.value, 'accepted'
        FROM run r, json_each(r.details, '$.acceptances') a
        WHERE r.id < ?1 AND a.key = ?2
        ORDER BY time DESC, id DESC LIMIT 1
        """, [SQLValue(run), SQLValue(suite)]
      ) { row -> ReferenceRemark? in
        switch row.text("fact") {
        case "compared": .baselineFileIsGone(comparedRun: row.integer("id"))
        case "accepted": .acceptedFileIsGone(run: row.integer("id"))
        default: nil
        }
      }.first ?? nil
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
