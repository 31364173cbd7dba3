import EvalRecords
import Testing

@testable import EvalFindings
@testable import EvalReports

@Suite("The order of runs")
struct RunOrderTests {
  /// Checks the order of runs; each text has the form `number time`.
  ///
  /// - Parameters:
  ///   - recorded: The runs in the order in which they were recorded.
  ///   - expected: The same runs in their expected order.
  ///   - comment: A description of the runs.
  private func check(_ recorded: [String], _ expected: [String], _ comment: Comment) {
    let moments = recorded.map { text in
      let parts = text.split(separator: " ")
      return RunOrder.Moment(run: Int(parts[0]) ?? 0, startedAt: "2026-11-\(parts[1]):00Z")
    }
    #expect(RunOrder(moments).positions.map { recorded[$0] } == expected, comment)
  }

  @Test("a clock that is set back or forward doesn't change the order within a database")
  func clock() {
    check(
      ["1 20T10:00", "2 20T11:00", "3 20T09:30", "4 20T12:00"],
      ["1 20T10:00", "2 20T11:00", "3 20T09:30", "4 20T12:00"], "the clock is set back for one run")
    check(
      ["1 20T10:00", "2 29T10:00", "3 21T10:00", "4 22T10:00"],
      ["1 20T10:00", "2 29T10:00", "3 21T10:00", "4 22T10:00"], "the clock is ahead in one run")
    check(
      ["1 20T10:00", "3 19T10:01", "2 19T10:00"],
      ["1 20T10:00", "2 19T10:00", "3 19T10:01"], "run 3 ended before run 2")
  }

  @Test("runs that began at the same time are ordered by their numbers")
  func crowd() {
    check(
      ["2 20T10:00", "3 20T10:00", "1 20T10:00"], ["1 20T10:00", "2 20T10:00", "3 20T10:00"],
      "three runs at once")
  }

  @Test("runs from different databases are ordered by their start times, not by their numbers")
  func databases() {
    check(
      ["1 20T10:00", "2 21T10:00", "1 22T10:00", "2 23T10:00"],
      ["1 20T10:00", "2 21T10:00", "1 22T10:00", "2 23T10:00"], "a new database")
    check(
      ["40 20T10:00", "41 21T10:00", "2 22T10:00", "3 23T10:00"],
      ["40 20T10:00", "41 21T10:00", "2 22T10:00", "3 23T10:00"], "no number occurs twice")
    check(
      ["1 20T10:00", "1 20T22:00", "2 21T10:00", "2 21T22:00"],
      ["1 20T10:00", "1 20T22:00", "2 21T10:00", "2 21T22:00"], "two machines")
    check(
      ["1 22T10:00", "2 23T10:00", "1 20T10:00", "2 21T10:00"],
      ["1 20T10:00", "2 21T10:00", "1 22T10:00", "2 23T10:00"], "an older file after a newer file")
  }

  @Test("an earlier run with other weights, another model or another backend is no reference")
  func otherWeights() throws {
    var earlier = SyntheticRun(casesPerSuite: 4, repeats: 1)
    earlier.id = 1
    var entry = HistoryEntry(earlier.document, exitStatus: 0)
    entry.branch = "main"
    let history = RunHistory([entry])
    let suite = try #require(earlier.record.suites.first?.id)
    func count(_ change: (inout BackendRecord) -> Void) -> Int {
      var backend = SyntheticRun.toy
      change(&backend)
      var later = SyntheticRun(casesPerSuite: 4, repeats: 1)
      (later.id, later.backends) = (2, [backend])
      return history.complete(suite, like: later.record, branches: ["main"]).count
    }
    #expect(count { _ in } == 1)
    #expect(count { $0.engine = "assay 0.2.0" } == 1)
    #expect(count { $0.modelDigest = String(repeating: "0", count: 64) } == 0)
    #expect(count { $0.modelDigest = nil } == 0)
    #expect(count { $0.model = "other" } == 0)
    #expect(count { $0.id = "other" } == 0)
  }
}
