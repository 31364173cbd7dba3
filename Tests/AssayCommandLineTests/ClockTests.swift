import EvalFindings
import EvalRecords
import EvalReports
import Foundation
import ResultStore
import Testing

@testable import AssayCommandLine

@Suite("A clock that is set back")
struct ClockTests {
  private static let good = QuizSuite(passRate: 0.2)
  private static let bad = QuizSuite(
    guide: "The cards.", passRate: 0.2, stub: QuizSuite.sometimesEmpty)

  private func assay(
    _ lab: CommandLab, hours: Double, _ words: String...
  ) async -> CommandLab.Ending {
    await lab.run(
      words + ["--reports", lab.reports], time: CommandLab.time + hours * 3600)
  }

  @Test("after the clock is set back, a new run is still compared with the accepted baseline")
  func acceptedBaseline() async throws {
    let lab = try CommandLab()
    try Self.good.write(to: lab)
    #expect(await assay(lab, hours: 0, "run", lab.path("quiz"), "-b", "stub").status == .passed)
    #expect(await assay(lab, hours: 1, "baseline", "accept").status == .passed)
    try Self.bad.write(to: lab)
    let run = await assay(lab, hours: -5, "run", lab.path("quiz"), "-b", "stub")
    #expect(run.status == .failed, "\(run.output)")
    #expect(run.output.contains("✗ Regressed."), "\(run.output)")
    let again = await assay(lab, hours: -4, "report", "2")
    #expect(again.status == .failed, "\(again.output)")

    // Run 1 began before any baseline was accepted, so it still has no reference.
    let first = await assay(lab, hours: -3, "report", "1")
    #expect(first.status == .passed)
    #expect(first.output.contains("No baseline has been accepted yet"), "\(first.output)")
  }

  @Test(
    "nightly runs are compared with run 1, and the history sorts runs by number, not by time")
  func nights() async throws {
    let lab = try CommandLab()
    try lab.write("ref: refs/heads/main\n", to: ".git/HEAD")
    try lab.write(String(repeating: "a", count: 40) + "\n", to: ".git/refs/heads/main")
    let words = ["run", lab.path("quiz"), "-b", "stub", "--baseline", "main"]
    try Self.good.write(to: lab)
    var statuses: [AssayCommandLine.ExitStatus] = []
    for (number, hours) in [0, 24, -48, -24, 30.0].enumerated() {
      if number == 2 { try Self.bad.write(to: lab) }
      statuses.append(
        await lab.run(
          words + ["--reports", lab.reports], time: CommandLab.time + hours * 3600
        ).status)
    }
    #expect(statuses == [.passed, .passed, .failed, .failed, .failed])

    let (history, problems) = RunHistory.read(
      Array(try lab.data("reports/history.jsonl")), path: "history.jsonl")
    #expect(problems.isEmpty)
    #expect(history.entries.map(\.run) == [1, 2, 3, 4, 5])
    let store = try ResultStore(path: lab.database, access: .reading)
    for run in try store.runs() {
      #expect(run.status == .complete)
      #expect(try #require(run.finishedAt) >= run.startedAt)
      #expect(history.before(run).entries.map(\.run) == Array(1..<run.id))
    }
    // `assay report` gives the same exit statuses and the same dashboard again.
    for (number, status) in statuses.enumerated() {
      #expect(await lab.assay("report", "\(number + 1)").status == status, "run \(number + 1)")
    }
    let page = try lab.text("reports/index.html")
    try lab.remove("reports/history.jsonl")
    #expect(await lab.assay("report", "--dashboard").status == .passed)
    #expect(try lab.text("reports/index.html") == page)
  }
}
