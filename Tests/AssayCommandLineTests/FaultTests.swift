import Foundation
import ResultStore
import TestSupport
import Testing

@testable import AssayCommandLine

@Suite("Faults in the environment")
struct FaultTests {
  private func lab() throws -> CommandLab {
    let lab = try CommandLab()
    var suite = QuizSuite(repeats: 1)
    suite.cases = Array(suite.cases.prefix(2))
    try suite.write(to: lab)
    return lab
  }

  @Test(
    "concurrent runs in one folder all pass, and none loses its reports or its history line")
  func concurrentRuns() async throws {
    let lab = try lab()
    let count = 12
    let endings = await withTaskGroup(of: CommandLab.Ending.self) { group in
      for _ in 0..<count {
        group.addTask { await lab.assay("run", lab.path("quiz"), "-b", "stub") }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    for ending in endings { #expect(ending.status == .passed, "\(ending.notes)") }
    let store = try ResultStore(path: lab.database, access: .reading)
    #expect(try store.runIDs() == Array(1...count))
    for run in 1...count { #expect(lab.has("reports/\(run)/report.html")) }
    let lines = try lab.text("reports/history.jsonl").split(separator: "\n")
    #expect(lines.count == count)
    #expect(Set(lines).count == count)
    let left = try FileManager.default.subpathsOfDirectory(atPath: lab.reports)
      .filter { $0.hasSuffix(".new") }
    #expect(left == [])
  }

  @Test(
    "a run that can't write its reports shows its verdict and the command that writes them later")
  func reportsCannotBeWritten() async throws {
    let lab = try lab()
    try lab.write("in the way", to: "reports/latest")
    let ending = await lab.assay("run", lab.path("quiz"), "-b", "stub")
    #expect(ending.status == .cannotRun)
    #expect(ending.output.contains("2 of 2"), "\(ending.output)")
    #expect(ending.output.contains("exit 3"))
    #expect(ending.errors.count == 1)
    #expect(ending.errors.first?.contains("assay report 1 --reports \(lab.reports)") == true)
    try lab.remove("reports/latest")
    #expect(await lab.assay("report", "1").status == .passed)
    #expect(lab.has("reports/latest/report.html"))
  }

  @Test("a run rejects a damaged database, and leaves it unchanged")
  func damagedDatabase() async throws {
    let lab = try lab()
    #expect(await lab.assay("run", lab.path("quiz"), "-b", "stub").status == .passed)
    let sound = try lab.data("reports/results.sqlite")
    for page in 1..<sound.count / 4096 {
      var bytes = sound
      // Damage the header of one page. The first page, which has the file's header, stays intact.
      bytes.replaceSubrange(
        page * 4096..<page * 4096 + 64, with: Data(repeating: 0xA5, count: 64))
      try lab.write(bytes, to: "reports/results.sqlite")
      let ending = await lab.assay("run", lab.path("quiz"), "-b", "stub")
      #expect(ending.status == .cannotRun, "page \(page)")
      #expect(ending.errors.first?.contains("damaged") == true, "\(ending.notes)")
      #expect(try lab.data("reports/results.sqlite") == bytes, "page \(page)")
    }
  }

  @Test("`assay run` rejects a device as the database")
  func deviceAsDatabase() async throws {
    let lab = try lab()
    let ending = await lab.run([
      "run", lab.path("quiz"), "-b", "stub", "--reports", lab.reports, "--database", "/dev/null",
    ])
    #expect(ending.status == .cannotRun)
    #expect(ending.errors.first?.contains("it is a device or a pipe, not a file") == true)
  }

  #if os(Linux)
    @Test("if the output goes to a full device, the command ends with exit status 3")
    func fullDevice() async throws {
      let lab = try lab()
      #expect(await lab.assay("run", lab.path("quiz"), "-b", "stub").status == .passed)
      let words = [
        ["export", "--out", "/dev/full"], ["export"], ["history"], ["list", lab.path("quiz")],
        ["help"],
      ]
      for arguments in words {
        let isReading = ["export", "history"].contains(arguments[0])
        let program = try RunningProgram(
          arguments + (isReading ? ["--reports", lab.reports] : []), in: lab.folder,
          output: FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/full")))
        #expect(
          await program.status() == AssayCommandLine.ExitStatus.cannotRun.rawValue,
          "\(arguments)")
      }
    }
  #endif

  @Test("a run completes even if the pipe that should receive its output is closed")
  func closedPipe() async throws {
    let lab = try lab()
    let pipe = Pipe()
    try pipe.fileHandleForReading.close()
    let program = try RunningProgram(
      ["run", "quiz", "-b", "stub"], in: lab.folder, output: pipe.fileHandleForWriting)
    #expect(await program.status() == 0)
    #expect(lab.has("reports/latest/report.html"))
  }

  @Test(
    "list rejects a symbolic link that leads back to a parent folder, and follows other links",
    arguments: [("back", ".", true), ("up", "..", true), ("elsewhere", "../other", false)])
  func checkLink(name: String, target: String, isLoop: Bool) async throws {
    let lab = try CommandLab()
    try QuizSuite().write(to: lab, folder: "evals/quiz")
    try lab.write("nothing", to: "other/note.txt")
    for suffix in ["a", "b"] {
      try FileManager.default.createSymbolicLink(
        atPath: lab.path("evals/\(name)-\(suffix)"), withDestinationPath: target)
    }
    let ending = await lab.run(["list", lab.path("evals")])
    #expect(ending.status == (isLoop ? .usage : .passed), "\(ending.notes)")
    if isLoop {
      #expect(
        ending.errors.first?.contains("evals/\(name)-a: a symbolic link leads back to") == true,
        "\(ending.notes)")
    }
  }

  @Test(
    "if an assertion's program leaves another process running, Assay ends that process")
  func grandchild() async throws {
    let lab = try CommandLab()
    var suite = QuizSuite(repeats: 1)
    suite.cases = Array(suite.cases.prefix(1))
    try suite.write(to: lab)
    try lab.write(
      suite.text.replacing(
        "assertions:", with: "assertions:\n  - command: { path: $, run: [./leaves] }"),
      to: "quiz/suite.yaml")
    try lab.write(
      "#!/bin/sh\nsleep 60 >/dev/null &\necho $! > child\necho '{\"pass\": true}'\n",
      to: "quiz/leaves")
    #expect(chmod(lab.path("quiz/leaves"), 0o755) == 0)
    let ending = await lab.run(
      [
        "run", lab.path("quiz"), "-b", "stub", "--allow-commands", "--reports", lab.reports,
      ], environment: ["PATH": "/usr/bin:/bin"])
    #expect(ending.status == .passed, "\(ending.notes)")
    let child = try #require(
      pid_t(try lab.text("quiz/child").trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(await waitUntil { hasEnded(child) })
  }
}
