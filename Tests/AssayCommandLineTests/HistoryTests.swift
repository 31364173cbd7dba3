import EvalRecords
import Foundation
import ResultStore
import Testing

@testable import AssayCommandLine

@Suite("assay history")
struct HistoryTests {
  private func lab() async throws -> CommandLab {
    let lab = try CommandLab()
    for (label, stub) in [
      ("nightly", QuizSuite.fullAnswer), ("nightly", QuizSuite.sometimesEmpty),
      ("pull", "  content: { pairs: [] }"), ("nightly", QuizSuite.fullAnswer),
    ] {
      try QuizSuite(repeats: 4, passRate: 0, stub: stub).write(to: lab)
      let ending = await lab.assay(
        "run", lab.path("quiz"), "-b", "stub", "--label", label, "--seed", "1")
      #expect(ending.status == .passed, "\(ending.notes)")
    }
    return lab
  }

  private func ids(_ lab: CommandLab) throws -> [Int] {
    try ResultStore(path: lab.database, access: .reading).runIDs()
  }

  @Test("`history trends` shows the pass rate of each suite in each run")
  func trends() async throws {
    let lab = try await lab()
    let store = try ResultStore(path: lab.database, access: .reading)
    let passed = try store.attemptCounts(run: 2)[.pass] ?? 0
    #expect((1..<32).contains(passed))
    // The height of the bar for run 2 shows its pass rate; each run has 8 × 4 attempts.
    let block = Array("▁▂▃▄▅▆▇█")[Int((Double(passed) / 32 * 7).rounded())]
    let all = await lab.assay("history", "trends")
    #expect(all.output.contains("█\(block)▁█"), "\(all.output)")
    #expect(all.output.contains("32/32"))
    let nightly = await lab.assay("history", "trends", "--label", "nightly", "--limit", "2")
    #expect(nightly.output.contains(" \(block)█ "), "\(nightly.output)")
    #expect(await lab.assay("history", "trends", "--label", "x").status == .nothingSelected)
  }

  @Test("prune keeps baselines and makes the database smaller; with --dry-run, it only lists runs")
  func prune() async throws {
    let lab = try await lab()
    #expect(await lab.assay("baseline", "accept", "1").status == .passed)
    let dry = await lab.assay("history", "prune", "--keep", "1", "--dry-run")
    #expect(dry.output.contains("remove   run 2") && dry.output.contains("remove   run 3"))
    #expect(dry.output.contains("kept     run 1  a baseline file was made from it"))
    #expect(try ids(lab) == [1, 2, 3, 4])
    #expect(await lab.assay("history", "prune").status == .usage)
    #expect(await lab.assay("history", "drop").status == .usage)

    let before = try lab.data("reports/results.sqlite").count
    let pruned = await lab.assay("history", "prune", "--keep", "1")
    #expect(pruned.status == .passed)
    #expect(try ids(lab) == [1, 4])
    #expect(try lab.data("reports/results.sqlite").count < before)
    #expect(!lab.has("reports/2") && !lab.has("reports/3"), "their reports are removed too")
    #expect(pruned.output.contains("2 folders of reports removed"))
    #expect(lab.has("reports/1/report.html") && lab.has("reports/latest/report.html"))
    #expect(await lab.assay("report", "4").status == .passed)
  }

  @Test("prune keeps a folder that contains any file besides the run's own reports, and says why")
  func pruneKeepsForeignFolders() async throws {
    let lab = try await lab()
    try lab.write("mine", to: "reports/2/notes.txt")
    let rows = try lab.text("reports/3/results.jsonl")
    try lab.write(
      rows.replacing("\"startedAt\":\"20", with: "\"startedAt\":\"19"),
      to: "reports/3/results.jsonl")
    // As long as a suite has no baseline, prune keeps its first run.
    let first = await lab.assay("history", "prune", "--keep", "1", "--dry-run")
    #expect(first.output.contains("kept     run 1  later runs are compared with it"))
    #expect(await lab.assay("baseline", "accept", "4").status == .passed)
    let dry = await lab.assay("history", "prune", "--keep", "1", "--dry-run")
    #expect(dry.output.contains("1 folder of reports would be removed"))
    #expect(lab.has("reports/1/junit.xml"))
    let pruned = await lab.assay("history", "prune", "--keep", "1")
    #expect(pruned.status == .passed)
    #expect(pruned.output.contains("reports/2: it has a file that Assay didn't write: notes.txt"))
    #expect(pruned.output.contains("reports/3: it belongs to another run with that number"))
    #expect(!lab.has("reports/1") && lab.has("reports/2/report.html"))
    #expect(lab.has("reports/3/report.html"))
  }

  @Test("prune keeps a run from which a baseline file was made, whichever database it prunes")
  func pruneKeepsReferencedRuns() async throws {
    let lab = try await lab()
    #expect(await lab.assay("baseline", "accept", "3").status == .passed)
    let store = try ResultStore(path: lab.database)
    var archive: [String] = []
    try store.exportArchive(runs: [1, 2, 3, 4]) { archive.append($0) }
    let other = lab.path("other.sqlite")
    try ResultStore(path: other).importArchive(
      archive.filter { !$0.hasPrefix("{\"baseline\"") }, name: "a")
    let pruned = await lab.assay("history", "prune", "--keep", "0", "--database", other)
    #expect(pruned.status == .passed)
    #expect(pruned.output.contains("kept     run 3  a baseline file was made from it"))
    #expect(try ResultStore(path: other, access: .reading).runIDs() == [3])
    #expect(lab.has("reports/1/report.html"), "the database in the reports folder still has run 1")
  }
}
