import EvalRecords
import ResultStore
import TestSupport
import Testing

/// Queries the views as any SQLite shell would.
@Suite("Views of the database")
struct ViewTests {
  /// - Parameter hasShapes: Whether the attempts have shapes, unlike those of version 0.1.
  private func filled(hasShapes: Bool = true) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let store = try ResultStore(path: folder.database)
    let run = try store.beginRun(sampleRun(cases: 2))
    let outputs: [(Outcome, String)] = [
      (.pass, #"{"cards":[{"tags":[1,2]},{"tags":[]}],"mood":{"type":"unclear","reason":""}}"#),
      (.fail, #"{"cards":[],"mood":"slip"}"#),
      (.error, #"{"cards":["#),
      (.pass, #"{"cards":[1,2,3],"mood":"slip"}"#),
      (.skipped, ""),
    ]
    for (number, output) in outputs.enumerated() {
      var attempt = sampleAttempt(number, cases: 2, outcome: output.0, output: output.1)
      attempt.details.cut = nil
      if output.0 != .error {
        (attempt.stopReason, attempt.failure) = (.complete, nil)
        if hasShapes { attempt = [attempt].withFacts(of: run.suites)[0] }
      }
      try store.append(attempt, run: run.id)
    }
    return folder
  }

  @Test(
    "the views show pass rates, confused branches, array lengths and decision probabilities",
    arguments: [
      (
        "SELECT case_id, attempts, passed, errors, pass_rate FROM case_pass_rate",
        ["case-0|2|1|1|0.5", "case-1|2|1|0|0.5"]
      ),
      (
        "SELECT path, expected, actual, attempts FROM branch_confusion ORDER BY actual",
        ["$.mood|unclear|null|1", "$.mood|unclear|slip|2", "$.mood|unclear|unclear|1"]
      ),
      (
        "SELECT path, length FROM array_lengths WHERE suite_id = 'zebra' ORDER BY path, length",
        [
          "$.cards|0", "$.cards|2", "$.cards|3", "$.cards[*].tags|0", "$.cards[*].tags|2",
        ]
      ),
      (
        """
        SELECT path, element_index, option, count(*), sum(was_chosen) FROM decision_probability
        WHERE kind = 'array' GROUP BY path, element_index, option
        """,
        ["$.cards|0|element|5|0", "$.cards|0|end|5|5"]
      ),
    ])
  func viewAnswers(query: String, expected: [String]) throws {
    let folder = try filled()
    #expect(try readRows(query, in: folder.database) == expected)
    let older = try filled(hasShapes: false)
    let rows = try readRows(query, in: older.database)
    // For attempts without shapes, the paths of nested arrays have indices.
    let patterns = rows.map { $0.replacing("[0]", with: "[*]").replacing("[1]", with: "[*]") }
    #expect(Set(patterns) == Set(expected))
    withExtendedLifetime((folder, older)) {}
  }

  @Test("a path with an escape doesn't end a query for attempts without shapes")
  func escapedPaths() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(path: folder.database)
    var record = sampleRun(cases: 1)
    for suite in record.suites.indices {
      record.suites[suite].cases[0].expectedBranches += [
        ExpectedBranch(path: #"$['it\'s']"#, branch: "a"),
        ExpectedBranch(path: #"$['say "hi"']"#, branch: "b"),
      ]
    }
    let run = try store.beginRun(record)
    try store.append(sampleAttempt(0, cases: 1), run: run.id)
    #expect(
      try readRows("SELECT count(*), count(actual) FROM branch_confusion", in: folder.database)
        == ["3|1"])
    withExtendedLifetime(folder) {}
  }
}
