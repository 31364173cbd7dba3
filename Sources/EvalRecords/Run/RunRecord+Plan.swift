extension RunRecord {
  /// Returns the number of planned attempts, and how many of them are not in a list.
  ///
  /// A skipped attempt counts as made. Of recorded answers, every test case needs only one attempt,
  /// because a log may have more answers to one variant than to another.
  ///
  /// - Parameter attempts: The attempts.
  package func plannedAttempts(
    missingIn attempts: [AttemptRecord]
  ) -> (planned: Int, missing: Int) {
    var counts: [AttemptKey: Int] = [:]
    for attempt in attempts {
      var place = attempt.key
      place.repeatIndex = 0
      counts[place, default: 0] += 1
    }
    var (planned, missing) = (0, 0)
    for suite in suites {
      for record in suite.cases {
        let count = suite.plannedRepeats(of: record.id) + suite.freshRepeats(of: record.id)
        for backend in backends {
          let wanted = backend.isRecorded ? min(1, count) : count
          for variant in suite.variants {
            let place = AttemptKey(
              suite: suite.id, variant: variant.id, backend: backend.id, caseID: record.id,
              repeatIndex: 0)
            planned += wanted
            missing += max(0, wanted - counts[place, default: 0])
          }
        }
      }
    }
    return (planned, missing)
  }
}
