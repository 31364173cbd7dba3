import EvalRecords
import Foundation
import ResultStore
import StructuredText
import Testing

@testable import AssayCommandLine

/// Tests the built program in several processes at once, and with a disk that fills up.
@Suite("Concurrent processes and a full disk")
struct ProcessFaultTests {
  private func lab(cases: Int = 2) throws -> CommandLab {
    let lab = try CommandLab()
    var suite = QuizSuite(repeats: 1)
    suite.cases = (0..<cases).map { ("case-\($0)", "Text \($0).") }
    try suite.write(to: lab)
    return lab
  }

  @Test("twelve concurrent processes in one folder all pass, and no report or history line is lost")
  func crowd() async throws {
    let lab = try lab()
    let count = 12
    let programs = try (0..<count).map { number in
      try RunningProgram(
        ["run", "quiz", "-b", "stub"], in: lab.folder, errors: lab.writing("errors-\(number)"))
    }
    for (number, program) in programs.enumerated() {
      let status = await program.status()
      let errors = try lab.text("errors-\(number)")
      #expect(status == 0, "\(errors)")
    }

    let store = try ResultStore(path: lab.database, access: .reading)
    #expect(try store.integrityProblems() == [])
    #expect(try store.runs().map(\.status) == .init(repeating: .complete, count: count))
    let names = ["report.html", "junit.xml", "summary.md", "results.jsonl"]
    for run in 1...count {
      for name in names { #expect(lab.has("reports/\(run)/\(name)"), "run \(run)") }
    }
    let runs = try lab.text("reports/history.jsonl").split(separator: "\n").map {
      try JSONValue(parsing: String($0))["run"]?.int
    }
    #expect(runs.compactMap(\.self).sorted() == Array(1...count))

    // All files in `latest` belong to one run, and the dashboard links to every run.
    let latest = try names.map { try lab.data("reports/latest/\($0)") }
    let whole = try (1...count).filter { run in
      try names.map { try lab.data("reports/\(run)/\($0)") } == latest
    }
    #expect(whole.count == 1)
    let page = try lab.text("reports/index.html")
    for run in 1...count { #expect(page.contains("href=\"\(run)/report.html\""), "run \(run)") }
  }

  #if os(Linux)
    @Test(
      "if the disk fills up, a run shows its verdict and the command that writes the reports later",
      .enabled(if: ProcessFaultTests.canMount, "no file system can be mounted here"))
    func fullDiskUnderReports() async throws {
      let lab = try lab()
      try FileManager.default.createDirectory(
        atPath: lab.reports, withIntermediateDirectories: false)
      let program = try #require(Checkout.program)
      let status = try Self.inNamespace(
        "mount -t tmpfs -o size=32k assay reports && "
          + "exec '\(program.path)' run quiz -b stub --database runs.sqlite > output 2> errors",
        in: lab.folder)
      #expect(status == AssayCommandLine.ExitStatus.cannotRun.rawValue)
      let output = try lab.text("output")
      #expect(output.contains("✓ Passed."), "\(output)")
      #expect(output.contains("2 of 2"), "\(output)")
      #expect(output.contains("run 1 in runs.sqlite"), "\(output)")
      #expect(output.contains("exit 3"), "\(output)")
      let errors = try lab.text("errors").split(separator: "\n").filter {
        $0.hasPrefix("error: ")
      }
      #expect(errors.count == 1, "\(errors)")
      #expect(errors.first?.contains("no space left on device") == true, "\(errors)")
      #expect(
        errors.first?.contains(
          "`assay report 1 --database runs.sqlite` writes the reports later") == true, "\(errors)")

      // The run is complete, and the suggested command writes its reports.
      let store = try ResultStore(path: lab.path("runs.sqlite"), access: .reading)
      #expect(try store.integrityProblems() == [])
      #expect(try store.run(1).status == .complete)
      let later = try RunningProgram(
        ["report", "1", "--database", "runs.sqlite"], in: lab.folder)
      #expect(await later.status() == 0)
      #expect(lab.has("reports/1/report.html"))
    }

    /// Whether a test can mount a file system in a separate namespace.
    private static let canMount: Bool =
      (try? inNamespace("mount -t tmpfs -o size=32k assay /tmp", in: "/")) == 0

    /// Runs a shell command in a temporary mount namespace.
    private static func inNamespace(_ command: String, in folder: String) throws -> Int32 {
      let shell = Process()
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      shell.arguments = ["-c", "exec unshare -rm sh -c \"$0\"", command]
      shell.currentDirectoryURL = URL(fileURLWithPath: folder)
      shell.standardOutput = FileHandle.nullDevice
      shell.standardError = FileHandle.nullDevice
      try shell.run()
      shell.waitUntilExit()
      return shell.terminationStatus
    }
  #endif
}
