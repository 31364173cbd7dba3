import Foundation
import Testing

@testable import AssayCommandLine
@testable import EvalSessions

@Suite("The sides of a comparison")
struct ComparedSideTests {
  /// Creates three runs: run 1 on `main` without failures, run 2 on `feature/guide` with empty
  /// answers, and run 3 with two variants.
  private func lab() async throws -> CommandLab {
    let lab = try CommandLab()
    func run(_ suite: QuizSuite, on branch: String, _ words: String...) async throws {
      try suite.write(to: lab)
      try lab.write("ref: refs/heads/\(branch)\n", to: ".git/HEAD")
      let ending = await lab.run(
        ["run", lab.path("quiz"), "-b", "stub", "--reports", lab.reports] + words)
      try #require(ending.status == .passed, "\(ending.notes)")
    }
    try await run(QuizSuite(), on: "main")
    try await run(
      QuizSuite(guide: "The cards.", stub: QuizSuite.sometimesEmpty), on: "feature/guide")
    try await run(QuizSuite(), on: "feature/both", "--variant", "default", "--variant", "same")
    return lab
  }

  /// Runs `assay compare`, and returns the exit status, the output and the errors.
  private func compare(
    _ lab: CommandLab, _ words: String...
  ) async -> (status: AssayCommandLine.ExitStatus, output: String, errors: [String]) {
    let ending = await lab.run(["compare"] + words + ["--reports", lab.reports])
    return (ending.status, ending.output, ending.errors)
  }

  @Test("`assay compare` accepts runs, branches, variants, baselines, exports and databases")
  func kinds() async throws {
    let lab = try await lab()
    #expect(await lab.assay("baseline", "accept", "1", "--reason", "clean").status == .passed)
    let one = lab.path("one.jsonl")
    let all = lab.path("all.jsonl")
    #expect(await lab.assay("export", "1", "--out", one).status == .passed)
    #expect(await lab.assay("export", "--out", all).status == .passed)
    let baseline = lab.path("reports/baselines/quiz.jsonl")
    let rows: [(base: String, candidate: String, titles: [String], isWorse: Bool)] = [
      ("1", "2", ["quiz:default in run 1", "quiz:default in run 2"], true),
      ("main", "feature/guide", ["run 1 of branch main", "run 2 of branch feature/guide"], true),
      ("branch:main", "2", ["run 1 of branch main", "quiz:default in run 2"], true),
      ("2", "quiz:same", ["quiz:default in run 2", "quiz:same in run 3"], false),
      ("quiz:same", "feature/guide", ["quiz:same in run 3", "run 2 of branch"], true),
      (baseline, "2", ["run 1 of \(baseline)", "quiz:default in run 2"], true),
      (one, "\(all):2", ["run 1 of \(one)", "run 2 of \(all)"], true),
      ("\(lab.database):1", "main", ["run 1 of \(lab.database)", "branch main"], false),
      (lab.database, "2", ["run 3 of \(lab.database)", "in run 2"], true),
    ]
    for row in rows {
      let (status, output, errors) = await compare(lab, row.base, row.candidate)
      #expect(errors == [], "\(row)")
      #expect(status == (row.isWorse ? .failed : .passed), "\(row): \(output)")
      for title in row.titles { #expect(output.contains(title), "\(row): \(output)") }
      #expect(output.contains("Regressed") == row.isWorse)
    }
    let stored = await compare(lab, "quiz:default", "quiz:same", "--stored")
    #expect(stored.status == .passed, "\(stored)")
    #expect(stored.output.contains("quiz:default in run 3"))
    let withoutDatabase = await lab.run([
      "compare", one, "\(all):2", "--reports", lab.path("elsewhere"),
    ])
    #expect(withoutDatabase.status == .failed, "\(withoutDatabase.notes)")
    #expect(withoutDatabase.output.contains("run 2 in \(all)"), "\(withoutDatabase.output)")
    #expect(lab.has("elsewhere/one-all-2/report.html"))
  }

  @Test("`assay compare` rejects an unknown, ambiguous or unreadable side, and says why")
  func unknown() async throws {
    let lab = try await lab()
    try lab.write("no baseline", to: "note.txt")
    try lab.write(Data([0x66, 0xFF, 0xFE]), to: "bytes.jsonl")
    try lab.write(#"{"assay":"results","version":1}"#, to: "empty.jsonl")
    try lab.write(
      #"{"assay":"results","version":1}"# + "\n" + #"{"run":{"id":7}}"#, to: "broken.jsonl")
    let all = lab.path("all.jsonl")
    #expect(await lab.assay("export", "--out", all).status == .passed)
    let allowed = SideName.allowed
    let rows: [(name: String, words: [String])] = [
      ("mian", ["no run, file or branch `mian`; did you mean `main`?", allowed]),
      ("branch:mian", ["did you mean `branch:main`?"]),
      ("quiz:sane", ["did you mean `quiz:same`?", "`quiz:default`"]),
      ("nothing.jsonl", ["`nothing.jsonl`", allowed]),
      ("quiz:silent", ["no run, file or branch `quiz:silent`"]),
      ("9", ["there is no run 9"]),
      (lab.path("note.txt"), ["note.txt:1:1: neither a baseline nor an export", "expected"]),
      (lab.path("bytes.jsonl"), ["bytes.jsonl:1:1: the file is not UTF-8"]),
      (lab.path("empty.jsonl"), ["the file contains no run"]),
      (lab.path("broken.jsonl"), ["broken.jsonl:2:1: run: "]),
      (all, ["has the runs 1, 2, 3; name one: \(all):3"]),
      ("\(all):8", ["there is no run 8; it has 1, 2, 3"]),
      (lab.path("quiz"), ["is a folder", allowed]),
    ]
    for (name, words) in rows {
      let (status, output, errors) = await compare(lab, "1", name)
      #expect(status == .usage, "\(name): \(errors)")
      #expect(output == "")
      #expect(errors.count == 1)
      for word in words {
        #expect(errors.first?.contains(word) == true, "\(name): \(errors)")
      }
    }
    let folders = try FileManager.default.contentsOfDirectory(atPath: lab.reports)
    #expect(!folders.contains { $0.contains("-") && !$0.hasPrefix("results.sqlite") })
    let none = await lab.run(["compare", "a.jsonl", "main", "--reports", lab.path("elsewhere")])
    #expect(none.status == .usage)
    #expect(none.errors.first?.contains("no file `a.jsonl`, and no database") == true)
  }
}
