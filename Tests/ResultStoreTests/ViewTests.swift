import EvalRecords
import ResultStore
import Testing

/// Queries the views as any SQLite shell would.
@Suite("Views of the database")
struct ViewTests {
  private func filled() throws -> TemporaryFolder {
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
      try store.append(
        sampleAttempt(number, cases: 2, outcome: output.0, output: output.1), run: run.id)
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
          "$.cards|0", "$.cards|2", "$.cards|3", "$.cards[0].tags|2", "$.cards[1].tags|0",
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
    withExtendedLifetime(folder) {}
  }
}
