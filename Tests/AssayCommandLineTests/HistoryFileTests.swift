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
}
