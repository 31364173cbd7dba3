import Foundation
import Testing

@testable import AssayCommandLine

@Suite("The built program and its working directory")
struct RelativePathTests {
  @Test(
    "the program resolves relative paths against the folder in which it was started",
    arguments: [["--reports", "r"], ["--reports", "r/"], ["--reports", "./r/s//t"]])
  func relative(options: [String]) async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 1).write(to: lab, folder: "q")
    for command in [["run", "q", "-b", "stub"], ["report"], ["history"]] {
      let status = try await RunningProgram(command + options, in: lab.folder).status()
      #expect(status == 0, "\(command)")
    }
    #expect(lab.has("\(options[1])/latest/report.html"))
    #expect(lab.has("\(options[1])/results.sqlite"))
  }

  @Test("the program rejects a database that it can't open")
  func database() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 1).write(to: lab, folder: "q")
    for name in ["q", "/", "x/y"] {
      let status = try await RunningProgram(
        ["run", "q", "-b", "stub", "--reports", "r", "--database", name], in: lab.folder
      ).status()
      #expect(status == AssayCommandLine.ExitStatus.cannotRun.rawValue, "\(name)")
    }
  }

  @Test("if `assay run` finds no suite, it fails and writes nothing")
  func noSuites() async throws {
    let lab = try CommandLab()
    let status = try await RunningProgram(["run", "-b", "stub"], in: lab.folder).status()
    #expect(status == AssayCommandLine.ExitStatus.usage.rawValue)
    #expect(!lab.has("reports"))
  }
}
