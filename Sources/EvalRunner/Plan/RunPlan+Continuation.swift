import EvalRecords

extension RunPlan {
  /// Finds the test cases whose requests have changed since some of their attempts were made.
  ///
  /// This method compares request fingerprints, so it also finds changes that the record of a suite
  /// doesn't show, such as different answers of the stub.
  ///
  /// - Parameters:
  ///   - done: The attempts of the run that is continued.
  ///   - backends: The backends as they are now.
  /// - Returns: The first changed job of each test case, in the plan's order.
  package func changedRequests(
    since done: [AttemptRecord], on backends: [BackendRecord]
  ) -> [Job] {
    let fingerprints = RequestFingerprints()
    let records = Dictionary(backends.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let before = Dictionary(
      done.compactMap { attempt in attempt.details.fingerprint.map { (attempt.key, $0) } },
      uniquingKeysWith: { first, _ in first })
    var seen: Set<String> = []
    return jobs.filter { job in
      guard let record = records[job.backend],
        let old = job.repeats.lazy.compactMap({ before[job.key($0.repeatIndex)] }).first,
        old != fingerprints.fingerprint(of: job.request, record)
      else { return false }
      return seen.insert("\(job.request.suite)/\(job.request.caseID)").inserted
    }
  }
}
