import EvalFindings
import EvalReports
import Foundation
import Testing

@testable import AssayCommandLine

@Suite("The history of runs")
struct HistoryFileTests {
  @Test(
    "a complete run adds a line to the history and redraws the dashboard; a partial run doesn't")
  func lines() async throws {
    let lab = try CommandLab()
    try QuizSuite().write(to: lab)
    for _ in 1...3 { #expect(await lab.assay("run", lab.path("quiz"), "-b", "stub").errors == []) }
    let text = try lab.text("reports/history.jsonl")
    #expect(text.split(separator: "\n").count == 3)
    let page = try lab.text("reports/index.html")
    #expect(page.contains("href=\"3/report.html\""))
    #expect(try lab.text("reports/badge.svg").contains("100.0 % passing"))
    _ = await lab.assay("run", lab.path("quiz"), "-b", "stub", "--case", "case-1")
    #expect(try lab.text("reports/history.jsonl") == text)
    #expect(try lab.text("reports/3/report.html").contains("3\u{A0}nights"))
  }

  @Test(
    "report --dashboard rebuilds a lost history, and appends a replacement for each truncated line")
  func rebuilt() async throws {
    let lab = try CommandLab()
    try QuizSuite().write(to: lab)
    for _ in 1...2 { _ = await lab.assay("run", lab.path("quiz"), "-b", "stub") }
    let (text, page) = (
      try lab.text("reports/history.jsonl"), try lab.text("reports/index.html")
    )
    try lab.remove("reports/history.jsonl")
    try lab.remove("reports/index.html")
    let ending = await lab.assay("report", "--dashboard")
    #expect(ending.status == .passed && ending.output.contains("2 runs"))
    #expect(try lab.text("reports/history.jsonl") == text)
    #expect(try lab.text("reports/index.html") == page)

    try lab.write(String(text.dropLast(40)), to: "reports/history.jsonl")
    let again = await lab.assay("report", "--dashboard")
    #expect(again.notes.contains("history.jsonl:2: not JSON"))
    let lines = try lab.text("reports/history.jsonl").split(separator: "\n")
    #expect(
      lines.count == 3
        && lines.last.map(String.init) == text.split(separator: "\n").last.map(String.init))
    #expect(try lab.text("reports/index.html") == page)
    #expect(await lab.assay("report", "1", "--dashboard").status == .usage)
  }

  /// A suite with fixed answers, in which each answer has an array.
  private static func suite(failing: Range<Int>, empty: Range<Int>) -> String {
    let cases = (0..<20).map { number in
      let content =
        "{ ok: \(failing.contains(number) ? "bad" : "good"), "
        + "a: [\(empty.contains(number) ? "" : "x")] }"
      return "  - { id: c\(number), input: \"Text \(number).\", stub: { content: \(content) } }"
    }
    return """
      suite: s
      gate: { passRate: 0 }
      generates:
        inline:
          title: T
          type: object
          additionalProperties: false
          required: [ok, a]
          properties:
            ok: { type: string, enum: [good, bad] }
            a: { type: array, items: { type: string } }
      assertions:
        - { name: ok, equals: { path: $.ok, value: good } }
      cases:
      \(cases.joined(separator: "\n"))

      """
  }

  @Test("the first lines of the report and of the dashboard say which quantity is new or fixed")
  func quantities() async throws {
    let lab = try CommandLab()
    func night(_ failing: Range<Int>, _ empty: Range<Int>) async throws -> [String] {
      try lab.write(Self.suite(failing: failing, empty: empty), to: "s/suite.yaml")
      let output = await lab.assay("run", lab.path("s"), "-b", "stub").output
      return [output, try lab.text("reports/index.html")].map {
        $0.replacing("\u{A0}", with: " ").replacing(#/ \(\d+ \w+\)/#, with: "")
      }
    }
    _ = try await night(0..<0, 0..<0)
    #expect(await lab.assay("baseline", "accept", "--reason", "x").status == .passed)
    _ = try await night(0..<8, 0..<0)
    // Lines of older versions have no criteria.
    let text = try lab.text("reports/history.jsonl")
    #expect(text.contains(#""results":["#))
    try lab.write(
      text.replacing(#/,"results":\[(\[[^\]]*\],?)*\]/#, with: ""), to: "reports/history.jsonl")
    #expect(try !lab.text("reports/history.jsonl").contains(#""results":["#))
    for words in try await night(0..<8, 0..<0) {
      #expect(words.contains("Nothing is new since run 2. Known since run 2, for 2 runs: s."))
    }
    for words in try await night(0..<8, 0..<20) {
      #expect(
        words.contains(
          "New since run 3: empty $.a in s. Known since run 2, for 3 runs: the pass rate of s."))
    }
    for words in try await night(8..<20, 0..<0) {
      #expect(
        words.contains(
          "Other test cases fail than in run 4: s. Known since run 2, for 4 runs: the pass rate of "
            + "s. Fixed since run 4: empty $.a in s."))
    }
  }

  @Test("an array that goes missing is new after a night of empty ones, and fixed when it is back")
  func missingArrays() async throws {
    let lab = try CommandLab()
    func night(empty: Range<Int>, isMissing: Bool) async throws -> String {
      let suite = Self.suite(failing: 0..<0, empty: empty)
        .replacing("required: [ok, a]", with: "required: [ok]")
      try lab.write(
        isMissing ? suite.replacing(", a: []", with: "") : suite, to: "s/suite.yaml")
      return await lab.run(["run", lab.path("s"), "-b", "stub", "--reports", lab.reports]).output
        .replacing("\u{A0}", with: " ").replacing(#/ \(\d+ \w+\)/#, with: "")
    }
    _ = try await night(empty: 0..<0, isMissing: false)
    _ = await lab.assay("baseline", "accept", "--reason", "x")
    let empty = try await night(empty: 0..<19, isMissing: false)
    #expect(empty.contains("New since run 1: empty $.a in s."), "\(empty)")
    let missing = try await night(empty: 0..<19, isMissing: true)
    #expect(missing.contains("New since run 2: missing $.a in s."), "\(missing)")
    let again = try await night(empty: 0..<19, isMissing: true)
    #expect(again.contains("Known since run 3, for 2 runs: "), "\(again)")
    let mended = try await night(empty: 0..<0, isMissing: false)
    #expect(mended.contains("Fixed since run 4: missing $.a in s."), "\(mended)")
  }

  @Test("a run of some test cases neither fixes a finding nor adds a night to it")
  func part() async throws {
    let lab = try CommandLab()
    try lab.write(
      Self.suite(failing: 0..<1, empty: 0..<0).replacing("passRate: 0", with: "passRate: 1"),
      to: "s/suite.yaml")
    func run(_ words: String...) async -> String {
      await lab.run(["run", lab.path("s"), "-b", "stub", "--reports", lab.reports] + words).output
    }
    _ = await run()
    for id in ["s/c1", "s/c0"] {
      let output = await run("--case", id)
      #expect(!output.contains("since"), "\(output)")
    }
    let output = await run().replacing("\u{A0}", with: " ")
    #expect(output.contains(", for 2 runs: the gate of s."), "\(output)")
  }
}
