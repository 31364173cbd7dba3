import StructuredText
import Testing

@testable import AssayCommandLine

@Suite("Earlier runs pooled with a baseline")
struct PooledBaselineTests {
  /// Runs the quiz with two fresh attempts for each test case.
  private func night(
    _ lab: CommandLab, _ suite: QuizSuite, seed: Int
  ) async throws -> CommandLab.Ending {
    try suite.write(to: lab)
    return await lab.run([
      "run", lab.path("quiz"), "-b", "stub", "--fresh", "2", "--fresh-seed", "\(seed)",
      "--format", "json", "--reports", lab.reports,
    ])
  }

  private func pooled(_ ending: CommandLab.Ending) throws -> JSONValue? {
    let comparisons = try JSONValue(parsing: ending.output)["comparisons"]?.array
    return comparisons?.first?["effects"]?.array?.first {
      $0["reference"]?.string == "pooledHistory"
    }
  }

  @Test(
    "comparisons pool runs with equal guides and assertions; `assay power` uses only the baseline")
  func nights() async throws {
    let lab = try CommandLab()
    let clean = QuizSuite(repeats: 1, stub: QuizSuite.varyingAnswer)
    #expect(try await night(lab, clean, seed: 1).status == .passed)
    #expect(await lab.assay("baseline", "accept", "1", "--reason", "clean").status == .passed)
    for seed in 2...6 { #expect(try await night(lab, clean, seed: seed).status == .passed) }
    // Neither a run with another guide nor a run with another assertion is pooled.
    var other = clean
    other.guide = "Other words."
    #expect(try await night(lab, other, seed: 7).status == .passed)
    try clean.write(to: lab)
    try lab.write(
      clean.text.replacing("max: 8", with: "max: 9"), to: "quiz/suite.yaml")
    let run = ["run", lab.path("quiz"), "-b", "stub", "--reports", lab.reports]
    #expect(await lab.run(run).status == .passed, "the baseline is judged by the new assertion")

    let edited = try await night(
      lab, QuizSuite(guide: "The cards.", repeats: 1, stub: QuizSuite.sometimesEmpty), seed: 8)
    #expect(edited.status == .failed)
    let effect = try #require(try pooled(edited))
    // All six runs repeat the same eight attempts with fixed seeds, so these count once. Each run
    // adds sixteen fresh attempts.
    #expect(effect["baseline"]?["count"]?.int == 8 + 6 * 16)
    #expect(effect["candidate"]?["count"]?.int == 24)
    #expect(effect["verdict"]?.string == "regressed")
    let history = try #require(effect["notes"]?.array?.compactMap { $0["history"] }.first)
    #expect(
      history["summary"]
        == [
          "attempts": 104, "duplicates": 40,
          "omissions": [
            ["otherRequest": ["runs": [7]]], ["otherJudgement": ["runs": [8]]],
          ], "runs": 6, "runsBeforeChange": 0,
        ], "\(history.compactText)")
    let again = await lab.assay("report", "9", "--format", "json")
    #expect(try pooled(again) == effect, "a report written later has the same result")
    let compared = await lab.assay("compare", "1", "9", "--format", "json")
    #expect(try pooled(compared)?["baseline"]?["count"]?.int == 104)

    try clean.write(to: lab)
    let power = ["power", lab.path("quiz"), "--trials", "2"]
    let plan = await lab.run(power + ["-b", "stub", "--reports", lab.reports])
    #expect(plan.status == .passed, "\(plan.notes)")
    #expect(
      plan.output.contains(
        "counts compared with the accepted baseline, in which 24 of 24 attempts passed"),
      "power uses only the attempts of the baseline: \(plan.output)")
    let elsewhere = await lab.run(power + ["--reports", lab.path("none")])
    #expect(elsewhere.output.contains("there is none yet"))
    #expect(!lab.has("none"))
  }

  /// Accepts a clean first night, and makes clean nights and then a bad one.
  private func worsened() async throws -> (lab: CommandLab, bad: CommandLab.Ending) {
    let lab = try CommandLab()
    let clean = QuizSuite(repeats: 1, stub: QuizSuite.varyingAnswer)
    #expect(try await night(lab, clean, seed: 1).status == .passed)
    #expect(await lab.assay("baseline", "accept", "1", "--reason", "clean").status == .passed)
    for seed in 2...5 { #expect(try await night(lab, clean, seed: seed).status == .passed) }
    return (lab, try await badNight(lab, seed: 6))
  }

  private func badNight(_ lab: CommandLab, seed: Int) async throws -> CommandLab.Ending {
    try await night(lab, QuizSuite(repeats: 1, stub: QuizSuite.sometimesEmpty), seed: seed)
  }

  @Test("a history begins with the reference, so accepted worse results are not worse any more")
  func acceptance() async throws {
    let (lab, bad) = try await worsened()
    #expect(bad.status == .failed)
    #expect(try pooled(bad)?["baseline"]?["count"]?.int == 8 + 5 * 16)
    let accepted = await lab.assay("baseline", "accept", "6", "--reason", "x", "--allow", "known")
    #expect(accepted.status == .passed, "\(accepted.notes)")
    let same = await lab.assay("compare", "6", "6")
    #expect(same.status == .passed, "\(same.output)")
    let next = try await badNight(lab, seed: 7)
    #expect(next.status == .passed, "\(next.output)")
    #expect(try pooled(next) == nil, "the reference is the only run of its history")
    let third = try await badNight(lab, seed: 8)
    #expect(try pooled(third)?["baseline"]?["count"]?.int == 8 + 2 * 16)
  }

  @Test("reports show the same comparison after the earlier runs were deleted or left behind")
  func lostRuns() async throws {
    let (lab, bad) = try await worsened()
    let effect = try #require(try pooled(bad))
    let archive = lab.path("night.jsonl")
    #expect(await lab.assay("export", "6", "--out", archive).status == .passed)
    #expect(await lab.assay("history", "prune", "--keep", "1").status == .passed)
    let kept = await lab.assay("report", "6", "--format", "json")
    #expect(kept.status == .failed)
    #expect(try pooled(kept) == effect)
    #expect(await lab.assay("baseline", "accept", "6", "--reason", "x").status == .usage)
    let database = ["--database", lab.path("other.sqlite")]
    #expect(await lab.run(["import", archive] + database).status == .passed)
    let moved = await lab.run(
      ["report", "--format", "json", "--reports", lab.path("o")] + database)
    #expect(moved.status == .failed)
    #expect(try pooled(moved) == effect)
  }

  @Test("nights of fixed answers add nothing to the baseline, however many there are")
  func copies() async throws {
    let lab = try CommandLab()
    let fixed = QuizSuite(repeats: 1)
    #expect(try await night(lab, fixed, seed: 1).status == .passed)
    #expect(await lab.assay("baseline", "accept", "1", "--reason", "clean").status == .passed)
    for seed in 2...6 { #expect(try await night(lab, fixed, seed: seed).status == .passed) }
    let other = try await night(
      lab, QuizSuite(guide: "Other words.", repeats: 1), seed: 7)
    #expect(other.status == .passed)
    #expect(try pooled(other) == nil)
    let rate = try JSONValue(parsing: other.output)["comparisons"]?.array?.first?["effects"]?
      .array?.first { $0["quantity"]?["kind"]?.string == "passRate" }
    #expect(rate?["candidate"]?["count"]?.int == 8, "\(other.output)")
  }
}
