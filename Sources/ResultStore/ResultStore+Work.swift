public import EvalRecords

/// The size of a stored attempt, without its texts and decisions.
public struct AttemptSize: Sendable, Hashable {
  /// The attempt.
  public var key: AttemptKey
  /// The number of tokens of its answer.
  public var outputTokens: Int
  /// The duration in seconds.
  public var duration: Double
}

extension ResultStore {
  /// Returns the sizes of the attempts that a run made at a suite on a backend.
  ///
  /// - Parameters:
  ///   - run: The run's id.
  ///   - suite: The suite's id.
  ///   - backend: The backend's id.
  public func attemptSizes(run: Int, suite: String, backend: String) throws -> [AttemptSize] {
    try withState { state in
      try state.connection.query(
        """
        SELECT variant_id, case_id, repeat_index, output_tokens, duration FROM attempt
        WHERE run_id = ? AND suite_id = ? AND backend_id = ? AND outcome NOT IN ('skipped', 'error')
        ORDER BY id
        """, [SQLValue(run), SQLValue(suite), SQLValue(backend)]
      ) { row in
        AttemptSize(
          key: AttemptKey(
            suite: suite, variant: row.text("variant_id"), backend: backend,
            caseID: row.text("case_id"), repeatIndex: row.integer("repeat_index")),
          outputTokens: row.integer("output_tokens"), duration: row.double("duration"))
      }
    }
  }
}

extension ResultStore {
  /// Returns the answer keys of the attempts that a run made at a suite: see
  /// `AttemptDetails.answerKey`.
  ///
  /// Attempts that failed because of the backend, and skipped attempts, have no answer to reuse.
  ///
  /// - Parameters:
  ///   - run: The run's id.
  ///   - suite: The suite's id.
  public func answerKeys(run: Int, suite: String) throws -> Set<String> {
    try withState { state in
      Set(
        try state.connection.query(
          """
          SELECT details ->> 'answerKey' AS answer_key FROM attempt
          WHERE run_id = ? AND suite_id = ? AND outcome NOT IN ('skipped', 'error')
            AND answer_key IS NOT NULL
          """, [SQLValue(run), SQLValue(suite)]
        ) { $0.text("answer_key") })
    }
  }

  /// Returns the answers that runs reused, keyed by the id of the run; runs that reused none are
  /// left out.
  public func reuseRecords() throws -> [Int: ReuseRecord] {
    try withState { state in
      let rows = try state.connection.query(
        """
        SELECT id, details -> 'reuse' AS reuse FROM run WHERE reuse IS NOT NULL
        """
      ) {
        (
          $0.integer("id"),
          try RecordText.value(ReuseRecord.self, from: $0.text("reuse"), path: path)
        )
      }
      return Dictionary(uniqueKeysWithValues: rows)
    }
  }
}
