import EvalRecords
import Foundation
import ResultStore
import Testing

@testable import AssayCommandLine

@Suite("A merged run is compared like a run on one machine")
struct MergedReferenceTests {
  private static let good = QuizSuite(passRate: 0.2)
  private static let bad = QuizSuite(
    guide: "The cards.", passRate: 0.2, stub: QuizSuite.sometimesEmpty)

  private func write(_ suite: QuizSuite, _ id: String, to lab: CommandLab) throws {
    try suite.write(to: lab, folder: "evals/\(id)")
    try lab.write(
      suite.text.replacing("suite: quiz", with: "suite: \(id)"), to: "evals/\(id)/suite.yaml")
  }

  /// Returns a lab with the accepted suites `one` and `two`.
  private func accepted() async throws -> CommandLab {
    let lab = try CommandLab()
    for id in ["one", "two"] { try write(Self.good, id, to: lab) }
    #expect(await lab.assay("run", lab.path("evals"), "-b", "stub").status == .passed)
    #expect(await lab.assay("baseline", "accept").status == .passed)
    return lab
  }

  /// Runs two shards, and returns their databases.
  private func shards(
    _ lab: CommandLab, _ words: [String] = [], place: String = "evals",
    baseline: [String] = ["--baseline", "none"]
  ) async -> [String] {
    var databases: [String] = []
    for shard in 1...2 {
      let folder = lab.path("shard\(shard)")
      _ = await lab.run(
        [
          "run", lab.path(place), "-b", "stub", "--shard", "\(shard)/2", "--reports", folder,
        ] + baseline + words)
      databases.append("\(folder)/results.sqlite")
    }
    return databases
  }

  private func merge(
    _ lab: CommandLab, _ databases: [String], _ words: String...
  ) async -> CommandLab.Ending {
    await lab.run(["merge"] + databases + ["--reports", lab.reports] + words)
  }

  @Test("a suite that was renamed or deleted ends with status 4, unless the run left it out")
  func vanishedSuites() async throws {
    let rows: [(isRenamed: Bool, words: [String], status: AssayCommandLine.ExitStatus)] = [
      (true, [], .usage), (false, [], .usage), (false, ["--case", "one/*"], .passed),
    ]
    for row in rows {
      let lab = try await accepted()
      try lab.remove("evals/two")
      if row.isRenamed { try write(Self.good, "three", to: lab) }
      let databases = await shards(lab, row.words)
      for _ in 1...2 {
        let ending = await merge(lab, databases)
        #expect(ending.status == row.status, "\(row): \(ending.output) \(ending.notes)")
      }
      #expect(await lab.assay("report").status == row.status, "\(row)")
      let allowed = await merge(lab, databases, "--allow-not-comparable")
      #expect(allowed.status == .passed, "\(row): \(allowed.output)")
      let none = await merge(lab, databases, "--baseline", "none")
      #expect(none.status == .passed, "\(row): \(none.output)")
    }
    // The controls: nothing is missing, and a run that names only one suite.
    for place in ["evals", "evals/one"] {
      let lab = try await accepted()
      let databases = await shards(lab, place: place)
      let ending = await merge(lab, databases)
      #expect(ending.status == .passed, "\(place): \(ending.output) \(ending.notes)")
    }
  }

  @Test("shards that were compared with different references are refused each time")
  func differentReferences() async throws {
    let lab = try await accepted()
    let first = try lab.text("reports/baselines/one.jsonl")
    #expect(await lab.assay("baseline", "accept", "--reason", "again").status == .passed)
    let second = try lab.text("reports/baselines/one.jsonl")
    try #require(first != second)
    try lab.write(first, to: "shard1/baselines/one.jsonl")
    try lab.write(second, to: "shard2/baselines/one.jsonl")
    try write(Self.bad, "one", to: lab)
    try lab.remove("evals/two")
    try lab.remove("reports/baselines/two.jsonl")
    let databases = await shards(lab, baseline: [])
    let apart = lab.path("apart")
    for _ in 1...2 {
      let ending = await lab.run(["merge"] + databases + ["--reports", apart])
      #expect(ending.status == .usage, "\(ending.output) \(ending.notes)")
      #expect(ending.notes.contains("different references of one"), "\(ending.notes)")
    }
    #expect(await lab.run(["report", "--reports", apart]).status != .passed)
    // With a baseline file, the same merge chooses it.
    try lab.write(first, to: "apart/baselines/one.jsonl")
    let ending = await lab.run(["merge"] + databases + ["--reports", apart])
    #expect(ending.status == .failed, "\(ending.output) \(ending.notes)")
  }

  @Test("a repeated merge with another --baseline replaces what the run was compared with")
  func otherBaseline() async throws {
    for before in [["--baseline", "none"], [], ["--baseline", "auto"]] {
      let lab = try await accepted()
      for id in ["one", "two"] { try write(Self.bad, id, to: lab) }
      let databases = await shards(lab)
      let apart = lab.path("apart")
      let merge = ["merge"] + databases + ["--reports", apart]
      let first = await lab.run(merge + before)
      #expect(first.status == .passed, "\(first.output) \(first.notes)")
      for id in ["one", "two"] {
        try lab.write(
          try lab.text("reports/baselines/\(id).jsonl"), to: "apart/baselines/\(id).jsonl")
      }
      for words in [["--baseline", "auto"], []] {
        let ending = await lab.run(merge + words)
        #expect(ending.status == .failed, "\(words): \(ending.output) \(ending.notes)")
        #expect(ending.notes.contains("run 1 already consists of these shards"))
        #expect(await lab.run(["report", "--reports", apart]).status == .failed)
      }
    }
  }
}
