import Foundation
import Testing

@testable import AssayCommandLine

/// Tests that Assay still reads files of version 0.1: a suite, a result database, the history, an
/// export, and a baseline of the toy model.
///
/// The database has three runs: one on the stub, one on the toy model, and one that compares
/// variants.
@Suite("Files of version 0.1")
struct VersionZeroOneTests {
  /// A time after the files were written.
  private static let later = 1_800_000_000.0

  private func lab() throws -> CommandLab {
    let lab = try CommandLab()
    let fixtures = Checkout.root.appendingPathComponent("Tests/Fixtures/version-0.1")
    for name in [
      "quiz/suite.yaml", "quiz/schema.json", "export.jsonl", "reports/results.sqlite",
      "reports/history.jsonl", "reports/baselines/quiz.jsonl",
    ] {
      try lab.write(try Data(contentsOf: fixtures.appendingPathComponent(name)), to: name)
    }
    return lab
  }

  private func run(_ lab: CommandLab, _ words: String...) async -> CommandLab.Ending {
    await lab.run(words + ["--reports", lab.reports], time: Self.later)
  }

  @Test("the suite of version 0.1 loads, runs and passes")
  func suite() async throws {
    let lab = try lab()
    let ending = await run(lab, "run", lab.path("quiz"), "-b", "stub", "--baseline", "none")
    #expect(ending.status == .passed, "\(ending.notes)")
    #expect(ending.notes.contains("1 suite, 7 attempts, 3 test cases"), "\(ending.notes)")
  }

  @Test("Assay reads the database of version 0.1, and adds a new run to it")
  func database() async throws {
    let lab = try lab()
    let history = await run(lab, "history")
    #expect(history.output.contains("zero-one") && history.output.contains("toy"))
    // The baseline was accepted after run 2, and version 0.1 kept no copy of what run 2 was
    // compared with.
    let report = await run(lab, "report", "2")
    #expect(report.status == .usage, "\(report.output)")
    #expect(
      report.output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
        "The baseline of quiz was accepted after this run"), "\(report.output)")
    let shown = await run(lab, "show", "quiz/owl", "--run", "2")
    #expect(shown.output.contains("default on local"), "\(shown.output) \(shown.notes)")
    #expect(await run(lab, "recover", "--check").status == .passed)
    let more = await run(lab, "run", lab.path("quiz"), "-b", "stub", "--baseline", "none")
    #expect(more.output.contains("run 4 in"), "\(more.output)")
  }

  @Test(
    "a baseline that was accepted before a run of version 0.1 is what the run was compared with")
  func earlierBaseline() async throws {
    let lab = try lab()
    // The baseline is of another database, where its run has the same number.
    let baseline = try lab.text("reports/baselines/quiz.jsonl")
    try lab.write(
      baseline.replacing("2026-11-22T10:3", with: "2026-11-21T10:3"),
      to: "reports/baselines/quiz.jsonl")
    let report = await run(lab, "report", "2")
    #expect(!report.output.contains("was accepted"), "\(report.output)")
    #expect(try lab.text("reports/2/summary.md").contains("quiz"))
  }

  @Test(
    "Assay can replay an attempt of the toy model from the database of version 0.1",
    arguments: ["owl", "mint"])
  func checkReplay(id: String) async throws {
    let lab = try lab()
    let replay = await run(
      lab, "show", "quiz/\(id)", "--run", "2", "--replay", "-m", Checkout.model)
    // Later versions may prompt or decode differently, so the answer may differ.
    #expect([.passed, .failed].contains(replay.status), "\(replay.notes)")
    #expect(replay.output.hasPrefix("replay of quiz/\(id)#0"), "\(replay.output)")
  }

  @Test("report --dashboard reads the history of version 0.1 without a warning")
  func history() async throws {
    let lab = try lab()
    let ending = await run(lab, "report", "--dashboard")
    #expect(ending.status == .passed, "\(ending.notes)")
    #expect(ending.notes.isEmpty, "\(ending.notes)")
    #expect(try lab.text("reports/index.html").contains("quiz"))
  }

  @Test("the export of version 0.1 can be imported, unless the database already has its run")
  func export() async throws {
    let lab = try lab()
    let ending = await run(lab, "import", lab.path("export.jsonl"))
    #expect(ending.output.contains("run 2, 3 attempts, was already there"), "\(ending.output)")
    try lab.remove("reports/results.sqlite")
    let fresh = await run(lab, "import", lab.path("export.jsonl"))
    #expect(fresh.output.contains("run 2, 3 attempts"), "\(fresh.output) \(fresh.notes)")
  }

  @Test("`assay run` uses the baseline of version 0.1, or says how to renew it")
  func baseline() async throws {
    let lab = try lab()
    #expect(await run(lab, "baseline", "list").output.contains("first night"))
    let ending = await run(
      lab, "run", lab.path("quiz"), "-m", Checkout.model, "-r", "1", "--format", "json")
    #expect(ending.output.contains("\"comparisons\" : ["), "\(ending.notes)")
    let isAdvised = ending.notes.contains(
      "`assay baseline renew quiz --reports \(lab.reports)`")
    #expect(isAdvised || !ending.output.contains("\"notComparable\""), "\(ending.notes)")
  }

  @Test("a baseline made under other defaults is comparable again after a renewal")
  func renewal() async throws {
    let lab = try lab()
    let path = "reports/baselines/quiz.jsonl"
    let text = try lab.text(path)
    // Pretend that the default temperature was different.
    let old = text.replacingOccurrences(of: "\"temperature\":0.7", with: "\"temperature\":0.9")
    #expect(old != text)
    try lab.write(old, to: path)
    let words = ["run", lab.path("quiz"), "-m", Checkout.model, "-r", "1"]
    let before = await lab.run(words + ["--reports", lab.reports], time: Self.later)
    let command = "`assay baseline renew quiz --reports \(lab.reports)`"
    #expect(before.notes.contains(command), "\(before.notes)")
    let renewal = await run(
      lab, "baseline", "renew", "quiz", "--suites", lab.path("quiz"), "-m", Checkout.model)
    #expect(renewal.status == .passed, "\(renewal.notes)")
    #expect(renewal.output.contains("quiz.jsonl: run 5, 3 attempts"), "\(renewal.output)")
    let listed = await run(lab, "baseline", "list")
    #expect(listed.output.contains("first night (renewed under the current defaults)"))
    let after = await lab.run(
      words + ["--format", "json", "--reports", lab.reports], time: Self.later + 60)
    #expect(!after.notes.contains("assay baseline renew"), "\(after.notes)")
    #expect(!after.output.contains("\"notComparable\""), "\(after.output)")
  }

  @Test("a renewal runs the stored request, so later comparisons still show an edit of a guide")
  func renewalOfEditedSuite() async throws {
    let lab = try lab()
    let schema = try lab.text("quiz/schema.json")
    try lab.write(
      schema.replacingOccurrences(of: "From three to eight cards", with: "Any cards"),
      to: "quiz/schema.json")
    let renewal = await run(
      lab, "baseline", "renew", "--suites", lab.path("quiz"), "-m", Checkout.model)
    #expect(renewal.status == .passed, "\(renewal.notes)")
    let text = try lab.text("reports/baselines/quiz.jsonl")
    #expect(text.contains("From three to eight cards") && !text.contains("Any cards"))
  }

  @Test("a renewal that fails says why, and leaves the baseline unchanged")
  func refusals() async throws {
    let lab = try lab()
    let before = try lab.data("reports/baselines/quiz.jsonl")
    let unknown = await run(lab, "baseline", "renew", "quizz", "--suites", lab.path("quiz"))
    #expect(unknown.status == .nothingSelected)
    #expect(unknown.errors.first?.contains("baselines of quiz") == true, "\(unknown.notes)")
    try lab.write(
      try lab.text("quiz/suite.yaml").replacingOccurrences(of: "id: owl", with: "id: bird"),
      to: "quiz/suite.yaml")
    let gone = await run(lab, "baseline", "renew", "--suites", lab.path("quiz"))
    #expect(gone.status == .usage)
    #expect(gone.errors.first?.contains("lost test cases of the baseline: owl; run the") == true)
    #expect(try lab.data("reports/baselines/quiz.jsonl") == before)
  }
}
