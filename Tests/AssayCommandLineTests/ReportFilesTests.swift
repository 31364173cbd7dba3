import EvalRecords
import Foundation
import ResultStore
import StructuredText
import Testing

@testable import AssayCommandLine

@Suite("The report files of a run")
struct ReportFilesTests {
  static let names = ["report.html", "junit.xml", "summary.md", "results.jsonl"]

  /// Returns the report files in a folder, by name.
  private func files(_ folder: String, in lab: CommandLab) throws -> [String: Data] {
    try Dictionary(uniqueKeysWithValues: Self.names.map { ($0, try lab.data("\(folder)/\($0)")) })
  }

  /// Removes the reports of a run, writes them again from the database, and checks that no byte
  /// changed.
  private func checkReport(
    of run: Int, in lab: CommandLab, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async throws {
    let first = try files("reports/\(run)", in: lab)
    for folder in ["reports/\(run)", "reports/latest"] { try lab.remove(folder) }
    let ending = await lab.assay("report", "\(run)")
    let again = try files("reports/\(run)", in: lab)
    let latest = try files("reports/latest", in: lab)
    for name in Self.names {
      #expect(again[name] == first[name], "\(name)", sourceLocation: sourceLocation)
      #expect(latest[name] == first[name], "\(name)", sourceLocation: sourceLocation)
    }
    #expect(ending.errors == [], sourceLocation: sourceLocation)
  }

  @Test("`assay report` reproduces the reports of a comparison byte for byte")
  func comparison() async throws {
    let lab = try CommandLab()
    try QuizSuite(stub: QuizSuite.sometimesEmpty).write(to: lab)
    let ending = await lab.assay(
      "compare", "quiz:default", "quiz:silent", "--suites", lab.path("quiz"), "-b", "stub")
    #expect(ending.errors == [])
    let page = try lab.text("reports/1/report.html")
    #expect(page.contains("quiz:silent"))
    #expect(page.contains(" on 8\u{A0}test cases"), "a test case in two variants counts once")
    try await checkReport(of: 1, in: lab)
  }

  @Test("comparing two runs leaves the report files of both runs unchanged")
  func comparedRuns() async throws {
    let lab = try CommandLab()
    try QuizSuite().write(to: lab)
    let run = ["run", lab.path("quiz"), "-b", "stub", "--reports", lab.reports]
    for _ in 1...2 { #expect(await lab.run(run).status == .passed) }
    let before = [try files("reports/1", in: lab), try files("reports/2", in: lab)]
    #expect(await lab.assay("compare", "1", "2").status == .passed)
    #expect([try files("reports/1", in: lab), try files("reports/2", in: lab)] == before)
    #expect(try files("reports/1-2", in: lab) == files("reports/latest", in: lab))
  }

  @Test("a run writes four report files with correct counts, and copies them to `latest`")
  func counts() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 2, passRate: 1, stub: QuizSuite.sometimesEmpty).write(to: lab)
    let ending = await lab.assay("run", lab.path("quiz"), "-b", "stub")
    #expect(ending.status == .failed)
    #expect(try files("reports/1", in: lab) == files("reports/latest", in: lab))
    let left = try FileManager.default.contentsOfDirectory(atPath: lab.path("reports/latest"))
    #expect(left.sorted() == Self.names.sorted(), "no partial file is left")

    let store = try ResultStore(path: lab.database, access: .reading)
    let attempts = try store.attempts(run: 1)
    #expect(attempts.count == 16)
    let failing = Set(attempts.filter { $0.outcome != .pass }.map(\.key.caseID))
    // The seeds of the suite give both outcomes; otherwise the counts below would prove nothing.
    #expect(!failing.isEmpty && failing.count < 8)

    let junit = try JUnitFile(lab.data("reports/latest/junit.xml"))
    #expect(junit.cases == (1...8).map { "case-\($0)" } + ["[gate]"])
    #expect(Set(junit.failures) == failing.union(["[gate]"]))
    #expect(junit.errors == [])
    #expect(junit.root["tests"] == "9")
    #expect(junit.root["failures"] == "\(failing.count + 1)")
    #expect(junit.suites.map { $0["name"] } == ["evals.quiz"])

    let lines = try lab.text("reports/latest/results.jsonl").split(separator: "\n")
    let values = try lines.map { try JSONValue(parsing: String($0)) }
    #expect(values.count == 1 + 16, "one line for the run, and one for each attempt")
    let passing = attempts.count { $0.outcome == .pass }
    for name in ["report.html", "summary.md"] {
      #expect(try lab.text("reports/latest/\(name)").contains("\(passing) of 16"), "\(name)")
    }
    #expect(ending.output.contains("\(passing)/16"))
  }

  @Test("`assay report` reproduces the reports of a run byte for byte, with and without a baseline")
  func again() async throws {
    let lab = try CommandLab()
    let run = ["run", lab.path("quiz"), "-b", "stub", "--reports", lab.reports]
    try QuizSuite().write(to: lab)
    #expect(await lab.run(run).status == .passed)
    try await checkReport(of: 1, in: lab)
    #expect(await lab.assay("baseline", "accept", "--reason", "sound").status == .passed)
    try QuizSuite(guide: "The cards.", stub: QuizSuite.sometimesEmpty).write(to: lab)
    #expect(await lab.run(run).status == .failed)
    try await checkReport(of: 2, in: lab)
  }

  @Test("`assay report` ends with the same exit status as the run")
  func endsAlike() async throws {
    let lab = try CommandLab()
    try QuizSuite().write(to: lab)
    _ = await lab.assay("run", lab.path("quiz"), "-b", "stub")
    _ = await lab.assay("baseline", "accept", "--reason", "sound")
    try QuizSuite(stub: QuizSuite.sometimesEmpty).write(to: lab)
    let run = await lab.assay("run", lab.path("quiz"), "-b", "stub")
    let report = await lab.assay("report", "2")
    #expect(run.status == .failed)
    #expect(report.status == .failed)
    #expect(report.output.contains("✗ Regressed."))
    let alone = await lab.assay("report", "2", "--baseline", "none")
    #expect(alone.status == .passed)
    #expect(!alone.output.contains("Regressed"))
  }

  @Test("`assay report` reproduces reports with traces of the toy model byte for byte")
  func localAgain() async throws {
    let lab = try CommandLab()
    let cases = [("ice", "Ice floats on water."), ("owl", "An owl turns its head.")]
    try QuizSuite(guide: "The cards.", repeats: 1, passRate: 0, cases: cases).write(to: lab)
    let ending = await lab.assay(
      "run", lab.path("quiz"), "-m", Checkout.model, "--trace", "all")
    #expect(ending.status == .passed, "\(ending.notes)")
    try await checkReport(of: 1, in: lab)
    let show = await lab.assay("show", "quiz/ice", "--trace")
    #expect(show.status == .passed)
    #expect(show.output.contains("candidates before → after the mask"))
  }

  @Test("with --format json, standard output is one JSON value with the result of the run")
  func json() async throws {
    let lab = try CommandLab()
    try QuizSuite(passRate: 0.9, stub: QuizSuite.sometimesEmpty).write(to: lab)
    for command in [["run", lab.path("quiz"), "-b", "stub"], ["report", "1"]] {
      let ending = await lab.run(command + ["--format", "json", "--reports", lab.reports])
      #expect(ending.status == .failed)
      let value = try JSONValue(parsing: ending.output)
      #expect(value["exitStatus"]?.int == 1)
      #expect(value["run"]?.int == 1)
      #expect(value["status"]?.string == "complete")
      #expect(value["comparisons"]?.array?.isEmpty == true)
      #expect(value["reports"]?.string == "\(lab.reports)/latest")
    }
  }
}
