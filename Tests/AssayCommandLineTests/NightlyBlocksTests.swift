import EvalRecords
import Foundation
import ResultStore
import Testing

@testable import AssayCommandLine

@Suite("The reference and the fresh seeds of nightly runs")
struct NightlyBlocksTests {
  /// Turns the lab's folder into a git repository with the given branch checked out.
  private func checkOut(_ branch: String, in lab: CommandLab) throws {
    try lab.write("ref: refs/heads/\(branch)\n", to: ".git/HEAD")
    try lab.write(String(repeating: "a", count: 40) + "\n", to: ".git/refs/heads/\(branch)")
  }

  private func night(_ lab: CommandLab, _ words: String...) async -> CommandLab.Ending {
    await lab.run(
      ["run", lab.path("quiz"), "-b", "stub", "--reports", lab.reports, "--baseline", "main"]
        + words)
  }

  @Test("a nightly run is compared with the first run on the main branch, not with a later one")
  func lastPassing() async throws {
    let lab = try CommandLab()
    try checkOut("main", in: lab)
    try QuizSuite(passRate: 0.2).write(to: lab)
    #expect(await night(lab).status == .passed)
    // A run on another branch doesn't become the reference of the main branch.
    try checkOut("topic", in: lab)
    let bad = QuizSuite(guide: "The cards.", passRate: 0.2, stub: QuizSuite.sometimesEmpty)
    try bad.write(to: lab)
    let plain = await lab.assay("run", lab.path("quiz"), "-b", "stub")
    #expect(plain.status == .passed, "nothing was accepted: \(plain.output)")
    try checkOut("main", in: lab)
    for number in 3...4 {
      let night = await night(lab)
      #expect(night.status == .failed, "the reference is still run 1: \(night.output)")
      #expect(night.output.contains("in run \(number) against quiz:default in run 1"))
    }
    // If the reports of run 4 are written again, they still compare it with run 1.
    let again = await lab.assay("report", "4")
    #expect(again.status == .failed)
    #expect(again.output.contains("against quiz:default in run 1"))
    let other = await lab.assay(
      "run", lab.path("quiz"), "-b", "stub", "--baseline", "branch:topic")
    #expect(other.status == .passed, "\(other.output)")
    #expect(other.output.contains("against quiz:default in run 2"))
  }

  @Test("if a baseline has been accepted, a nightly run is compared with it")
  func acceptedFirst() async throws {
    let lab = try CommandLab()
    try QuizSuite(passRate: 0.2).write(to: lab)
    #expect(await night(lab).status == .passed)
    #expect(await night(lab).status == .passed)
    let accept = await lab.assay("baseline", "accept", "1", "--reason", "the first one")
    #expect(accept.status == .passed)
    #expect(await night(lab).output.contains("in run 3 against quiz:default in run 1"))
  }

  @Test(
    "fresh attempts count for gates and don't hinder comparisons; their default seed is the date")
  func freshBlock() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 2).write(to: lab)
    #expect(await night(lab, "--fresh", "3", "--fresh-seed", "5").status == .passed)
    let second = await night(lab, "--fresh", "3")
    #expect(second.status == .passed, "\(second.output)\(second.notes)")
    #expect(second.output.contains("40/40"), "8 × (2 fixed + 3 fresh): \(second.output)")
    #expect(!second.output.contains("ot comparable"), "\(second.output)")
    let store = try ResultStore(path: lab.database, access: .reading)
    let runs = try store.runs()
    #expect(
      runs.map { $0.suites[0].details.fresh } == [
        FreshBlock(firstRepeat: 2, repeats: 3, seed: 5),
        FreshBlock(firstRepeat: 2, repeats: 3, seed: 20_260_921),
      ])
    let seeds = try runs.map { run in
      Dictionary(grouping: try store.attempts(run: run.id)) { $0.key.repeatIndex < 2 }
        .mapValues { Set($0.map(\.seed)) }
    }
    #expect(seeds[0][true] == seeds[1][true])
    #expect(seeds[0][false]?.isDisjoint(with: seeds[1][false] ?? []) == true)
    #expect(seeds[0][false]?.count == 24)
  }
}
