import Foundation
import Testing

@testable import AssayCommandLine

/// Tests imports of logs in which some prompts have more answers than others.
@Suite("Logs with uneven numbers of answers")
struct UnevenImportTests {
  /// A log that is imported after a baseline with one good answer to each of 20 prompts.
  struct Row: CustomTestStringConvertible {
    let testDescription: String
    /// The answers, each with the number of its prompt.
    let answers: [(prompt: Int, word: String)]
    let status: AssayCommandLine.ExitStatus
    let words: String
  }

  private static func once(_ words: [String]) -> [(prompt: Int, word: String)] {
    words.enumerated().map { ($0, $1) }
  }

  static let rows = [
    Row(
      testDescription: "control: one answer to each prompt", answers: once(JudgedSuite.good),
      status: .passed, words: "No change"),
    Row(
      testDescription: "one prompt was logged twice",
      answers: once(JudgedSuite.good) + [(3, "ok")], status: .passed, words: "No change"),
    Row(
      testDescription: "one prompt was logged twice, the second time with a bad answer",
      answers: once(JudgedSuite.good) + [(3, "-")], status: .passed,
      words: "1 of 20 test cases fails in the attempts"),
    Row(
      testDescription: "one prompt was logged 201 times",
      answers: once(JudgedSuite.good)
        + [(prompt: Int, word: String)](repeating: (0, "ok"), count: 200),
      status: .passed, words: "No change"),
    Row(
      testDescription: "one prompt was logged twice, and eight answers are bad",
      answers: once(JudgedSuite.worse) + [(3, "-")], status: .failed, words: "Regressed"),
    Row(
      testDescription: "good prompts were logged often, and eight answers are bad",
      answers: once(JudgedSuite.worse)
        + [(prompt: Int, word: String)](repeating: (19, "ok"), count: 50),
      status: .failed, words: "Regressed"),
    Row(
      testDescription: "a prompt has no answer", answers: once(Array(JudgedSuite.good.dropLast())),
      status: .interrupted, words: "19 of 20"),
  ]

  @Test("an import compares the answers that both logs have", arguments: rows)
  func checkImport(_ row: Row) async throws {
    let lab = try CommandLab()
    try JudgedSuite().write(to: lab)
    func log(_ answers: [(prompt: Int, word: String)]) -> String {
      answers.map {
        #"{"input": "Text \#($0.prompt).", "output": "{\"x\": \"\#($0.word)\", \"y\": \"f\"}"}"#
      }.joined(separator: "\n")
    }
    try lab.write(log(Self.once(JudgedSuite.good)), to: "before.jsonl")
    try lab.write(log(row.answers), to: "after.jsonl")
    let suites = lab.path("judged")
    #expect(
      await lab.assay("import", lab.path("before.jsonl"), "--suites", suites).status == .passed)
    #expect(await lab.assay("baseline", "accept", "--reason", "good").status == .passed)
    let ending = await lab.assay("import", lab.path("after.jsonl"), "--suites", suites)
    #expect(ending.status == row.status, "\(ending.notes)\(ending.output)")
    #expect(ending.line.contains(row.words), "\(ending.output)")
    #expect(!ending.line.contains("Not comparable"), "\(ending.output)")
  }
}
