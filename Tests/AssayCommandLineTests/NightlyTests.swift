import EvalRecords
import Foundation
import Testing

@testable import AssayCommandLine
@testable import EvalSessions

@Suite("Nightly runs before and after an edit")
struct NightlyTests {
  /// Runs a suite, accepts the run as the baseline, runs the suite again, edits it, and runs it a
  /// third time.
  ///
  /// - Returns: The exit status and the output of the run after the edit.
  private func nightly(
    in lab: CommandLab, from before: QuizSuite, to after: QuizSuite, options: [String]
  ) async throws -> CommandLab.Ending {
    let run = ["run", lab.path("quiz"), "--reports", lab.reports] + options
    try before.write(to: lab)
    let first = await lab.run(run)
    #expect(first.status == .passed, "\(first.notes)")

    let accept = await lab.assay("baseline", "accept", "--reason", "what we ship today")
    #expect(accept.status == .passed, "\(accept.notes)")
    let file = "reports/baselines/quiz.jsonl"
    #expect(accept.output.contains("\n\(lab.path(file)): run 1, "), "\(accept.output)")
    let baseline = try BaselineFile(text: lab.text(file), path: file)
    #expect(baseline.reason == "what we ship today")
    #expect(baseline.run.id == 1)
    #expect(baseline.attempts.count == before.cases.count * before.repeats)
    let list = await lab.assay("baseline", "list")
    #expect(list.output.contains("quiz  run 1, "))
    #expect(list.output.contains("what we ship today"))

    let second = await lab.run(run)
    #expect(second.status == .passed, "\(second.output)\(second.notes)")
    #expect(second.output.lowercased().contains("no change"), "\(second.output)")
    #expect(second.output.contains("in run 2 against quiz:default in run 1"))

    try after.write(to: lab)
    return await lab.run(run)
  }

  @Test("on the stub, an edit that empties one answer in three is a regression")
  func stub() async throws {
    let lab = try CommandLab()
    let third = try await nightly(
      in: lab, from: QuizSuite(passRate: 0.2),
      to: QuizSuite(guide: "The cards.", passRate: 0.2, stub: QuizSuite.sometimesEmpty),
      options: ["-b", "stub"])
    #expect(third.status == .failed, "\(third.output)")
    #expect(third.output.contains("✗ Regressed."))
    #expect(third.output.contains("empty $.pairs"))
    #expect(third.output.contains("arrays were empty in "))
    #expect(third.output.contains("; baseline 0 of 40)"))

    // The gate still passes, so the failure comes from the comparison.
    let rows = third.output.split(separator: "\n")
    #expect(rows.contains { $0.hasPrefix("quiz ") && $0.contains("✓ 20") }, "\(third.output)")
    let alone = await lab.assay("run", lab.path("quiz"), "-b", "stub", "--baseline", "none")
    #expect(alone.status == .passed)

    // Compared with run 1 in the database, the edited suite fails again. Compared with run 3, which
    // already gave the same answers, it passes.
    let named = await lab.assay("run", lab.path("quiz"), "-b", "stub", "--baseline", "1")
    #expect(named.status == .failed)
    let same = await lab.assay("run", lab.path("quiz"), "-b", "stub", "--baseline", "3")
    #expect(same.status == .passed)

    // Once accepted, the new answers are the reference for later runs.
    let accept = await lab.assay("baseline", "accept", "3", "--allow", "empty ones are fine")
    #expect(accept.status == .passed)
    #expect(accept.output.contains("  guide     QuizBook.pairs: "), "\(accept.output)")
    let after = await lab.assay("run", lab.path("quiz"), "-b", "stub")
    #expect(after.status == .passed)
    #expect(after.output.lowercased().contains("no change"))
  }

  @Test("on the toy model, removing the number of pairs from a guide is a regression")
  func toy() async throws {
    let stated = QuizSuite(repeats: 1, passRate: 0, cases: QuizSuite.shortPassages)
    var silent = stated
    silent.guide = "The cards."
    let lab = try CommandLab()
    let third = try await nightly(
      in: lab, from: stated, to: silent, options: ["-m", Checkout.model, "--trace", "none"])
    #expect(third.status == .failed, "\(third.output)")
    #expect(third.output.contains("✗ Regressed."))
    #expect(third.output.contains("P(fewer than 3) at $.pairs"))
    #expect(third.output.contains("local is the toy Assay Toy"))
    let report = try lab.text("reports/latest/report.html")
    #expect(report.contains("The cards."), "the report shows the edited guide")
    #expect(report.contains("From three to eight cards"), "the report shows the earlier guide")
  }
}
