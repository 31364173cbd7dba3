import EvalRecords
import Foundation
import ResultStore
import Testing

@testable import AssayCommandLine
@testable import EvalSessions

@Suite("run --reuse")
struct ReuseTests {
  private func run(
    _ lab: CommandLab, _ words: String..., suite: String = "quiz", model: String = Checkout.model,
    time: Double = CommandLab.time
  ) async throws -> (ending: CommandLab.Ending, run: RunRecord, attempts: [AttemptRecord]) {
    let ending = await lab.run(
      ["run", lab.path(suite), "-m", model, "--reports", lab.reports] + words,
      time: time)
    let store = try ResultStore(path: lab.database, access: .reading)
    let id = try #require(try store.runIDs().max(), "\(ending.notes)")
    return (ending, try store.run(id), try store.attempts(run: id))
  }

  private func quiz(_ change: (inout QuizSuite) -> Void = { _ in }) -> QuizSuite {
    var suite = QuizSuite(
      repeats: 2, passRate: 0, cases: Array(QuizSuite.shortPassages.prefix(3)))
    change(&suite)
    return suite
  }

  private func answers(_ attempts: [AttemptRecord]) -> [AttemptKey: String] {
    Dictionary(attempts.map { ($0.key, $0.output) }, uniquingKeysWith: { first, _ in first })
  }

  @Test("an unchanged run reuses all answers but an audited one, and judges the same")
  func unchanged() async throws {
    let lab = try CommandLab()
    try quiz().write(to: lab)
    let first = try await run(lab)
    #expect(first.run.details.reuse == nil)
    #expect(first.attempts.allSatisfy { $0.details.answerKey != nil })
    for number in 2...3 {
      let again = try await run(lab, "--reuse", "-j", "\(number - 1)")
      let reuse = try #require(again.run.details.reuse, "\(again.ending.notes)")
      #expect(reuse.reused == 5 && reuse.audited == 1 && reuse.differences == nil)
      #expect(reuse.origins.map(\.run) == [1], "an answer keeps the run that made it")
      #expect(answers(again.attempts) == answers(first.attempts))
      let reused = again.attempts.filter { $0.details.reusedFrom != nil }
      #expect(reused.count == 5 && reused.allSatisfy { $0.details.isCached == true })
      for attempt in reused {
        let stored = try #require(first.attempts.first { $0.key == attempt.key })
        #expect(attempt.decisions == stored.decisions && attempt.verdicts == stored.verdicts)
        #expect(attempt.outcome == stored.outcome && attempt.trace == stored.trace)
        #expect(attempt.details.removals == stored.details.removals)
      }
      #expect(
        again.ending.output.contains("5 of 6\u{A0}answers are reused from run 1"),
        "\(again.ending.output)")
      #expect(again.ending.status == first.ending.status)
    }
    let plain = try await run(lab)
    #expect(plain.run.details.reuse == nil, "a plain run computes everything")
  }

  @Test(
    "an answer is reused only if nothing that determines it has changed",
    arguments: [
      "guide", "instructions", "temperature", "limit", "input", "seed", "assertion", "repeats",
      "fresh",
    ])
  func edits(what: String) async throws {
    let lab = try CommandLab()
    try quiz().write(to: lab)
    let first = try await run(lab)
    var words: [String] = []
    var text = quiz().text
    var isReused: (AttemptRecord) -> Bool = { _ in false }
    switch what {
    case "guide": try quiz { $0.guide = "The cards." }.write(to: lab)
    case "instructions": text = text.replacing("You turn", with: "You always turn")
    case "temperature": text = text.replacing("temperature: 0.7", with: "temperature: 0.8")
    case "limit": text = text.replacing("maximumTokens: 200", with: "maximumTokens: 201")
    case "input":
      text = text.replacing("Wool", with: "Silk").replacing("An owl", with: "One owl")
      isReused = { $0.key.caseID != "owl" }
    case "seed": words = ["--seed", "77"]
    case "assertion":
      text = text.replacing("min: 3, max: 8", with: "min: 200, max: 800")
      isReused = { _ in true }
    case "repeats":
      words = ["-r", "3"]
      isReused = { $0.key.repeatIndex < 2 }
    default:
      words = ["--fresh", "1"]
      isReused = { $0.key.repeatIndex < 2 }
    }
    if what != "guide" { try lab.write(text, to: "quiz/suite.yaml") }
    let again = await lab.run(
      [
        "run", lab.path("quiz"), "-m", Checkout.model, "--reports", lab.reports, "--reuse",
        "--baseline", "none",
      ] + words)
    let store = try ResultStore(path: lab.database, access: .reading)
    let attempts = try store.attempts(run: 2)
    let wanted = attempts.filter(isReused)
    let reused = attempts.filter { $0.details.reusedFrom != nil }
    #expect(reused.count == max(0, wanted.count - 1), "one is audited: \(again.notes)")
    #expect(reused.allSatisfy(isReused))
    let known = answers(first.attempts)
    #expect(wanted.allSatisfy { known[$0.key] == $0.output })
    if what == "assertion" {
      #expect(attempts.allSatisfy { $0.outcome == .fail }, "today's assertions judge them")
      #expect(reused.allSatisfy { $0.verdicts[0].expected.contains("200") })
    }
  }

  @Test("a run that stops before its end reuses nothing, because its audit isn't complete")
  func stopped() async throws {
    let lab = try CommandLab()
    try quiz().write(to: lab)
    _ = try await run(lab)
    try quiz { $0.cases = Array(QuizSuite.shortPassages.prefix(5)) }.write(to: lab)
    let again = try await run(
      lab, "--reuse", "--budget-calls", "1", "-j", "1", "--baseline", "none")
    #expect(again.ending.status == .interrupted, "\(again.ending.notes)")
    #expect(again.attempts.allSatisfy { $0.details.reusedFrom == nil })
    #expect(again.run.details.reuse?.reused == 0)
  }

  @Test("an answer that a recheck judged anew is reused from the run that made it")
  func recheck() async throws {
    let lab = try CommandLab()
    try quiz().write(to: lab)
    let first = try await run(lab)
    let recheck = await lab.run(["recheck", "1", lab.path("quiz"), "--reports", lab.reports])
    #expect(recheck.status == .passed, "\(recheck.notes)")
    let again = try await run(lab, "--reuse", "--baseline", "none")
    #expect(again.run.id == 3 && again.run.details.reuse?.origins.map(\.run) == [first.run.id])
  }

  @Test("a stored answer that was changed is found by the audit, and then nothing is reused")
  func changedAnswer() async throws {
    let lab = try CommandLab()
    try quiz { $0.cases = [$0.cases[0]] }.write(to: lab)
    let first = try await run(lab, "-r", "1")
    let store = try ResultStore(path: lab.database, access: .writing)
    try store.executeForTesting("UPDATE decision_option SET masked = masked * 0.999999")
    let again = try await run(lab, "-r", "1", "--reuse", "--baseline", "none")
    #expect(again.ending.status == .failed, "\(again.ending.output)")
    let reuse = try #require(again.run.details.reuse)
    #expect(reuse.reused == 0 && reuse.differences?.map(\.part) == [.decisions])
    #expect(again.attempts.map(\.decisions) == first.attempts.map(\.decisions))
    #expect(
      again.ending.output.contains(
        "that was computed again differs, first the decisions of quiz/owl#0"),
      "\(again.ending.output)")
    #expect(try lab.text("reports/latest/junit.xml").contains("<failure"))
    // The answers of the new run are right, so the next run may reuse them.
    let third = try await run(lab, "-r", "1", "--reuse", "--baseline", "none")
    #expect(third.ending.status == .passed && third.run.details.reuse?.differences == nil)
  }

  @Test("if the audit finds one difference, all answers are computed, and the record says so")
  func wholeAudit() async throws {
    let lab = try CommandLab()
    try quiz().write(to: lab)
    let first = try await run(lab)
    let store = try ResultStore(path: lab.database, access: .writing)
    try store.executeForTesting(
      "UPDATE attempt SET prompt_tokens = prompt_tokens + 1 WHERE case_id = 'owl'")
    // Over enough days, the audit draws the changed test case.
    for day in 0..<40 {
      let night = try await run(
        lab, "--reuse", "--baseline", "none", time: CommandLab.time + Double(day) * 86_400)
      guard let differences = night.run.details.reuse?.differences else { continue }
      #expect(differences.map(\.attempt.caseID) == ["owl"])
      #expect(night.attempts.allSatisfy { $0.details.reusedFrom == nil })
      #expect(answers(night.attempts) == answers(first.attempts))
      #expect(night.attempts.count == 6 && night.ending.status == .failed)
      return
    }
    Issue.record("the audit never drew the changed test case")
  }

  @Test("a model file with the same name but other bytes is another model")
  func otherModel() async throws {
    let lab = try CommandLab()
    try quiz { $0.cases = [$0.cases[0]] }.write(to: lab)
    var model = try Data(contentsOf: URL(fileURLWithPath: Checkout.model))
    try lab.write(model, to: "model.gguf")
    _ = try await run(lab, model: lab.path("model.gguf"))
    let same = try await run(lab, "--reuse", model: lab.path("model.gguf"))
    #expect(same.run.details.reuse?.reused == 1)
    // The last weight changes by one bit.
    model[model.count - 1] ^= 1
    try lab.write(model, to: "model.gguf")
    let other = try await run(
      lab, "--reuse", "--allow-not-comparable", model: lab.path("model.gguf"))
    #expect(other.run.details.reuse == nil && other.attempts.count == 2)
  }

  @Test("an interrupted run's answers are reused, and its continuation reuses answers too")
  func interrupted() async throws {
    let lab = try CommandLab()
    try quiz().write(to: lab)
    let whole = try await run(lab)
    let part = try await run(lab, "--budget-calls", "2", "--seed", "5")
    #expect(part.ending.status == .interrupted)
    let made = part.attempts.filter { $0.outcome != .skipped }.count
    let again = try await run(lab, "--reuse", "--seed", "5", "--baseline", "none")
    #expect(
      (again.run.details.reuse?.reused ?? 0) + (again.run.details.reuse?.audited ?? 0) == made)
    #expect(again.attempts.count == whole.attempts.count)
    let resumed = try await run(lab, "--resume", "2", "--seed", "5", "--reuse")
    #expect(resumed.run.id == 3 && resumed.ending.status == .passed, "\(resumed.ending.notes)")
    let store = try ResultStore(path: lab.database, access: .reading)
    let continued = try store.attempts(run: 2)
    #expect(answers(continued) == answers(again.attempts))
  }

  @Test("each shard reuses its own part, and pruning keeps the run whose answers are in use")
  func shardsAndPruning() async throws {
    let lab = try CommandLab()
    try quiz().write(to: lab)
    let first = try await run(lab)
    for shard in ["1/2", "2/2"] {
      let part = try await run(lab, "--reuse", "--shard", shard)
      let reuse = part.run.details.reuse
      #expect((reuse?.reused ?? 0) + (reuse?.audited ?? 0) == part.attempts.count)
      let known = answers(first.attempts)
      #expect(part.attempts.allSatisfy { known[$0.key] == $0.output })
    }
    let pruned = await lab.assay("history", "prune", "--keep", "1")
    #expect(pruned.output.contains("kept     run 1"))
    let store = try ResultStore(path: lab.database, access: .reading)
    #expect(try store.runIDs() == [1, 3])
  }

  @Test("a deleted run's copies are still reused, and greedy test cases get no fresh attempts")
  func greedy() async throws {
    let lab = try CommandLab()
    try quiz().write(to: lab)
    try lab.write(
      quiz().text.replacing("temperature: 0.7", with: "sampling: greedy"), to: "quiz/suite.yaml")
    let first = try await run(lab, "--fresh", "2")
    #expect(first.attempts.count == 6, "nothing is sampled, so there is no fresh block")
    #expect(!first.ending.notes.contains("interrupted") && first.run.status == .complete)
    _ = try await run(lab, "--reuse")
    let store = try ResultStore(path: lab.database, access: .writing)
    try store.deleteRuns([1])
    let third = try await run(lab, "--reuse")
    #expect(third.run.details.reuse?.reused == 5)
  }

  @Test(
    "--reuse refuses options that it contradicts",
    arguments: [["--cache"], ["--stop-early"], ["--watch"]])
  func refusals(words: [String]) async throws {
    let lab = try CommandLab()
    try quiz().write(to: lab)
    let ending = await lab.run(["run", lab.path("quiz"), "--reuse"] + words)
    #expect(ending.status == .usage && ending.errors.count == 1, "\(ending.notes)")
    #expect(ending.errors.first?.contains("can't be combined with") == true)
  }

  @Test("the stub's answers are never reused, because they cost nothing")
  func stub() async throws {
    let lab = try CommandLab()
    try quiz().write(to: lab)
    for _ in 0..<2 {
      let ending = await lab.run(
        ["run", lab.path("quiz"), "-b", "stub", "--reports", lab.reports, "--reuse"])
      #expect(ending.status == .passed)
    }
    let store = try ResultStore(path: lab.database, access: .reading)
    #expect(try store.run(2).details.reuse == nil)
    #expect(try store.attempts(run: 2).allSatisfy { $0.details.answerKey == nil })
  }
}
