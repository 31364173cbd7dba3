import EvalRecords
import Foundation
import ResultStore
import Testing

@testable import AssayCommandLine

@Suite("Results that don't belong to a command never look like its own")
struct StaleReportTests {
  private static let good = QuizSuite(passRate: 0.2)
  private static let bad = QuizSuite(
    guide: "The cards.", passRate: 0.2, stub: QuizSuite.sometimesEmpty)

  private func run(_ lab: CommandLab, _ words: String...) async -> CommandLab.Ending {
    await lab.run(["run", lab.path("quiz"), "-b", "stub", "--reports", lab.reports] + words)
  }

  @Test("after a command that failed before it had results, the latest JUnit file is red")
  func staleReports() async throws {
    let lab = try CommandLab()
    try Self.good.write(to: lab)
    let calls: [([String], AssayCommandLine.ExitStatus)] = [
      (["run", lab.path("nowhere")], .usage), (["run", lab.path("quiz"), "--no-such"], .usage),
      (["run", lab.path("quiz"), "-b", "stub", "--tag", "none"], .nothingSelected),
      (["merge", lab.path("nowhere.sqlite")], .cannotRun),
    ]
    for (words, status) in calls {
      #expect(await run(lab).status == .passed)
      let ending = await lab.run(words + ["--reports", lab.reports])
      #expect(ending.status == status, "\(words): \(ending.notes)")
      let junit = try JUnitFile(lab.data("reports/latest/junit.xml"))
      #expect(junit.errors == ["[\(words[0])]"], "\(words)")
      #expect(!lab.has("reports/latest/report.html") && !lab.has("reports/latest/summary.md"))
      #expect(lab.has("reports/1/junit.xml"), "the run's own reports stay")
      // An older run isn't the latest one either, unless somebody names it.
      let report = await lab.assay("report")
      #expect(report.status == .usage && report.notes.contains("name it: assay report "))
      #expect(await lab.assay("report", "1").status == .passed)
      #expect(await lab.assay("report").status == .passed)
    }
    // The controls: other commands leave the reports alone, and nothing appears out of nowhere.
    #expect(await run(lab).status == .passed)
    #expect(await lab.assay("report", "99").status != .passed)
    #expect(await lab.assay("show", "--no-such").status == .usage)
    #expect(lab.has("reports/latest/report.html"))
    let empty = try CommandLab()
    _ = await empty.run(["run", empty.path("nowhere"), "--reports", empty.reports])
    #expect(!empty.has("reports/latest"))
  }

  @Test("while a run is in progress, the latest JUnit file is red, and no older report is there")
  func unfinished() async throws {
    let lab = try CommandLab()
    try Self.good.write(to: lab)
    #expect(await run(lab).status == .passed)
    try lab.write("old", to: "reports/2/report.html")
    let script =
      "/bin/cat \(lab.reports)/latest/junit.xml > \(lab.path("seen")); "
      + "/bin/ls \(lab.reports)/latest \(lab.reports)/2 > \(lab.path("list"))"
    let text = try lab.text("quiz/suite.yaml").replacing(
      "assertions:",
      with: """
        assertions:
          - command: { run: [/bin/sh, -c, "\(script)"], path: $ }
        """)
    try lab.write(text, to: "quiz/suite.yaml")
    // The assertion is only a way to look at the folder during the run; its verdict doesn't matter.
    let ending = await run(lab, "-r", "1", "--allow-commands")
    #expect(lab.has("seen"), "\(ending.output) \(ending.notes)")
    #expect(try JUnitFile(lab.data("seen")).errors == ["[run 2]"])
    #expect(try !lab.text("list").contains("report.html"))
    #expect(try JUnitFile(lab.data("reports/latest/junit.xml")).errors.isEmpty)
    #expect(lab.has("reports/2/report.html") && lab.has("reports/latest/report.html"))
  }

  @Test(
    "merged shards keep the references of the shards if there is no baseline file",
    arguments: [false, true])
  func shards(isSpoiled: Bool) async throws {
    let lab = try CommandLab()
    try Self.good.write(to: lab)
    #expect(await run(lab).status == .passed)
    #expect(await lab.assay("baseline", "accept").status == .passed)
    let baseline = try lab.text("reports/baselines/quiz.jsonl")
    if isSpoiled { try Self.bad.write(to: lab) }
    var databases: [String] = []
    for shard in 1...2 {
      let folder = lab.path("shard\(shard)")
      try lab.write(baseline, to: "shard\(shard)/baselines/quiz.jsonl")
      _ = await lab.run([
        "run", lab.path("quiz"), "-b", "stub", "--shard", "\(shard)/2", "--reports", folder,
      ])
      databases.append("\(folder)/results.sqlite")
    }
    let merged = await lab.run(["merge"] + databases + ["--reports", lab.path("apart")])
    #expect(merged.status == (isSpoiled ? .failed : .passed), "\(merged.output) \(merged.notes)")
    #expect(merged.output.contains(isSpoiled ? "✗ Regressed." : "No change"), "\(merged.output)")
    let none = await lab.run(
      ["merge"] + databases + ["--reports", lab.path("none"), "--baseline", "none"])
    #expect(none.status == .passed, "\(none.output)")
  }

  @Test("a file in the folder of baselines that names no model is left out with a warning")
  func strayBaseline() async throws {
    let lab = try CommandLab()
    try Self.good.write(to: lab)
    #expect(await run(lab).status == .passed)
    #expect(await lab.assay("baseline", "accept").status == .passed)
    try lab.write("not a baseline\n", to: "reports/baselines/quiz@.jsonl")
    let ending = await run(lab)
    #expect(ending.status == .passed, "\(ending.notes)")
    #expect(ending.notes.contains("quiz@.jsonl: not the name of a baseline"), "\(ending.notes)")
    #expect(await lab.assay("baseline", "list").status == .passed)
    // The control: a damaged baseline with a proper name stops the run.
    try lab.write("not a baseline\n", to: "reports/baselines/quiz.jsonl")
    #expect(await run(lab).status == .usage)
  }

  @Test("the same log can be imported twice in one second, and is judged anew each time")
  func importedTwice() async throws {
    let lab = try CommandLab()
    try Self.good.write(to: lab)
    func log(_ pairs: String) throws {
      try lab.write(
        (1...8).map {
          #"{"input":"A short text, the one with number \#($0).","#
            + #""output":"{\"pairs\":[\#(pairs)]}"}"#
        }.joined(separator: "\n"), to: "log.jsonl")
    }
    func load() async -> CommandLab.Ending {
      await lab.assay("import", lab.path("log.jsonl"), "--suites", lab.path("quiz"))
    }
    let pair = #"{\"question\":\"q\",\"answer\":\"a\"}"#
    try log([pair, pair, pair].joined(separator: ","))
    #expect(await load().status == .passed)
    #expect(await lab.assay("baseline", "accept").status == .passed)
    let again = await load()
    #expect(again.output.contains("against quiz"), "\(again.output) \(again.notes)")
    #expect(again.output.contains("run 2 in"), "\(again.output)")
  }

  @Test("a damaged baseline names the place of the mistake as people write it")
  func place() async throws {
    let lab = try CommandLab()
    try Self.good.write(to: lab)
    #expect(await run(lab).status == .passed)
    #expect(await lab.assay("baseline", "accept").status == .passed)
    let text = try lab.text("reports/baselines/quiz.jsonl")
      .replacingOccurrences(of: "\"version\":2", with: "\"version\":1")
      .replacingOccurrences(of: "\"gate\":{", with: "\"gates\":{")
    try lab.write(text, to: "reports/baselines/quiz.jsonl")
    let ending = await run(lab)
    #expect(ending.status == .usage)
    #expect(ending.notes.contains("run.suites[0] lacks gate"), "\(ending.notes)")
  }
}
