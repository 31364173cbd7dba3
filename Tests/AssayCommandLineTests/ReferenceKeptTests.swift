import EvalRecords
import Foundation
import ResultStore
import Testing

@testable import AssayCommandLine

@Suite("A run keeps what it was compared with")
struct ReferenceKeptTests {
  /// Returns a lab with a suite whose first run passed and was accepted.
  private func accepted() async throws -> CommandLab {
    let lab = try CommandLab()
    try QuizSuite(passRate: 0.2).write(to: lab)
    #expect(await lab.assay("run", lab.path("quiz"), "-b", "stub").status == .passed)
    #expect(await lab.assay("baseline", "accept", "--reason", "first").status == .passed)
    return lab
  }

  /// Makes the answers of the suite worse.
  private func spoil(_ lab: CommandLab) throws {
    try QuizSuite(guide: "The cards.", passRate: 0.2, stub: QuizSuite.sometimesEmpty).write(to: lab)
  }

  /// Returns the text of a run's reports without white space at the ends of lines.
  private func reports(_ lab: CommandLab, _ run: Int) throws -> [String] {
    try ["report.html", "junit.xml", "summary.md"].map { try lab.text("reports/\(run)/\($0)") }
  }

  @Test(
    "a report of a regressed run stays red after that run or another run is accepted",
    arguments: ["1", "2"])
  func laterAcceptance(run: String) async throws {
    let lab = try await accepted()
    try spoil(lab)
    #expect(await lab.assay("run", lab.path("quiz"), "-b", "stub").status == .failed)
    let before = try reports(lab, 2)
    let accept = await lab.assay("baseline", "accept", run, "--allow", "a trial")
    #expect(accept.status == .passed, "\(accept.notes)")
    let again = await lab.assay("report", "2")
    #expect(again.status == .failed, "\(again.output)")
    #expect(again.output.contains("✗ Regressed."))
    #expect(try reports(lab, 2) == before)
    // The control: a run that is made now is compared with the newly accepted run.
    let next = await lab.assay("run", lab.path("quiz"), "-b", "stub")
    #expect(next.status == (run == "1" ? .failed : .passed), "\(next.output)")
  }

  @Test("a run that is continued after another acceptance is compared with its own reference")
  func resumed() async throws {
    let lab = try await accepted()
    try spoil(lab)
    let stopped = await lab.assay(
      "run", lab.path("quiz"), "-b", "stub", "--budget-calls", "30")
    #expect(stopped.status == .interrupted, "\(stopped.output)")
    #expect(await lab.assay("baseline", "accept", "1").status == .passed)
    let resumed = await lab.assay("run", lab.path("quiz"), "-b", "stub", "--resume", "2")
    #expect(resumed.status == .failed, "\(resumed.output)")
    let before = try reports(lab, 2)
    try lab.remove("reports/baselines/quiz.jsonl")
    #expect(await lab.assay("report", "2").status == .failed)
    #expect(try reports(lab, 2) == before)
  }

  @Test("clocks of other machines don't matter: a baseline from the future is still the reference")
  func clockAhead() async throws {
    let lab = try CommandLab()
    try QuizSuite(passRate: 0.2).write(to: lab)
    let suite = [lab.path("quiz"), "-b", "stub", "--reports", lab.reports]
    #expect(await lab.run(["run"] + suite).status == .passed)
    let ahead = CommandLab.time + 3600
    #expect(
      await lab.run(["baseline", "accept", "--reports", lab.reports], time: ahead).status
        == .passed)
    try spoil(lab)
    #expect(await lab.run(["run"] + suite).status == .failed)
    #expect(await lab.assay("report", "2").status == .failed)
  }

  @Test("an export keeps the references of its runs")
  func exported() async throws {
    let lab = try await accepted()
    try spoil(lab)
    #expect(await lab.assay("run", lab.path("quiz"), "-b", "stub").status == .failed)
    let file = lab.path("two.jsonl")
    #expect(await lab.assay("export", "2", "--out", file).status == .passed)
    let other = ["--reports", lab.path("other")]
    #expect(await lab.run(["import", file] + other).status == .passed)
    let report = await lab.run(["report", "2"] + other)
    #expect(report.status == .failed, "\(report.output) \(report.notes)")
  }

  @Test(
    "a report keeps the run's --inconclusive and --allow-not-comparable, unless it gives its own")
  func judging() async throws {
    let lab = try await accepted()
    try QuizSuite(repeats: 1, passRate: 0, stub: QuizSuite.sometimesEmpty).write(to: lab)
    let run = await lab.assay(
      "run", lab.path("quiz"), "-b", "stub", "--case", "case-1", "--inconclusive", "fail")
    #expect(run.status == .failed, "\(run.output)")
    #expect(run.output.contains("Inconclusive"), "\(run.output)")
    #expect(await lab.assay("report", "2").status == .failed)
    #expect(await lab.assay("report", "2", "--inconclusive", "pass").status == .passed)
  }

  @Test(
    "merged shards are compared with the accepted baselines, even if the shards were not",
    arguments: [false, true])
  func merged(isSpoiled: Bool) async throws {
    let lab = try await accepted()
    if isSpoiled { try spoil(lab) }
    var databases: [String] = []
    for shard in 1...3 {
      let folder = lab.path("shard\(shard)")
      _ = await lab.run([
        "run", lab.path("quiz"), "-b", "stub", "--shard", "\(shard)/3", "--baseline", "none",
        "--label", "nightly",
        "--reports", folder,
      ])
      databases.append("\(folder)/results.sqlite")
    }
    let expected: AssayCommandLine.ExitStatus = isSpoiled ? .failed : .passed
    let merged = await lab.run(["merge"] + databases + ["--reports", lab.reports])
    #expect(merged.status == expected, "\(merged.output) \(merged.notes)")
    #expect(merged.output.contains(isSpoiled ? "✗ Regressed." : "No change"))

    // Another acceptance, and a second merge.
    #expect(await lab.assay("baseline", "accept", "2", "--allow", "a trial").status == .passed)
    let second = await lab.run(["merge"] + databases + ["--reports", lab.reports])
    #expect(second.notes.contains("run 2 already consists of these shards"), "\(second.notes)")
    #expect(second.status == expected, "\(second.output)")
    #expect(await lab.assay("report", "2").status == expected)

    // The control: a merge that is told to compare nothing.
    let none = await lab.run(
      ["merge"] + databases + ["--reports", lab.path("apart"), "--baseline", "none"])
    #expect(none.status == .passed, "\(none.output)")
  }

  @Test("a report says that a baseline file is gone only if an earlier run had one")
  func goneFile() async throws {
    let lab = try await accepted()
    let words = "now there is no baseline file"
    func run() async -> CommandLab.Ending {
      await lab.assay("run", lab.path("quiz"), "-b", "stub")
    }
    #expect(await !run().output.contains(words))
    try lab.remove("reports/baselines/quiz.jsonl")
    let gone = await run()
    let text = gone.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("Run 2 was compared with an accepted baseline of quiz"), "\(text)")
    #expect(!text.contains("No baseline has been accepted yet"), "\(text)")
  }
}
