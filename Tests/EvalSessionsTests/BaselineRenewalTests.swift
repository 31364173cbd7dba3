import EvalRecords
import EvalSuites
import Testing

@testable import EvalSessions

@Suite("Renewing a baseline")
struct BaselineRenewalTests {
  @Test(
    "a renewal repeats each test case as often as the baseline did, whatever the suite says now",
    arguments: [
      // The repeats of the test case in the baseline and now, and of the suite in the baseline.
      (5, 5, 2, 5), (nil, 5, 3, 3), (5, nil, 2, 5), (4, 5, 2, 4),
    ] as [(Int?, Int?, Int, Int)])
  func checkRepeats(before: Int?, now: Int?, ofSuite: Int, expected: Int) throws {
    let own = now.map { ", repeats: \($0)" } ?? ""
    let text = """
      suite: s
      repeats: 2
      generates: { inline: { type: string } }
      assertions: [ { nonEmpty: { path: $ } } ]
      cases: [ { id: a, input: x\(own) }, { id: b, input: y } ]
      """
    let loaded = SuiteLoader(files: .memory(["s/suite.yaml": text])).load(["s"])
    let suite = try #require(loaded.suites.first, "\(loaded.problems)")
    var record = suite.record()
    record.repeats = ofSuite
    var settings = CaseSettings()
    settings.repeats = before
    record.details.cases = ["a": settings]
    let run = RunRecord(
      id: 1, label: "", startedAt: "2026-11-20T01:00:00Z", status: .complete, toolVersion: "",
      backends: [.stub()], suites: [record])
    let baseline = BaselineFile(
      suite: "s", run: run, attempts: [], reason: "", acceptedAt: "2026-11-20T02:00:00Z")
    let renewed = try BaselineRenewal(baseline, suites: [suite]).suite.record()
    #expect(renewed.plannedRepeats(of: "a") == expected)
    #expect(renewed.plannedRepeats(of: "b") == ofSuite)
  }
}
