import EvalFindings
import EvalRecords
import EvalReports
import Foundation
import ResultStore
import Testing

@testable import AssayCommandLine

@Suite("Runs with limits")
struct LimitedRunTests {
  private func run(_ lab: CommandLab, _ words: String...) async -> CommandLab.Ending {
    await lab.run(
      ["run", lab.path("quiz"), "-b", "stub", "-j", "1", "--reports", lab.reports] + words)
  }

  private func stored(
    _ lab: CommandLab, run id: Int = 1
  ) throws -> (run: RunRecord, attempts: [AttemptRecord]) {
    let store = try ResultStore(path: lab.database, access: .reading)
    return (try store.run(id), try store.attempts(run: id))
  }

  @Test("a run skips its remaining attempts when the budget is used up, and --resume makes them")
  func budget() async throws {
    let lab = try CommandLab()
    // The suite has 16 attempts: two repeats of each of its eight test cases.
    try QuizSuite(repeats: 2).write(to: lab)
    let first = await run(lab, "--budget-calls", "5")
    #expect(first.status == .interrupted)
    #expect(!first.output.contains("The gate passed"), "\(first.output)")
    #expect(
      first.notes.contains("the budget of 5 calls is used up: 11 attempts were skipped"),
      "\(first.notes)")
    #expect(!first.notes.contains("  skipped"), "skipped attempts aren't listed as failures")
    #expect(lab.has("reports/1/report.html") || lab.has("reports/report.html"))
    let stopped = try stored(lab)
    #expect(stopped.run.status == .interrupted)
    #expect(stopped.run.details.ending == "the budget of 5 calls is used up")
    #expect(stopped.attempts.count { $0.outcome == .skipped } == 11)
    #expect(
      stopped.attempts.last?.details.skipReason == .text("the budget of 5 calls is used up"))
    let second = await run(lab, "--resume", "1")
    #expect(second.status == .passed, "\(second.notes)")
    let resumed = try stored(lab)
    #expect(resumed.run.status == .complete)
    #expect(resumed.run.details.ending == nil)
    #expect(resumed.attempts.count == 16)
    #expect(resumed.attempts.allSatisfy { $0.outcome == .pass })
  }

  @Test("--resume rejects a changed suite, and the error lists the differences")
  func changedSuite() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 2).write(to: lab)
    _ = await run(lab, "--budget-calls", "5")
    var changed = QuizSuite(guide: "Cards.", repeats: 3)
    changed.cases[0].1 = "Another text."
    changed.cases.removeLast()
    try changed.write(to: lab)
    let refused = await run(lab, "--resume", "1")
    #expect(refused.status == .usage)
    for part in [
      "repeats 2 → 3", "variant default: different schema or guides",
      "test case case-1: different input",
      "test case case-8 is gone",
    ] {
      #expect(refused.notes.contains(part), "\(refused.notes)")
    }
  }

  @Test("once the gate is decided, --stop-early skips the remaining attempts and records the stop")
  func stopEarly() async throws {
    let lab = try CommandLab()
    // The suite has 400 attempts: 50 repeats of eight test cases.
    try QuizSuite(repeats: 50, passRate: 0.9, stub: "  content: { pairs: [] }").write(to: lab)
    let ending = await run(lab, "--stop-early", "--stop-alpha", "0.01")
    #expect(ending.status == .failed)
    #expect(ending.notes.contains("stopped early: the gate is missed"), "\(ending.notes)")
    let (run, attempts) = try stored(lab)
    #expect(run.status == .complete)
    let stop = try #require(run.details.earlyStops?.first)
    #expect(stop.alpha == 0.01)
    #expect(stop.planned == 400)
    #expect(attempts.count == 400)
    #expect(attempts.count { $0.outcome == .skipped } == 400 - stop.count)
  }

  @Test("with --stop-early, a resumed run makes the same attempts as an uninterrupted run")
  func stopEarlyResumed() async throws {
    let suite = QuizSuite(repeats: 50, passRate: 0.95, stub: QuizSuite.sometimesEmpty)
    let (whole, parts) = (try CommandLab(), try CommandLab())
    for lab in [whole, parts] { try suite.write(to: lab) }
    #expect(await run(whole, "--stop-early").status == .failed)
    #expect(await run(parts, "--stop-early", "--budget-calls", "3").status == .interrupted)
    let resumed = await run(parts, "--stop-early", "--resume", "1")
    #expect(resumed.status == .failed, "\(resumed.notes)")
    let ends = try [whole, parts].map { try stored($0) }
    #expect(ends[1].run.status == .complete)
    #expect(ends[1].run.details.earlyStops == ends[0].run.details.earlyStops)
    func made(_ attempts: [AttemptRecord]) -> Set<AttemptKey> {
      Set(attempts.filter { $0.outcome != .skipped }.map(\.key))
    }
    #expect(made(ends[1].attempts) == made(ends[0].attempts))
    #expect(ends[1].attempts.count == 400)

    let again = await run(parts, "--stop-early", "--resume", "1")
    #expect(again.status == .usage)
    #expect(again.errors == ["run 1 is complete; there is nothing to continue with --stop-early"])
  }

  @Test("--resume makes the attempts that --stop-early skipped; a second --resume is rejected")
  func stoppedRunCompleted() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 50, passRate: 0.95, stub: QuizSuite.sometimesEmpty).write(to: lab)
    let whole = try CommandLab()
    try QuizSuite(repeats: 50, passRate: 0.95, stub: QuizSuite.sometimesEmpty).write(to: whole)
    #expect(await run(whole).status == .failed)
    #expect(await run(lab, "--stop-early").status == .failed)
    #expect(await run(lab, "--resume", "1").status == .failed)
    let (completed, undisturbed) = (try stored(lab), try stored(whole))
    #expect(completed.run.status == .complete)
    #expect(completed.run.details.earlyStops == nil)
    func outcomes(_ attempts: [AttemptRecord]) -> [AttemptKey: Outcome] {
      Dictionary(attempts.map { ($0.key, $0.outcome) }, uniquingKeysWith: { first, _ in first })
    }
    #expect(completed.attempts.count == 400)
    #expect(outcomes(completed.attempts) == outcomes(undisturbed.attempts))
    // The history now has two lines for the run, and the second one replaces the first.
    let lines = try lab.text("reports/history.jsonl").split(separator: "\n")
    #expect(lines.count == 2)
    let (history, _) = RunHistory.read(
      Array(try lab.data("reports/history.jsonl")), path: "history.jsonl")
    #expect(history.entries.count == 1)
    let rest = await run(lab, "--resume", "1")
    #expect(rest.errors == ["run 1 is complete; there is nothing to continue"])
  }

  @Test("--stop-early doesn't stop a suite that is compared with a reference")
  func comparedSuite() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 50, passRate: 0.2).write(to: lab)
    #expect(await run(lab).status == .passed)
    #expect(await lab.assay("baseline", "accept").status == .passed)
    let bad = QuizSuite(repeats: 50, passRate: 0.95, stub: QuizSuite.sometimesEmpty)
    try bad.write(to: lab)
    let ending = await run(lab, "--stop-early")
    #expect(ending.status == .failed)
    #expect(ending.output.contains("✗ Regressed."), "\(ending.output)")
    #expect(
      ending.notes.contains(
        "--stop-early can't stop these suites early: quiz (it is compared with a reference)"))
    let (run, attempts) = try stored(lab, run: 2)
    #expect(run.details.earlyStops == nil)
    #expect(attempts.count { $0.outcome != .skipped } == 400)
  }

  @Test("a run that stopped early is not a reference until it is completed")
  func stoppedReference() async throws {
    let lab = try CommandLab()
    try lab.write("ref: refs/heads/main\n", to: ".git/HEAD")
    try lab.write(String(repeating: "a", count: 40) + "\n", to: ".git/refs/heads/main")
    try QuizSuite(repeats: 50, passRate: 0.5).write(to: lab)
    #expect(await run(lab, "--stop-early").status == .passed)
    #expect(try stored(lab).run.details.earlyStops?.map(\.outcome) == [.reached])

    let accept = await lab.assay("baseline", "accept")
    #expect(accept.status == .usage)
    let advice = "quiz stopped early; to make the missing attempts, run `assay run --resume 1`"
    #expect(accept.errors.first?.contains(advice) == true, "\(accept.notes)")
    let second = await run(lab, "--baseline", "main")
    #expect(second.status == .passed, "\(second.output)")
    #expect(second.output.contains("No baseline has been accepted yet"), "\(second.output)")
    let third = await run(lab, "--baseline", "main")
    #expect(third.output.contains("in run 3 against quiz:default in run 2"), "\(third.output)")

    // Run 1 still lacks attempts, so the comparison names the command that makes them.
    let compare = await lab.assay("compare", "1", "2")
    #expect(compare.status == .usage, "\(compare.output)")
    let text = compare.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("run 1, the baseline, stopped early"), "\(text)")
    #expect(text.contains("run again with `--resume 1`"), "\(text)")
    #expect(await run(lab, "--resume", "1").status == .passed)
    let completed = await lab.assay("compare", "1", "2")
    #expect(completed.status == .passed, "\(completed.output)")
    #expect(await lab.assay("baseline", "accept", "1").status == .passed)
  }

  @Test(
    "--stop-early completes each test case that it began, and rejects gates on a mean of scores")
  func stopEarlyByCases() async throws {
    func lab(_ gate: String) throws -> CommandLab {
      let lab = try CommandLab()
      var suite = QuizSuite(repeats: 2, passRate: 0.5)
      suite.cases = (0..<60).map { ("case-\($0)", "Text \($0).") }
      try suite.write(to: lab)
      try lab.write(
        suite.text.replacing("gate: { passRate: 0.5 }", with: "gate: \(gate)"),
        to: "quiz/suite.yaml")
      return lab
    }
    for reducer in ["all", "at least 1", "pass^2"] {
      let lab = try lab("{ passRate: 0.5, reducer: \(reducer) }")
      let ending = await run(lab, "--stop-early")
      #expect(ending.status == .passed, "\(ending.notes)")
      let (run, attempts) = try stored(lab)
      let stop = try #require(run.details.earlyStops?.first)
      #expect(stop.planned == 60)
      #expect(stop.reducer?.description == reducer)
      #expect(ending.notes.contains("cases passed by `\(reducer)`"), "\(ending.notes)")
      let made = attempts.filter { $0.outcome != .skipped }
      #expect(made.count < 120)
      let byCase = Dictionary(grouping: made, by: \.key.caseID)
      #expect(byCase.values.allSatisfy { $0.count == 2 }, "no test case is incomplete")
    }
    let refused = await run(try lab("{ passRate: 0.5, reducer: pass@1 }"), "--stop-early")
    #expect(refused.status == .usage)
    #expect(
      refused.errors == [
        "--stop-early can't settle any gate early: quiz (the gate averages scores from "
          + "`pass@1`); it can settle a gate on the share of attempts or of test cases that passed"
      ])
  }

  @Test("programs of `command` assertions run concurrently, even if there are few cores")
  func commandsBesideEachOther() async throws {
    let lab = try CommandLab()
    let count = 24
    var suite = QuizSuite(repeats: 1, passRate: 1)
    suite.cases = (0..<count).map { ("case-\($0)", "Text \($0).") }
    try suite.write(to: lab)
    try lab.write(
      suite.text.replacing(
        "assertions:", with: "assertions:\n  - command: { path: $, run: [./all], timeLimit: 50000 }"
      ),
      to: "quiz/suite.yaml")
    // Each program waits until all of them have begun.
    try lab.write(
      """
      #!/bin/sh
      : > here.$$
      while [ "$(ls | grep -c '^here')" -lt \(count) ]; do sleep 0.05; done
      echo '{ "pass": true }'
      """, to: "quiz/all")
    #expect(chmod(lab.path("quiz/all"), 0o755) == 0)
    let ending = await lab.run(
      [
        "run", lab.path("quiz"), "-b", "stub", "-j", "\(count)", "--allow-commands",
        "--timeout", "40", "--reports", lab.reports,
      ], environment: ["PATH": "/usr/bin:/bin"])
    #expect(ending.status == .passed, "\(ending.output)\(ending.notes)")
  }

  @Test(
    "--cache takes answers from earlier runs and marks them; without it, a run makes all requests")
  func cache() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 2).write(to: lab)
    for words in [["--cache"], ["--cache"], []] {
      let ending = await lab.run(
        ["run", lab.path("quiz"), "-b", "stub", "--reports", lab.reports] + words)
      #expect(ending.status == .passed)
    }
    func cached(_ id: Int) throws -> Int {
      try stored(lab, run: id).attempts.count { $0.details.isCached == true }
    }
    #expect(try cached(1) == 0)
    #expect(try cached(2) == 16)
    #expect(try cached(3) == 0)
    let prints = try stored(lab).attempts.map(\.details.fingerprint)
    // The two repeats of a test case have the same fingerprint.
    #expect(Set(prints).count == 8)
    #expect(try stored(lab, run: 2).attempts.count == 16)
  }

  @Test("an attempt's record lists the tries that failed before the last one")
  func retries() async throws {
    let lab = try CommandLab()
    var suite = QuizSuite(repeats: 1, stub: "  fault: error")
    suite.cases = Array(suite.cases.prefix(1))
    try suite.write(to: lab)
    let ending = await run(lab, "--retries", "2", "--retry-pause", "0.001")
    #expect(ending.status == .cannotRun)
    #expect(try stored(lab).attempts.first?.details.earlierTries?.count == 2)
  }

  @Test(
    "`assay run` rejects invalid limits and contradictory options",
    arguments: [
      ["--retries", "-1"], ["--budget-time", "0"], ["--budget-calls", "0"],
      ["--budget-tokens", "x"], ["--calls-per-minute", "0"], ["--stop-alpha", "0.1"],
      ["--stop-early", "--stop-alpha", "0"], ["--cache", "--no-cache"],
    ])
  func nonsense(words: [String]) async throws {
    let lab = try CommandLab()
    try QuizSuite().write(to: lab)
    let ending = await lab.run(
      ["run", lab.path("quiz"), "-b", "stub", "--reports", lab.reports] + words)
    #expect(ending.status == .usage)
    #expect(ending.errors.count == 1)
    #expect(!lab.has("reports/results.sqlite"))
  }
}
