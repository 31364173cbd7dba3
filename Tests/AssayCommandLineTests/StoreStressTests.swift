import EvalRecords
import Foundation
import ResultStore
import Testing

@testable import AssayCommandLine

/// A quick version of `scripts/check/soak`.
@Suite("A result database under stress")
struct StoreStressTests {
  @Test("eight processes write to one database at once, and no attempt is lost")
  func eightProcesses() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 5, passRate: 0.1, stub: QuizSuite.sometimesEmpty).write(to: lab)
    let programs = try (0..<8).map { number in
      try RunningProgram(
        ["run", "quiz", "-b", "stub", "--database", "all.sqlite", "--reports", "r\(number)"],
        in: lab.folder, errors: lab.writing("errors-\(number)"))
    }
    for (number, program) in programs.enumerated() {
      let status = await program.status()
      let errors = try lab.text("errors-\(number)")
      #expect(status == 0, "\(errors)")
    }
    let store = try ResultStore(path: lab.path("all.sqlite"), access: .reading)
    #expect(try store.integrityProblems() == [])
    let runs = try store.runs()
    #expect(runs.map(\.status) == [RunRecord.Status](repeating: .complete, count: 8))
    let attempts = try runs.map { Set(try store.attempts(run: $0.id)) }
    // Each run has 40 attempts: five repeats of eight test cases.
    #expect(attempts.allSatisfy { $0.count == 40 && $0 == attempts[0] })
  }

  #if os(Linux)
    @Test("a full disk causes one error and status 3, and no older report passes for the run's")
    func fullDisk() async throws {
      let lab = try CommandLab()
      try QuizSuite(repeats: 40).write(to: lab)
      let first = await lab.assay("run", lab.path("quiz"), "-b", "stub", "-r", "1")
      #expect(first.status == .passed, "\(first.notes)")
      let before = try ReportFilesTests.names.map { try lab.data("reports/1/\($0)") }
      let blocks = try lab.data("reports/results.sqlite").count / 512 + 16
      let program = try #require(Checkout.program)

      // Limit the size of a file to a little more than the database's, so that a write fails as it
      // does on a full disk.
      let shell = Process()
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      shell.arguments = [
        "-c",
        "trap '' XFSZ; ulimit -f \(blocks); "
          + "exec '\(program.path)' run quiz -b stub --reports reports 2> errors",
      ]
      shell.currentDirectoryURL = URL(fileURLWithPath: lab.folder)
      shell.standardOutput = FileHandle.nullDevice
      try shell.run()
      shell.waitUntilExit()
      #expect(shell.terminationStatus == AssayCommandLine.ExitStatus.cannotRun.rawValue)
      let errors = try lab.text("errors").split(separator: "\n").filter {
        $0.hasPrefix("error: ")
      }
      #expect(errors.count == 1, "\(errors)")
      #expect(
        errors.first?.contains(try Regex("can't be written|disk is full")) == true, "\(errors)")
      #expect(try ReportFilesTests.names.map { try lab.data("reports/1/\($0)") } == before)
      #expect(!lab.has("reports/latest/report.html") && !lab.has("reports/latest/summary.md"))
      if lab.has("reports/latest/junit.xml") {
        let junit = try JUnitFile(lab.data("reports/latest/junit.xml"))
        #expect(junit.errors == ["[run]"])
      }
      let store = try ResultStore(path: lab.database)
      #expect(try store.integrityProblems() == [])
      #expect(try store.attempts(run: 1).count == 8)
      #expect(try store.run(2).status == .interrupted)
    }
  #endif

  @Test("with `store: digests`, a run writes no text of an input or an answer to any file")
  func digestsOnly() async throws {
    let lab = try CommandLab()
    var quiz = QuizSuite(
      repeats: 5, passRate: 0, stub: QuizSuite.sometimesEmpty.replacing("First.", with: "Zanzibar.")
    )
    quiz.cases = quiz.cases.map { ($0.0, "Quokka \($0.0)") }
    try quiz.write(to: lab)
    try lab.write("store: digests\n" + quiz.text, to: "quiz/suite.yaml")
    let ending = await lab.assay(
      "run", lab.path("quiz"), "-b", "stub", "--trace", "all", "--cache")
    #expect(ending.status == .passed, "\(ending.notes)")
    for secret in ["Quokka", "Zanzibar"] {
      #expect(!ending.output.contains(secret) && !ending.notes.contains(secret))
      let files = FileManager.default.enumerator(atPath: lab.reports)
      for case let file as String in try #require(files) {
        guard let data = try? lab.data("reports/\(file)") else { continue }
        #expect(data.range(of: Data(secret.utf8)) == nil, "\(secret) in \(file)")
      }
    }
    let store = try ResultStore(path: lab.database, access: .reading)
    let attempts = try store.attempts(run: 1)
    #expect(attempts.count == 40)
    #expect(attempts.allSatisfy { $0.renderedPrompt.hasPrefix("sha256:") })
    let shapes = attempts.compactMap { $0.details.shape?.lengths["$.pairs"]?.first }
    #expect(Set(shapes) == [0, 3])
    #expect(try store.run(1).suites[0].details.store == .digests)
    let summary = try lab.text("reports/1/summary.md")
    #expect(await lab.assay("report", "1").status == .passed)
    #expect(try lab.text("reports/1/summary.md") == summary)
  }

  @Test("a run drops the traces that exceed its trace budget, and a note says so")
  func traceBudget() async throws {
    let lab = try CommandLab()
    let run = [
      "run", Checkout.suites.appendingPathComponent("session-insight").path, "-m", Checkout.model,
      "--case", "slip-two-bets", "-r", "1", "--trace", "all", "--reports", lab.reports,
    ]
    for (budget, kept) in [("64", true), ("0", false)] {
      let ending = await lab.run(run + ["--trace-budget", budget])
      #expect(
        ending.notes.contains("steps of 1 attempt were not kept") == !kept, "\(ending.notes)")
      let store = try ResultStore(path: lab.database, access: .reading)
      let run = try #require(try store.latestRun())
      let attempts = try store.attempts(run: run.id)
      #expect(attempts.map(\.trace.isEmpty) == [!kept])
      #expect(attempts.map(\.decisions.isEmpty) == [false])
      #expect(run.details.traces?.dropped == (kept ? 0 : 1))
      let show = await lab.assay("show", "session-insight/slip-two-bets", "--run", "\(run.id)")
      #expect(show.output.contains("--trace-budget") == !kept)
    }
  }
}
