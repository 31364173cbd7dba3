import EvalRecords
import ResultStore
import TestSupport
import Testing

@Suite("Attempts of earlier runs")
struct EarlierAttemptTests {
  @Test("only runs that were whole, and that no acknowledgement judged, are history")
  func whole() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(path: folder.database)
    func add(_ change: (inout RunDetails) -> Void) throws {
      var record = sampleRun()
      record.details = RunDetails()
      change(&record.details)
      let run = try store.beginRun(record)
      var attempt = sampleAttempt(1)
      attempt.details.fingerprint = "asked"
      try store.append(attempt, run: run.id)
      try store.finishRun(run.id, status: .complete, at: "2026-11-20T02:00:00Z")
    }
    func entry(_ suite: String) -> Acknowledgement {
      Acknowledgement(
        suite: suite, quantity: "pass rate", limit: 0.5, reason: "known", since: "2026-11-01",
        until: "2026-12-01")
    }
    try add { _ in }
    try add { $0.selection = ["--case case-1"] }
    try add { $0.acknowledgements = [entry("zebra")] }
    try add { $0.acknowledgements = [entry("ants")] }
    let suite = try #require(sampleRun().suites.first { $0.id == "zebra" })
    let found = try store.earlierAttempts(like: suite, ["case-1": "asked"], before: nil)
    #expect(found.attempts.map(\.run) == [1, 4])
    #expect(found.parts == [2])
    let first = try store.run(4)
    let later = try store.earlierAttempts(
      like: suite, ["case-1": "asked"], before: nil, except: first, isFirst: true)
    #expect(later.attempts.isEmpty && later.parts.isEmpty)
  }
}
