public import EvalRecords

extension ResultStore {
  /// Updates a run's record with the work that this process did.
  ///
  /// If earlier processes worked on the run, its record already contains their work.
  ///
  /// - Parameters:
  ///   - evaluations: The work of models in this process, keyed by backend id.
  ///   - served: The requests to served models, keyed by backend id.
  ///   - attempts: All attempts of the run, which name the models that answered.
  ///   - profile: The processor time of judging and storing, or `nil` if it was not measured.
  ///   - id: The run.
  /// - Returns: The updated run.
  /// - Throws: `StoreError`, with the problem `noSuchRun` if there is no such run.
  public func add(
    evaluations: [String: EvaluationUse], served: [String: ServedUse] = [:],
    attempts: [AttemptRecord] = [], profile: TimeProfile? = nil, toRun id: Int
  ) throws -> RunRecord {
    try withState { state in
      var run = try Self.load(id, state)
      if !evaluations.isEmpty {
        run.details.evaluations = (run.details.evaluations ?? [:]).merging(
          evaluations
        ) { $0.followed(by: $1) }
      }
      if !served.isEmpty {
        run.details.served = (run.details.served ?? [:]).merging(served, uniquingKeysWith: +)
        run.takeServedNames(from: attempts)
      }
      if let profile {
        run.details.profile = run.details.profile.map { $0.followed(by: profile) } ?? profile
      }
      try state.connection.run(
        "UPDATE run SET details = ? WHERE id = ?",
        [try RecordText.details(run.details, path: path), SQLValue(id)])
      return run
    }
  }
}
