import Foundation
import Testing

@testable import AssayCommandLine

@Suite("Running only some test cases")
struct FailedCasesTests {
  /// Creates a lab with a run of eight test cases; some of them failed, unless `passing` is true.
  ///
  /// - Returns: The lab, and the ids of the test cases that failed.
  private func lab(passing: Bool = false) async throws -> (CommandLab, failed: Set<String>) {
    let lab = try CommandLab()
    try QuizSuite(
      repeats: 2, passRate: 0,
      stub: passing ? QuizSuite.fullAnswer : QuizSuite.sometimesEmpty
    ).write(to: lab)
    let run = await lab.assay("run", lab.path("quiz"), "-b", "stub", "--format", "json")
    #expect(run.status == .passed, "\(run.notes)")
    let rows = try lab.text("reports/latest/results.jsonl").split(separator: "\n")
    struct Row: Decodable {
      var kind: String
      var `case`: String?
      var outcome: String?
    }
    let decoder = JSONDecoder()
    let failed = rows.compactMap { try? decoder.decode(Row.self, from: Data($0.utf8)) }
      .filter { $0.outcome == "fail" || $0.outcome == "error" }.compactMap(\.case)
    return (lab, Set(failed))
  }

  @Test("--failed runs only the test cases with a failed attempt in the last run")
  func failed() async throws {
    let (lab, failed) = try await lab()
    #expect(!failed.isEmpty && failed.count < 8, "\(failed)")
    let listed = await lab.assay(
      "list", lab.path("quiz"), "-b", "stub", "--failed", "--format", "json")
    #expect(listed.status == .passed, "\(listed.notes)")
    for id in (1...8).map({ "case-\($0)" }) {
      #expect(listed.output.contains("\"\(id)\"") == failed.contains(id), "\(id)")
    }
    let again = await lab.assay("run", lab.path("quiz"), "-b", "stub", "--failed")
    #expect(again.notes.contains(" \(failed.count) test case"), "\(again.notes)")
    let history = try lab.text("reports/history.jsonl")
    #expect(history.split(separator: "\n").count == 1, "a partial run adds no line to the history")
  }

  @Test("a comparison of variants is not the last run, because its failures are the variants'")
  func comparison() async throws {
    let (lab, failed) = try await lab()
    let compared = await lab.assay(
      "compare", "quiz:default", "quiz:silent", "--suites", lab.path("quiz"), "-b", "stub",
      "-r", "20")
    #expect(compared.status != .usage && compared.status != .cannotRun, "\(compared.notes)")
    let again = await lab.assay("run", lab.path("quiz"), "-b", "stub", "--failed")
    #expect(again.notes.contains(" \(failed.count) test case"), "\(again.notes)")
  }

  @Test("if every test case passed, --failed ends with an error that says so")
  func nothingFailed() async throws {
    let (lab, failed) = try await lab(passing: true)
    #expect(failed.isEmpty)
    let ending = await lab.assay("run", lab.path("quiz"), "-b", "stub", "--failed")
    #expect(ending.status == .nothingSelected)
    #expect(
      ending.errors == [
        "no test case failed in the last run (run 1); there is nothing to run again"
      ])
  }

  @Test(
    "a pattern selects test cases by id, or by suite and id",
    arguments: [
      ("quiz/*", 8), ("*", 8), ("case-*", 8), ("*-3", 1), ("q*/c*-[1]", 0), ("quiz/case-4", 1),
      ("other/*", 0),
    ])
  func checkPattern(pattern: String, count: Int) async throws {
    let lab = try CommandLab()
    try QuizSuite().write(to: lab)
    let ending = await lab.run(["list", lab.path("quiz"), "--case", pattern, "-b", "stub"])
    if count == 0 {
      #expect(ending.status == .nothingSelected)
      #expect(ending.errors.first?.hasPrefix("there is no test case `\(pattern)`") == true)
    } else {
      let noun = count == 1 ? "test case" : "test cases"
      #expect(ending.output.contains("1 suite, \(count) \(noun)"), "\(ending.output)")
    }
  }
}
