import EvalRecords
import Foundation
import ResultStore
import Testing

@testable import AssayCommandLine

/// Tests imports of logs whose lines name suites, variants or test cases.
@Suite("Logs that name test cases")
struct NamedImportTests {
  /// A line of a log, and the place at which it counts.
  struct Row: CustomTestStringConvertible {
    let testDescription: String
    let line: String
    /// The place, as `suite:variant/case`, or `nil` if the answer is left out.
    let place: String?

    init(_ description: String, _ members: String, at place: String?) {
      testDescription = description
      line = #"{\#(members), "output": "x"}"#
      self.place = place
    }
  }

  static let rows = [
    Row("control: no name", #""input": "i0""#, at: "s:default/c0"),
    Row("the suite", #""suite": "t", "input": "i0""#, at: "t:default/c0"),
    Row("the suite, beside a prompt", #""suite": "t", "prompt": "Say i0""#, at: "t:default/c0"),
    Row("the variant", #""variant": "loud", "input": "i0""#, at: "s:loud/c0"),
    Row("the test case", #""case": "c2", "input": "i0""#, at: "s:default/c2"),
    Row("an earlier id", #""case": "old", "input": "i0""#, at: "s:default/c2"),
    Row("suite and test case", #""suite": "t", "case": "c2", "input": "i0""#, at: "t:default/c2"),
    Row(
      "all names", #""suite": "t", "variant": "loud", "case": "c2", "input": {"input": "i0"}"#,
      at: "t:loud/c2"),
    Row("a test case with another input", #""case": "c1", "input": "i0""#, at: nil),
    Row("a test case with another prompt", #""case": "c1", "prompt": "Say i0""#, at: nil),
    Row(
      "all names of a test case with another input",
      #""suite": "s", "variant": "default", "case": "c1", "input": "i0""#, at: nil),
    Row(
      "no such variant", #""suite": "s", "variant": "no", "case": "c0", "input": "i0""#, at: nil),
    Row("an unknown suite", #""suite": "u", "input": "i0""#, at: nil),
    Row(
      "a suite that needs a further variable, of which the line has one",
      #""suite": "v", "input": {"input": "i0"}"#, at: "v:default/only"),
    Row(
      "a test case that needs a further variable", #""case": "only", "input": {"input": "i0"}"#,
      at: "v:default/only"),
    Row(
      "control: values that are no names", #""suite": 3, "case": "", "input": "i0""#,
      at: "s:default/c0"),
    Row("instructions of a variant", #""instructions": "Shout.", "input": "i0""#, at: "s:loud/c0"),
    Row("instructions of none", #""instructions": "Hum.", "input": "i0""#, at: "s:default/c0"),
  ]

  private func lab() throws -> CommandLab {
    let lab = try CommandLab()
    for suite in ["s", "t"] {
      try lab.write(
        """
        suite: \(suite)
        generates: { inline: { type: string } }
        instructions: Whisper.
        prompt: "Say {{input}}"
        gate: { passRate: 0 }
        assertions: [ { nonEmpty: { path: $ } } ]
        variants: [ { id: default }, { id: loud, edits: [ { instructions: { text: Shout. } } ] } ]
        cases:
          - { id: c0, input: i0 }
          - { id: c1, input: i1 }
          - { id: c2, input: i0, aliases: [ old ] }

        """, to: "evals/\(suite)/suite.yaml")
    }
    try lab.write(
      """
      suite: v
      generates: { inline: { type: string } }
      prompt: "{{input}} and {{further}}"
      gate: { passRate: 0 }
      assertions: [ { nonEmpty: { path: $ } } ]
      cases: [ { id: only, input: i0, further: more } ]

      """, to: "evals/v/suite.yaml")
    return lab
  }

  /// Imports a log of one line, and returns the place at which it counts.
  private func place(of line: String, in lab: CommandLab) async throws -> String? {
    try lab.write(line, to: "log.jsonl")
    let ending = await lab.assay(
      "import", lab.path("log.jsonl"), "--suites", lab.path("evals"), "--allow-missing")
    if ending.status == .nothingSelected {
      #expect(
        ending.errors.first?.contains("no answer has the prompt or input") == true,
        "\(ending.notes)")
      return nil
    }
    #expect(ending.status == .passed, "\(ending.notes)")
    let attempts = try ResultStore(path: lab.database, access: .reading).attempts(run: 1)
    let keys = attempts.filter { $0.outcome != .skipped }.map(\.key)
    #expect(keys.count == 1)
    return keys.first.map { "\($0.suite):\($0.variant)/\($0.caseID)" }
  }

  @Test("a line counts only where all names fit that it gives", arguments: rows)
  func checkPlace(_ row: Row) async throws {
    #expect(try await place(of: row.line, in: lab()) == row.place)
  }

  @Test("an answer that is left out is listed with the names in its line")
  func warning() async throws {
    let lab = try lab()
    try lab.write(
      """
      {"input": "i0", "output": "x"}
      {"suite": "t", "case": "c1", "input": "i0", "output": "x"}
      """, to: "log.jsonl")
    let ending = await lab.assay(
      "import", lab.path("log.jsonl"), "--suites", lab.path("evals"), "--allow-missing")
    #expect(
      ending.notes.contains(
        #"log.jsonl:2:1: no test case has this prompt or input, with suite "t", case "c1", "#
          + "so the answer is left out"),
      "\(ending.notes)")
  }

  @Test("the value of a variable `case` is no name, unless suite and variant stand beside it")
  func variable() async throws {
    let lab = try CommandLab()
    try lab.write(
      """
      suite: w
      generates: { inline: { type: string } }
      prompt: "{{text}} in the case {{case}}"
      gate: { passRate: 0 }
      assertions: [ { nonEmpty: { path: $ } } ]
      cases:
        - { id: one, text: A, case: dative }
        - { id: two, text: A, case: genitive }

      """, to: "evals/w/suite.yaml")
    for (line, expected) in [
      (#"{"input": "A", "case": "genitive", "output": "x"}"#, "w:default/two"),
      (#"{"suite": "w", "input": "A", "case": "dative", "output": "x"}"#, "w:default/one"),
      (
        #"{"suite": "w", "variant": "default", "case": "two", "output": "x", "#
          + #""prompt": "A in the case genitive"}"#, "w:default/two"
      ),
    ] {
      try? FileManager.default.removeItem(atPath: lab.reports)
      #expect(try await place(of: line, in: lab) == expected)
    }
  }
}
