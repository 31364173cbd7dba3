import EvalRecords
import Foundation
import TestSupport
import Testing

@testable import AssayCommandLine
@testable import ResultStore

@Suite("Shards of an engine that may kill them")
struct PreemptedShardTests {
  private static func suite(_ lab: CommandLab, latency: Int) throws {
    try QuizSuite(repeats: 60, stub: QuizSuite.fullAnswer + "\n  latency: \(latency)").write(
      to: lab)
  }

  private static func attempts(_ database: String) throws -> [AttemptRecord] {
    try ResultStore(path: database, access: .reading).attempts(run: 1)
  }

  @Test("a shard that was killed is resumed from a copy of its database, and merges exactly")
  func killed() async throws {
    let lab = try CommandLab()
    try Self.suite(lab, latency: 250)
    let words = ["run", "quiz", "-b", "stub", "--shard", "auto", "--baseline", "none"]
    func environment(_ index: Int) -> [String: String] {
      ["CI_NODE_INDEX": "\(index)", "CI_NODE_TOTAL": "2"]
    }
    let started = try RunningProgram(
      words + ["-j", "1", "--reports", "node"], in: lab.folder, environment: environment(1))
    await waitUntil { (try? Self.attempts(lab.path("node/results.sqlite")).count) ?? 0 >= 5 }
    kill(started.process.processIdentifier, SIGKILL)
    #expect(await started.status() == SIGKILL)
    let before = try Self.attempts(lab.path("node/results.sqlite"))
    #expect(before.count >= 5)

    // Another machine gets a copy of the database, with its log.
    for name in ["results.sqlite", "results.sqlite-wal"] where lab.has("node/\(name)") {
      try lab.write(lab.data("node/\(name)"), to: "shard-1/\(name)")
    }
    try lab.remove("node")
    for (index, more) in [(1, ["--resume", "1"]), (2, [])] {
      let ended = try RunningProgram(
        words + more + ["-j", "16", "--reports", "shard-\(index)"], in: lab.folder,
        environment: environment(index))
      #expect(await ended.status() == 0)
    }
    let resumed = try Self.attempts(lab.path("shard-1/results.sqlite"))
    #expect(Array(resumed.prefix(before.count)) == before)

    let merged = await lab.run([
      "merge", lab.path("shard-1/results.sqlite"), lab.path("shard-2/results.sqlite"),
      "--reports", lab.path("merged"),
    ])
    #expect(merged.status == .passed, "\(merged.notes)")
    let whole = await lab.run([
      "run", lab.path("quiz"), "-b", "stub", "-j", "16", "--reports", lab.path("whole"),
    ])
    #expect(whole.status == .passed, "\(whole.notes)")
    let (some, all) = (
      try Self.attempts(lab.path("merged/results.sqlite")),
      try Self.attempts(lab.path("whole/results.sqlite"))
    )
    #expect(all.count == 480 && some.count == 480)
    func facts(_ attempts: [AttemptRecord]) -> Set<String> {
      Set(attempts.map { "\($0.key) \($0.outcome) \($0.output)" })
    }
    #expect(facts(some) == facts(all))
  }

  @Test("`--shard auto` without an engine's variables is refused, and names the variables to set")
  func noEngine() async throws {
    let lab = try CommandLab()
    try Self.suite(lab, latency: 0)
    let words = [
      "run", lab.path("quiz"), "-b", "stub", "--shard", "auto", "--reports", lab.reports,
    ]
    let none = await lab.run(words)
    #expect(none.status == .usage)
    #expect(
      none.errors.first?.hasPrefix("--shard auto: no environment variable gives the number") == true
    )
    let one = await lab.run(
      words, environment: ["JOB_COMPLETION_INDEX": "1", "ASSAY_SHARD_TOTAL": "2"])
    #expect(one.status == .passed, "\(one.notes)")
    let two = await lab.run(
      ["run", lab.path("quiz"), "-b", "stub", "--shard", "2/2", "--reports", lab.path("two")])
    #expect(two.status == .passed)
    #expect(
      Set(try Self.attempts(lab.database).map(\.key))
        == Set(try Self.attempts(lab.path("two/results.sqlite")).map(\.key)))
  }
}
