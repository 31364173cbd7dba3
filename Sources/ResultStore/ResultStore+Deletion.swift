import EvalRecords

extension ResultStore {
  /// Deletes runs, everything that belongs to them, and the texts that no other run uses.
  ///
  /// - Parameter ids: The runs.
  /// - Throws: `runIsActive`; then nothing is deleted.
  public func deleteRuns(_ ids: [Int]) throws {
    try withState { state in
      try state.transaction { state in
        let connection = state.connection
        for id in ids {
          if state.ownedRuns.contains(id) || state.locks?.isHeldElsewhere(id) == true {
            throw StoreError(.runIsActive(id), path: path)
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
            UNION SELECT variables_text FROM eval_case UNION SELECT copy_text FROM reference)
          """)
        state.textIDs = [:]
      }
    }
  }
}
