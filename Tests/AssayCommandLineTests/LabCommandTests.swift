import Foundation
import StructuredText
import Testing

@testable import AssayCommandLine

@Suite("assay lab")
struct LabCommandTests {
  private func lab(_ words: String...) async throws -> CommandLab.Ending {
    let lab = try CommandLab()
    try QuizSuite(repeats: 1, cases: QuizSuite.shortPassages).write(to: lab)
    return await lab.run(
      ["lab"] + words + [
        "--suites", lab.path("quiz"), "--reports", lab.reports, "--trace", "none",
      ])
  }

  @Test("`assay lab` finds the guide whose edit makes the model write too few pairs")
  func culprit() async throws {
    let ending = try await lab("quiz:default", "quiz:silent", "-m", Checkout.model)
    #expect(ending.status == .passed, "\(ending.notes)")
    #expect(ending.output.contains("The regression comes from the guide of "), "\(ending.output)")
    #expect(!ending.notes.contains("✗ fail"))
  }

  @Test(
    "a lab tries one mutation at a time; with --survivors fail, a surviving mutation fails the lab")
  func survivors() async throws {
    let ending = try await lab(
      "quiz", "-m", Checkout.model, "--limit", "2", "--survivors", "fail", "--format", "json")
    let result = try JSONValue(parsing: ending.output)
    let trials = try #require(result["lab"]?["trials"]?.array)
    #expect(trials.count == 2)
    let survived = trials.filter { $0["alone"]?["verdict"]?.string != "regressed" }
    #expect(ending.status == (survived.isEmpty ? .passed : .failed), "\(ending.output)")
    #expect(ending.notes.contains("more mutations are not tried"))
  }

  @Test("a lab and a later `assay report` write the same reports and end with the same exit status")
  func reportAgain() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 1, cases: QuizSuite.shortPassages).write(to: lab)
    let first = await lab.run([
      "lab", "quiz:default", "quiz:silent", "-m", Checkout.model, "--suites", lab.path("quiz"),
      "--reports", lab.reports, "--trace", "none",
    ])
    #expect(first.status == .passed, "\(first.notes)")
    let names = ["report.html", "summary.md"]
    let before = try names.map { try lab.data("reports/latest/\($0)") }
    let again = await lab.assay("report")
    #expect(again.status == .passed, "\(again.notes)")
    #expect(again.output.contains("The regression comes from the guide of "), "\(again.output)")
    #expect(try names.map { try lab.data("reports/latest/\($0)") } == before)
    // Each damaged variant would be a failed test case of the suite.
    #expect(!lab.has("reports/latest/junit.xml") && !lab.has("reports/1/junit.xml"))
  }

  @Test("`assay lab` ends with status 3 if the backend failed in every attempt")
  func nothingRan() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 1, cases: QuizSuite.shortPassages).write(to: lab)
    let ending = await lab.run([
      "lab", "quiz:default", "quiz:silent", "-b", "exec:false", "--suites", lab.path("quiz"),
      "--reports", lab.reports,
    ])
    #expect(ending.status == .cannotRun, "\(ending.output)\(ending.notes)")
  }

  @Test(
    "`assay lab` rejects the stub, and variants that it can't compare",
    arguments: [
      (["quiz", "-b", "stub"], AssayCommandLine.ExitStatus.usage, "the stub ignores them"),
      (["quiz:default", "quiz:default"], .usage, "name two different variants"),
      (["quiz:default", "other:silent"], .usage, "different suites"),
      (["quiz:default", "quiz:silnet"], .nothingSelected, "did you mean `quiz:silent`?"),
      (["quiz:default", "quiz:same"], .nothingSelected, "the two variants are the same"),
      (["a:b:c"], .usage, "expected SUITE or SUITE:VARIANT"),
    ])
  func checkRefusal(
    words: [String], status: AssayCommandLine.ExitStatus, message: String
  ) async throws {
    let lab = try CommandLab()
    try QuizSuite().write(to: lab)
    let ending = await lab.run(["lab"] + words + ["--suites", lab.path("quiz")])
    #expect(ending.status == status)
    #expect(ending.errors.count == 1)
    #expect(ending.errors.first?.contains(message) == true, "\(ending.notes)")
    #expect(!lab.has("reports"))
  }
}
