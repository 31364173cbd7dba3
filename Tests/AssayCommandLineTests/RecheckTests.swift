import EvalRecords
import Foundation
import ResultStore
import Testing

@testable import AssayCommandLine

@Suite("assay recheck judges stored answers by the suites as they are now")
struct RecheckTests {
  private static let strict = "{ name: is ok, equals: { path: $.x, value: better } }"

  /// Creates a lab whose accepted baseline passes, and whose run 2 fails in 8 of 20 test cases.
  private func worse() async throws -> CommandLab {
    let lab = try await JudgedSuite().accepted()
    var suite = JudgedSuite()
    suite.answers = JudgedSuite.worse
    try suite.write(to: lab)
    #expect(await JudgedSuite.run(lab).status == .failed)
    return lab
  }

  /// Judges a run anew; `minute` sets the time, because the same recheck at the same time adds
  /// nothing.
  private func recheck(
    _ lab: CommandLab, _ words: String..., minute: Int = 1
  ) async -> CommandLab.Ending {
    await lab.run(
      ["recheck"] + words + ["--reports", lab.reports],
      time: CommandLab.time + Double(60 * minute))
  }

  @Test("an unchanged suite changes no verdict and gives the run's conclusion")
  func unchanged() async throws {
    let lab = try await worse()
    let ending = await recheck(lab, "2", lab.path("judged"))
    #expect(ending.status == .failed, "\(ending.notes)\(ending.output)")
    #expect(ending.line.contains("run 3: 20 attempts of run 2, judged anew: 0 verdicts changed"))
    #expect(ending.line.contains("✗ Regressed."), "\(ending.output)")
    let store = try ResultStore(path: lab.database)
    let (old, new) = (try store.attempts(run: 2), try store.attempts(run: 3))
    #expect(old == new)
    let run = try store.run(3)
    #expect(run.details.recheckOf == RunOrigin(run: 2, startedAt: try store.run(2).startedAt))
    #expect(run.suites == (try store.run(2).suites))
  }

  @Test("an edited assertion judges the run and its baseline anew, and the changes are listed")
  func edited() async throws {
    let lab = try await worse()
    var suite = JudgedSuite()
    suite.answers = JudgedSuite.worse
    suite.assertions[1] = Self.strict
    suite.rules = "gate: { passRate: 0 }"
    try suite.write(to: lab)
    let ending = await recheck(lab, "2", lab.path("judged"))
    #expect(ending.line.contains("12 verdicts changed, and the outcome of 12 attempts"))
    #expect(ending.output.contains("  judged/c8#0  is ok: pass → fail\n"), "\(ending.output)")
    #expect(ending.line.contains("were judged anew"), "\(ending.output)")
    #expect(!ending.line.contains("Regressed"), "\(ending.output)")
    // All 20 answers of the baseline fail too.
    let store = try ResultStore(path: lab.database)
    #expect(try store.attempts(run: 3).allSatisfy { $0.outcome == .fail })
    #expect(try store.attempts(run: 2).count { $0.outcome == .pass } == 12)
    let again = await lab.assay("report", "3")
    #expect(again.status == ending.status)
  }

  @Test("a renamed assertion changes no verdict")
  func renamed() async throws {
    let lab = try await worse()
    var suite = JudgedSuite()
    suite.assertions[1] = "{ name: fine, equals: { path: $.x, value: ok } }"
    try suite.write(to: lab)
    let ending = await recheck(lab, "2", lab.path("judged"))
    #expect(ending.line.contains("0 verdicts changed, and the outcome of 0 attempts"))
    #expect(ending.status == .failed && ending.line.contains("✗ Regressed."), "\(ending.output)")
  }

  @Test("a renamed test case with its old id in `aliases` is judged like any other")
  func renamedCase() async throws {
    for (own, status) in [
      (", aliases: [c0]", AssayCommandLine.ExitStatus.failed), ("", .interrupted),
    ] {
      let lab = try await worse()
      var suite = JudgedSuite()
      suite.answers = JudgedSuite.worse
      try suite.write(to: lab)
      try lab.write(
        suite.text.replacing("{ id: c0,", with: "{ id: first\(own),"), to: "judged/suite.yaml")
      let ending = await recheck(lab, "2", lab.path("judged"))
      #expect(ending.status == status, "\(ending.notes)\(ending.output)")
      let ids = try ResultStore(path: lab.database).attempts(run: 3).map(\.key.caseID)
      #expect(ids.contains("first") == !own.isEmpty)
      #expect(ids.count == (own.isEmpty ? 19 : 20) && !ids.contains("c0"))
    }
  }

  @Test("a suite that no longer exists ends with status 2; one that was not named doesn't")
  func goneSuite() async throws {
    let lab = try CommandLab()
    for id in ["one", "two"] {
      let suite = JudgedSuite()
      try suite.write(to: lab)
      try lab.write(
        suite.text.replacing("suite: judged", with: "suite: \(id)"), to: "evals/\(id)/suite.yaml")
      try lab.write(try lab.text("judged/schema.json"), to: "evals/\(id)/schema.json")
    }
    let run = await lab.assay("run", lab.path("evals"), "-b", "stub")
    #expect(run.status == .passed, "\(run.notes)")
    let one = await recheck(lab, "1", lab.path("evals/one"))
    #expect(one.status == .passed, "\(one.notes)")
    #expect(one.notes.contains("two: the suite was not named"), "\(one.notes)")
    try lab.remove("evals/two")
    let all = await recheck(lab, "1", lab.path("evals"), minute: 2)
    #expect(all.status == .interrupted, "\(all.notes)")
    #expect(all.notes.contains("two: the suite no longer exists"), "\(all.notes)")
  }

  @Test("more than 20 changed verdicts are cut with a count")
  func many() async throws {
    let lab = try CommandLab()
    var suite = JudgedSuite()
    suite.rules = "repeats: 2\ngate: { passRate: 0 }"
    try suite.write(to: lab)
    #expect(await JudgedSuite.run(lab).status == .passed)
    suite.assertions[1] = Self.strict
    try suite.write(to: lab)
    let ending = await recheck(lab, "1", lab.path("judged"))
    #expect(ending.output.contains("\n  and 20 more\n"), "\(ending.output)")
    let json = await recheck(lab, "1", lab.path("judged"), "--format", "json")
    #expect(json.output.hasPrefix("{"), "\(json.output)")
  }

  @Test("a recheck adds no evidence: not to a history, not to a pooled baseline")
  func noEvidence() async throws {
    let lab = try await worse()
    let before = try lab.text("reports/history.jsonl")
    let first = await recheck(lab, "2", lab.path("judged"))
    for minute in 2...4 { _ = await recheck(lab, "1", lab.path("judged"), minute: minute) }
    #expect(await recheck(lab, "1", lab.path("judged"), minute: 4).line.contains("run 6:"))
    #expect(try lab.text("reports/history.jsonl") == before)
    _ = await lab.assay("report", "--dashboard")
    #expect(try lab.text("reports/history.jsonl") == before)
    let store = try ResultStore(path: lab.database)
    let suite = try store.run(1).suites[0]
    let fingerprints = Dictionary(
      try store.attempts(run: 1).compactMap { attempt in
        attempt.details.fingerprint.map { (attempt.key.caseID, $0) }
      }, uniquingKeysWith: { one, _ in one })
    let found = try store.earlierAttempts(like: suite, fingerprints, before: nil)
    #expect(Set(found.runs) == [1, 2])
    // A baseline that is a recheck stands for the run that made its answers.
    let known = try store.earlierAttempts(
      like: suite, fingerprints, before: nil, except: try store.run(4))
    #expect(known.runs == [2])
    // A recheck of a recheck names the run that made the attempts.
    _ = await recheck(lab, "4", lab.path("judged"), minute: 5)
    #expect(try store.run(7).details.recheckOf?.run == 1)
    let last = await recheck(lab, "2", lab.path("judged"), minute: 6)
    #expect(last.status == first.status)
  }

  @Test("what can't be judged is refused or named")
  func refusals() async throws {
    func check(
      _ status: AssayCommandLine.ExitStatus, _ words: String, names: [String] = ["judged"],
      option: [String] = [], _ edit: (inout JudgedSuite, CommandLab) throws -> Void
    ) async throws {
      let lab = try CommandLab()
      var suite = JudgedSuite()
      try suite.write(to: lab)
      #expect(await JudgedSuite.run(lab).status == .passed)
      try edit(&suite, lab)
      let ending = await lab.run(
        ["recheck", "1"] + names.map(lab.path) + ["--reports", lab.reports] + option)
      #expect(ending.status == status, "\(words): \(ending.notes)\(ending.output)")
      #expect(ending.notes.contains(words), "\(words): \(ending.notes)")
      // A refused recheck stores nothing, and leaves no green reports.
      guard status == .usage else { return }
      #expect(ending.output == "", "\(words)")
      #expect(try ResultStore(path: lab.database).runs().count == 1, "\(words)")
      #expect(!lab.has("reports/latest/report.html"), "\(words)")
      let junit = try JUnitFile(lab.data("reports/latest/junit.xml"))
      #expect(junit.errors == ["[recheck]"], "\(words)")
    }
    try await check(.usage, "no longer exists") { suite, lab in
      try lab.write(
        suite.text.replacing("suite: judged", with: "suite: other"), to: "judged/suite.yaml")
    }
    try await check(.interrupted, "no longer has c19") { suite, lab in
      suite.answers.removeLast()
      try suite.write(to: lab)
    }
    try await check(.usage, "--baseline x: expected auto", option: ["--baseline", "x"]) { _, _ in }
    try await check(.usage, "run 99", option: ["--baseline", "99"]) { _, _ in }
    try await check(.passed, "has no answers to c20") { suite, lab in
      suite.answers.append("ok")
      try suite.write(to: lab)
    }
    try await check(.interrupted, "the stored answers answer another request") { suite, lab in
      try lab.write(suite.text.replacing("Text 3.", with: "Text three."), to: "judged/suite.yaml")
    }
    try await check(.usage, "the stored answers answer another request") { suite, lab in
      suite.guide = "Another guide."
      try suite.write(to: lab)
    }
    try await check(.usage, "--allow-commands permits it") { suite, lab in
      suite.assertions[1] = "{ name: is ok, command: { run: [sh, ./check.sh] } }"
      try suite.write(to: lab)
    }
    try await check(.usage, "keeps only digests") { suite, lab in
      suite.rules += "\nstore: digests"
      try suite.write(to: lab)
    }
    let lab = try CommandLab()
    try JudgedSuite().write(to: lab)
    #expect(await JudgedSuite.run(lab).status == .passed)
    try lab.write(
      JudgedSuite().text.replacing("Text 3.", with: "Text three."), to: "judged/suite.yaml")
    let part = await recheck(lab, "1", lab.path("judged"))
    #expect(part.line.contains("Not all answers of run 1 were judged anew, because the stored"))
    #expect(part.line.contains("do next: run the suites"), "\(part.output)")
    let resumed = await JudgedSuite.run(lab, "--resume", "2")
    #expect(resumed.errors.first?.contains("can't be continued") == true, "\(resumed.notes)")
    try lab.remove("reports")
    let missing = await recheck(lab, "1", lab.path("judged"))
    #expect(missing.status != .passed)
    #expect(await lab.assay("recheck").status == .usage)
  }
}
