import EvalRecords
import EvalSuites
import ResultStore

/// The test cases with at least one failed attempt in a run.
package struct FailedCases: Sendable, Equatable {
  /// The number of the run.
  package let run: Int
  /// The test cases, written as `suite/case`.
  package let cases: Set<String>

  /// Returns the failed test cases of the last run in a database.
  ///
  /// Runs that compare variants are ignored, because their failures say nothing about the suites.
  ///
  /// - Parameter database: The database.
  /// - Throws: `SessionFailure` if no run of suites has finished, or if no test case failed in the
  ///   last finished run.
  package static func lastRun(in database: String) throws(SessionFailure) -> FailedCases {
    let store = try openStore(database, access: .reading)
    let found = try perform { () throws -> FailedCases? in
      for head in try store.runHeads().reversed() {
        let run = try store.run(head.id)
        guard run.comparison == nil, run.status != .running else { continue }
        let attempts = try store.attempts(run: run.id, AttemptFilter(includesTraces: false))
        return FailedCases(
          run: run.id,
          cases: Set(
            attempts.filter { $0.outcome == .fail || $0.outcome == .error }
              .map { "\($0.key.suite)/\($0.key.caseID)" }))
      }
      return nil
    }
    guard let found else {
      throw SessionFailure(
        .nothingSelected,
        "\(database): there is no finished run of suites yet, so there are no failed test cases")
    }
    guard !found.cases.isEmpty else {
      throw SessionFailure(
        .nothingSelected,
        "no test case failed in the last run (run \(found.run)); there is nothing to run again")
    }
    return found
  }

  /// Returns the suites that have failed test cases, with only these test cases.
  ///
  /// - Throws: `SessionFailure` if the suites no longer have any of the test cases.
  package func selected(from suites: [Suite]) throws(SessionFailure) -> [Suite] {
    let selected = suites.compactMap { suite -> Suite? in
      var suite = suite
      suite.cases = suite.cases.filter { cases.contains("\(suite.id)/\($0.id)") }
      return suite.cases.isEmpty ? nil : suite
    }
    guard !selected.isEmpty else {
      throw SessionFailure(
        .nothingSelected, "the suites have none of the test cases that failed in run \(run)")
    }
    return selected
  }
}
