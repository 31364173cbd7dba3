public import EvalRecords

extension ResultStore {
  /// Adds to the recorded work of a run's models.
  ///
  /// - Parameters:
  ///   - evaluations: The work of models in this process, by the backend's id.
  ///   - served: The requests to served models, by the backend's id.
  ///   - id: The run.
  /// - Returns: The updated run.
  /// - Throws: `StoreError`; its problem is `noSuchRun` if there is no such run.
  public func add(
    evaluations: [String: EvaluationUse], served: [String: ServedUse] = [:], toRun id: Int
  ) throws -> RunRecord {
    try withState { state in
      var run = try Self.load(id, state)
      if !evaluations.isEmpty {
        run.details.evaluations = (run.details.evaluations ?? [:]).merging(
          evaluations, uniquingKeysWith: +)
      }
      if !served.isEmpty {
        run.details.served = (run.details.served ?? [:]).merging(served, uniquingKeysWith: +)
      }
      try state.connection.run(
        "UPDATE run SET details = ? WHERE id = ?",
        [try RecordText.details(run.details, path: path), SQLValue(id)])
      return run
    }
  }
}
