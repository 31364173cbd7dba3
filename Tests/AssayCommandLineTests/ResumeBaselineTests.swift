import EvalRecords
import Foundation
import ResultStore
import Testing

@testable import AssayCommandLine

@Suite("The baseline of a resumed run")
struct ResumeBaselineTests {
  @Test(
    "a resumed run and its reports use only a baseline that was accepted before the run began",
    arguments: [("2026-01-01T00:00:00Z", false), ("2099-01-01T00:00:00Z", true)])
  func baselineOfTheBeginning(beginning: String, isCompared: Bool) async throws {
    let lab = try CommandLab()
    try QuizSuite().write(to: lab)
    #expect(await lab.assay("run", lab.path("quiz"), "-b", "stub").status == .passed)
    // Run 2 is a copy of run 1 that began at another time and stopped after seven attempts.
    do {
      let store = try ResultStore(path: lab.database)
      var run = try store.run(1)
      run.startedAt = beginning
      let begun = try store.beginRun(run)
      try store.append(Array(try store.attempts(run: 1).prefix(7)), run: begun.id)
      try store.finishRun(begun.id, status: .interrupted, at: beginning)
    }
    #expect(await lab.assay("baseline", "accept", "1").status == .passed)
    let resumed = await lab.assay("run", lab.path("quiz"), "-b", "stub", "--resume", "2")
    #expect(resumed.status == .passed, "\(resumed.notes)")
    let names = ["report.html", "junit.xml", "summary.md"]
    let texts = try names.map { try lab.text("reports/2/\($0)") }
    #expect(texts[2].contains("in run 1") == isCompared)
    #expect(await lab.assay("report", "2").status == .passed)
    #expect(try names.map { try lab.text("reports/2/\($0)") } == texts)
  }
}
