import EvalRecords
import Foundation
import ResultStore
import TestSupport
import Testing

@testable import AssayCommandLine

@Suite("The built program with --watch")
struct WatchTests {
  /// A lab in which the program watches suites and writes its messages to a file.
  private struct Watching {
    let lab: CommandLab
    let program: RunningProgram

    init() throws {
      lab = try CommandLab()
      var other = QuizSuite(repeats: 1)
      other.cases = Array(other.cases.prefix(2))
      try lab.write(
        other.text.replacing("suite: quiz", with: "suite: other"), to: "evals/other/suite.yaml")
      try lab.write(other.schema, to: "evals/other/schema.json")
      try QuizSuite(repeats: 2).write(to: lab, folder: "evals/quiz")
      program = try RunningProgram(
        ["run", "--watch", "-b", "stub", "--reports", "reports"], in: lab.folder,
        errors: lab.writing("notes.txt"))
    }

    var notes: String { (try? lab.text("notes.txt")) ?? "" }

    /// Waits until the program has written the words at least `times` times; fails after a minute.
    func wait(for words: String, times: Int = 1) async throws {
      let told = await waitUntil { notes.components(separatedBy: words).count > times }
      try #require(told, "\(words) ×\(times) in \(notes)")
    }
  }

  @Test(
    "--watch runs the suite that an edit affects, shows what changed, and reports a broken file")
  func watch() async throws {
    let watching = try Watching()
    defer { kill(watching.program.process.processIdentifier, SIGKILL) }
    let lab = watching.lab
    try await watching.wait(for: "watching 4 files; Ctrl-C stops it")
    let store = try ResultStore(path: lab.database, access: .reading)
    // The suite `quiz` has eight test cases with two repeats, and `other` has two test cases.
    #expect(try store.attempts(run: 1).count == 16 + 2)

    // After the edit, the stub's answers have no pairs.
    let sound = try lab.text("evals/quiz/suite.yaml")
    try lab.write(
      sound.replacing(QuizSuite.fullAnswer, with: "  content: { pairs: [] }"),
      to: "evals/quiz/suite.yaml")
    try await watching.wait(for: "watching", times: 2)
    #expect(watching.notes.contains("edited: evals/quiz/suite.yaml\n"))
    #expect(
      watching.notes.contains("difference from run 1:\n  quiz: 16 of 16 attempts passed, now 0"))
    #expect(watching.notes.contains("    worse    case-1: 2 of 2 → 0 of 2"))
    #expect(!watching.notes.contains("other:"), "only the edited suite runs")
    #expect(try Set(store.attempts(run: 2).map(\.key.suite)) == ["quiz"])

    try lab.write("suite: [", to: "evals/quiz/suite.yaml")
    try await watching.wait(for: "watching", times: 3)
    #expect(watching.notes.contains("error: evals/quiz/suite.yaml:1:"))
    #expect(try store.runIDs() == [1, 2])

    try lab.write(sound, to: "evals/quiz/suite.yaml")
    try await watching.wait(for: "watching", times: 4)
    #expect(
      watching.notes.contains("difference from run 2:\n  quiz: 0 of 16 attempts passed, now 16"))
    try lab.write(
      lab.text("evals/other/schema.json").replacing(QuizSuite.statedBound, with: "The cards."),
      to: "evals/other/schema.json")
    try await watching.wait(for: "watching", times: 5)
    #expect(watching.notes.contains("edited: evals/other/schema.json\n"))
    #expect(try Set(store.attempts(run: 4).map(\.key.suite)) == ["other"])

    kill(watching.program.process.processIdentifier, SIGINT)
    #expect(
      await watching.program.status() == 0, "the program ends with the status of the last run")
    #expect(try store.integrityProblems() == [])
    #expect(try store.runIDs() == [1, 2, 3, 4])
    #expect(!lab.has("reports/history.jsonl"), "a watched run adds no line to the history")
  }

  @Test("--watch can't be combined with --resume or --failed")
  func refused() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 1).write(to: lab)
    for words in [["--resume", "1"], ["--failed"]] {
      let ending = await lab.run(
        ["run", lab.path("quiz"), "-b", "stub", "--watch", "--reports", lab.reports] + words)
      #expect(ending.status == .usage)
      #expect(
        ending.errors.first?.hasPrefix("\(words[0]) can't be combined with --watch") == true)
    }
  }
}
