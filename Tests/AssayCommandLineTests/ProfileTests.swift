import EvalRecords
import Foundation
import ResultStore
import Testing

@testable import AssayCommandLine

@Suite("run --profile")
struct ProfileTests {
  private func run(
    _ lab: CommandLab, _ words: String...
  ) async throws -> (ending: CommandLab.Ending, run: RunRecord, answers: Set<String>) {
    let ending = await lab.run(
      [
        "run", lab.path("quiz"), "-m", Checkout.model, "-j", "2", "--baseline", "none",
        "--reports", lab.reports,
      ] + words)
    let store = try ResultStore(path: lab.database, access: .reading)
    let id = try #require(try store.runs().map(\.id).max())
    let answers = try store.attempts(run: id).map { "\($0.key): \($0.output)" }
    return (ending, try store.run(id), Set(answers))
  }

  @Test("--profile measures the phases of a run with a local model, and changes no answer")
  func phases() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 2, passRate: 0, cases: QuizSuite.shortPassages).write(to: lab)
    let plain = try await run(lab)
    #expect(plain.run.details.wholeProfile == nil)
    #expect(!plain.ending.notes.contains("processor time"))
    #expect(try !lab.text("reports/latest/report.html").contains("Where the time went"))

    let measured = try await run(lab, "--profile")
    #expect(measured.answers == plain.answers)
    let profile = try #require(measured.run.details.wholeProfile)
    for phase in TimeProfile.Phase.allCases where phase != .alternatives {
      #expect(profile[phase] > 0, "\(phase)")
    }
    let use = try #require(measured.run.details.evaluations?["local"])
    let widths = try #require(profile.widths)
    let widest = try #require(use.widestStep)
    // The widths of two workers add up if they process their widest batches at the same time.
    #expect(widths.means.allSatisfy { $0 <= Double(2 * widest) + 1e-6 })
    #expect(widths.load.reduce(0, +) > 0)
    #expect(measured.ending.notes.contains("processor time: "), "\(measured.ending.notes)")
    #expect(measured.ending.notes.contains("evaluating answers"))
    let page = try lab.text("reports/latest/report.html")
    #expect(page.contains("Where the time went"))
    #expect(page.contains("Answers decoded together over"))
  }

  @Test("--no-drafts evaluates no drafts, and changes no answer")
  func withoutDrafts() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 2, passRate: 0, cases: QuizSuite.shortPassages).write(to: lab)
    _ = try await run(lab)
    let drafted = try await run(lab)
    let plain = try await run(lab, "--no-drafts")
    #expect(plain.answers == drafted.answers)
    #expect(try #require(drafted.run.details.evaluations?["local"]).draftedTokens ?? 0 > 0)
    #expect(try #require(plain.run.details.evaluations?["local"]).draftedTokens ?? 0 == 0)
  }

  @Test("on the stub, the profile shows time only for judging and storing")
  func stub() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 1).write(to: lab)
    let ending = await lab.assay("run", lab.path("quiz"), "-b", "stub", "--profile")
    #expect(ending.status == .passed)
    let store = try ResultStore(path: lab.database, access: .reading)
    let profile = try #require(try store.run(1).details.wholeProfile)
    #expect(profile[.judging] > 0 && profile[.storing] > 0)
    #expect(profile.total == profile[.judging] + profile[.storing])
    #expect(profile.widths == nil)
  }

  @Test("the profile of a resumed run includes the time before the interruption")
  func continuedRun() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 2).write(to: lab)
    _ = await lab.assay(
      "run", lab.path("quiz"), "-b", "stub", "-j", "1", "--profile", "--budget-calls", "5")
    let first = try ResultStore(path: lab.database, access: .reading).run(1)
    let before = try #require(first.details.wholeProfile).total
    _ = await lab.assay(
      "run", lab.path("quiz"), "-b", "stub", "-j", "1", "--profile", "--resume", "1")
    let second = try ResultStore(path: lab.database, access: .reading).run(1)
    #expect(try #require(second.details.wholeProfile).total > before)
  }
}
