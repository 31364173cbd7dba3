import EvalRecords
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AssayCommandLine
@testable import ResultStore

@Suite("The built program, stopped during a run")
struct SignalTests {
  /// Starts a run of many slow attempts, sends a signal once some are stored, and waits until the
  /// program ends.
  ///
  /// - Returns: The program's exit status or signal, which of the two it is, and the number of
  ///   attempts that were stored before the signal.
  private func interrupt(
    with signal: Int32, repeats: Int = 500, latency: Int = 10, in lab: CommandLab
  ) async throws -> (status: Int32?, reason: Process.TerminationReason, stored: Int) {
    let (started, stored) = try await start(
      andSend: signal, repeats: repeats, latency: latency, in: lab)
    let status = await started.status()
    return (status, started.process.terminationReason, stored)
  }

  /// Starts a run of many slow attempts, waits until some are stored, and sends a signal.
  ///
  /// - Returns: The program, which may have ended in the meantime, and the number of attempts
  ///   stored before the signal.
  private func start(
    andSend signal: Int32, repeats: Int = 500, latency: Int = 10, in lab: CommandLab,
    environment: [String: String] = [:]
  ) async throws -> (program: RunningProgram, stored: Int) {
    try QuizSuite(repeats: repeats, stub: QuizSuite.fullAnswer + "\n  latency: \(latency)").write(
      to: lab)
    let started = try RunningProgram(
      ["run", "quiz", "-b", "stub", "-j", "1", "--reports", "reports"], in: lab.folder,
      environment: environment)
    let stored = Mutex(0)
    await waitUntil {
      stored.withLock { $0 = Self.stored(lab) }
      return stored.withLock(\.self) >= 5 || !started.process.isRunning
    } then: {
      kill(started.process.processIdentifier, stored.withLock(\.self) >= 5 ? signal : SIGKILL)
    }
    let count = stored.withLock(\.self)
    try #require(count >= 5, "attempts must be stored while the run goes on")
    return (started, count)
  }

  @Test(
    "if the program is killed, its finished attempts are stored, and the run counts as interrupted")
  func killed() async throws {
    let lab = try CommandLab()
    let (status, reason, stored) = try await interrupt(with: SIGKILL, in: lab)
    #expect(reason == .uncaughtSignal)
    #expect(status == SIGKILL)
    let history = await lab.assay("history")
    #expect(history.status == .passed)
    #expect(history.output.contains("interrupted"), "\(history.output)")
    let store = try ResultStore(path: lab.database, access: .reading)
    let attempts = try store.attempts(run: 1)
    // The whole run has 4,000 attempts: 500 repeats of eight test cases.
    #expect((stored..<4000).contains(attempts.count))
    #expect(attempts.allSatisfy { $0.outcome == .pass })
    #expect(try store.integrityProblems() == [])
    #expect(!lab.has("reports/latest/report.html"), "a killed run writes no report")

    let report = await lab.assay("report", "1")
    #expect(report.status == .interrupted, "\(report.notes)")
    #expect(try lab.text("reports/latest/report.html").contains("nterrupted"))
    let accept = await lab.assay("baseline", "accept", "1", "--reason", "no")
    #expect(accept.status == .usage)
    #expect(accept.errors == ["run 1 is not complete, so it can't be a baseline"])
  }

  @Test(
    "an interrupted program writes reports of the finished attempts, and ends with exit status 2",
    arguments: [SIGINT, SIGTERM])
  func interrupted(signal: Int32) async throws {
    let lab = try CommandLab()
    let (status, reason, stored) = try await interrupt(with: signal, in: lab)
    #expect(reason == .exit)
    #expect(status == AssayCommandLine.ExitStatus.interrupted.rawValue)
    let store = try ResultStore(path: lab.database, access: .reading)
    let run = try store.run(1)
    #expect(run.status == .interrupted)
    let attempts = try store.attempts(run: 1)
    #expect((stored..<4000).contains(attempts.count))
    let lines = try lab.text("reports/latest/results.jsonl").split(separator: "\n")
    #expect(lines.count == 1 + attempts.count, "one line for the run, and one for each attempt")
    for name in ReportFilesTests.names { #expect(lab.has("reports/1/\(name)"), "\(name)") }
    #expect(try lab.text("reports/latest/summary.md").contains("nterrupted"))
  }

  @Test("once a run has ended, the file of the database alone has the whole run")
  func fileAloneAfterRun() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 2).write(to: lab)
    // A reader that is open all the time keeps the writer from being the last to close the file.
    #expect(await lab.assay("run", lab.path("quiz"), "-b", "stub").status == .passed)
    let reader = try ResultStore(path: lab.database, access: .reading)
    #expect(await lab.assay("run", lab.path("quiz"), "-b", "stub").status == .passed)
    try FileManager.default.copyItem(atPath: lab.database, toPath: lab.path("copy.sqlite"))
    let copy = try ResultStore(path: lab.path("copy.sqlite"), access: .reading)
    #expect(try copy.attempts(run: 2).count == reader.attempts(run: 2).count)
    #expect(try copy.attempts(run: 2).count == 16)
  }

  @Test("a database that was deleted meanwhile isn't created anew when the program ends")
  func deletedDatabase() throws {
    let lab = try CommandLab()
    try FileManager.default.createDirectory(
      atPath: lab.reports, withIntermediateDirectories: true)
    _ = try ResultStore(path: lab.database)
    #expect(lab.has("reports/results.sqlite"))
    try FileManager.default.removeItem(atPath: lab.reports)
    ResultStore.settleAll()
    #expect(!lab.has("reports/results.sqlite"))
    try FileManager.default.createDirectory(
      atPath: lab.reports, withIntermediateDirectories: true)
    ResultStore.settleAll()
    #expect(!lab.has("reports/results.sqlite"))
  }

  @Test("once the program has ended, the file of the database alone has the whole run")
  func fileAlone() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 2).write(to: lab)
    let program = try RunningProgram(
      ["run", "quiz", "-b", "stub", "--reports", "reports"], in: lab.folder, environment: [:])
    #expect(await program.status() == 0)
    // An artifact of a CI job has only this file, without the write-ahead log.
    try FileManager.default.copyItem(atPath: lab.database, toPath: lab.path("copy.sqlite"))
    let store = try ResultStore(path: lab.path("copy.sqlite"), access: .reading)
    #expect(try store.attempts(run: 1).count == 16)
  }

  @Test("a second interrupt ends the program immediately, even if the orderly shutdown hangs")
  func interruptedTwice() async throws {
    for (first, second) in [(SIGINT, SIGINT), (SIGTERM, SIGINT)] {
      let lab = try CommandLab()
      // To open a pipe for writing, a program waits for a reader. Nobody reads this pipe, so the
      // orderly shutdown hangs when it opens the pipe to write the summary of the CI job.
      let pipe = lab.path("summary")
      #expect(mkfifo(pipe, 0o600) == 0)
      let (program, stored) = try await start(
        andSend: first, repeats: 40, in: lab, environment: ["GITHUB_STEP_SUMMARY": pipe])
      await waitUntil { lab.has("reports/latest/results.jsonl") || !program.process.isRunning }
      #expect(program.process.isRunning, "one signal doesn't end an orderly shutdown that hangs")
      kill(program.process.processIdentifier, second)
      #expect(await program.status() == AssayCommandLine.ExitStatus.interrupted.rawValue)
      #expect(program.process.terminationReason == .exit)

      let store = try ResultStore(path: lab.database, access: .reading)
      #expect(try store.integrityProblems() == [])
      #expect(try store.run(1).status == .interrupted)
      let before = try store.attempts(run: 1)
      // The whole run has 320 attempts: 40 repeats of eight test cases.
      #expect((stored..<320).contains(before.count))
      let ending = await lab.run([
        "run", lab.path("quiz"), "-b", "stub", "-j", "64", "--resume", "1", "--reports",
        lab.reports,
      ])
      #expect(ending.status == .passed, "\(ending.notes)")
      #expect(try store.attempts(run: 1).count == 320)
      #expect(try Array(store.attempts(run: 1).prefix(before.count)) == before)
      #expect(try store.run(1).status == .complete)
    }
  }

  @Test("an interrupt immediately ends both Assay and the external program of an assertion")
  func interruptedCommand() async throws {
    let lab = try CommandLab()
    var suite = QuizSuite(repeats: 1)
    suite.cases = Array(suite.cases.prefix(2))
    try suite.write(to: lab)
    try lab.write(
      suite.text.replacing(
        "assertions:",
        with: "assertions:\n  - command: { path: $, run: [./slow], timeLimit: 60000 }"),
      to: "quiz/suite.yaml")
    try lab.write("#!/bin/sh\necho $$ > started\nexec sleep 50\n", to: "quiz/slow")
    #expect(chmod(lab.path("quiz/slow"), 0o755) == 0)
    let program = try RunningProgram(
      ["run", "quiz", "-b", "stub", "--allow-commands", "--reports", "reports"], in: lab.folder,
      environment: ["PATH": "/usr/bin:/bin"])
    await waitUntil {
      (try? lab.text("quiz/started"))?.hasSuffix("\n") == true
    } then: {
      kill(program.process.processIdentifier, SIGINT)
    }
    let child = try #require(
      pid_t(try lab.text("quiz/started").trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(await program.status() == AssayCommandLine.ExitStatus.interrupted.rawValue)
    #expect(await waitUntil { kill(child, 0) != 0 }, "the external program has ended too")
    let store = try ResultStore(path: lab.database, access: .reading)
    #expect(try store.run(1).status == .interrupted)
    #expect(try store.attempts(run: 1).isEmpty, "an unfinished attempt isn't stored")
  }

  @Test(
    "an interrupt ends a run whose database is locked, and the next run adds the finished attempts")
  func interruptedWhileLocked() async throws {
    let lab = try CommandLab()
    try QuizSuite(repeats: 300, stub: QuizSuite.fullAnswer + "\n  latency: 20").write(to: lab)
    let arguments = ["run", "quiz", "-b", "stub", "-j", "2", "--reports", "reports"]
    let program = try RunningProgram(arguments, in: lab.folder, errors: lab.writing("errors"))
    let other = Mutex<Connection?>(nil)
    let stored = Mutex(0)
    await waitUntil {
      Self.stored(lab) >= 5
    } then: {
      other.withLock { connection in
        connection = try? Connection(path: lab.database, isReadOnly: false, waiting: LockWait())
        try? connection?.run("BEGIN EXCLUSIVE")
      }
      stored.withLock { $0 = Self.stored(lab) }
      blockUntil { (try? lab.text("errors"))?.contains("warning: ") == true }
      kill(program.process.processIdentifier, SIGINT)
    }
    #expect(await program.status() == AssayCommandLine.ExitStatus.interrupted.rawValue)
    let errors = try lab.text("errors")
    let pending = "reports/results.sqlite.pending-1.jsonl"
    #expect(errors.contains("results.sqlite is locked by "), "\(errors)")
    #expect(errors.contains("in \(pending), and the next command"), "\(errors)")
    #if os(Linux)
      #expect(errors.contains("locked by process \(getpid()) ("), "\(errors)")
    #endif
    #expect(Self.stored(lab) == stored.withLock(\.self))
    try other.withLock { try $0?.run("ROLLBACK") }
    let waiting = try lab.text(pending).split(separator: "\n").count - 2
    #expect(waiting >= 1, "the attempt that waited for the database has finished")

    let resumed = await lab.run(
      [
        "run", lab.path("quiz"), "-b", "stub", "-j", "64", "--resume", "1", "--reports",
        lab.reports,
      ]
    )
    #expect(resumed.status == .passed, "\(resumed.notes)")
    #expect(resumed.notes.contains("pending-1.jsonl: \(waiting) attempt"), "\(resumed.notes)")
    #expect(Self.stored(lab) == 2400)
    #expect(!lab.has(pending))
  }

  private static func stored(_ lab: CommandLab) -> Int {
    let store = try? ResultStore(path: lab.database, access: .reading)
    return (try? store?.attempts(run: 1).count) ?? 0
  }

  @Test("a resumed run doesn't repeat the attempts that a killed program stored")
  func resumed() async throws {
    let lab = try CommandLab()
    _ = try await interrupt(with: SIGKILL, repeats: 40, latency: 50, in: lab)
    let store = try ResultStore(path: lab.database, access: .reading)
    let before = try store.attempts(run: 1)
    #expect(before.count < 320)
    let resume =
      ["run", lab.path("quiz"), "-b", "stub", "-j", "8", "--resume", "1"]
      + ["--reports", lab.reports]

    let sound = try lab.text("quiz/suite.yaml")
    try lab.write(sound.replacing("number 1.", with: "number one."), to: "quiz/suite.yaml")
    let changed = await lab.run(resume)
    #expect(changed.status == .usage)
    #expect(changed.errors.count == 1)
    #expect(
      changed.errors.first?.hasPrefix("run 1 can't be continued: ") == true, "\(changed.notes)")
    #expect(try store.attempts(run: 1) == before)

    try lab.write(sound, to: "quiz/suite.yaml")
    let ending = await lab.run(resume)
    #expect(ending.status == .passed, "\(ending.notes)")
    let after = try store.attempts(run: 1)
    #expect(after.count == 320)
    #expect(Array(after.prefix(before.count)) == before)
    #expect(Set(after.map(\.key)).count == 320)
    #expect(try store.run(1).status == .complete)
    let first = try ReportFilesTests.names.map { try lab.data("reports/1/\($0)") }
    #expect(await lab.assay("report", "1").status == .passed)
    #expect(try ReportFilesTests.names.map { try lab.data("reports/1/\($0)") } == first)

    // Except for the times and the folder, the reports equal those of an uninterrupted run.
    // This test leaves out the page, because its dates have many forms; `scripts/check/soak`
    // compares it.
    let calm = try CommandLab()
    try QuizSuite(repeats: 40, stub: QuizSuite.fullAnswer + "\n  latency: 50").write(to: calm)
    #expect(await calm.assay("run", calm.path("quiz"), "-b", "stub", "-j", "64").status == .passed)
    let time = try Regex("[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9:]+Z?)?(–[-0-9: ]+UTC)?")
    for name in ReportFilesTests.names where name != "report.html" {
      let texts = try [lab, calm].map {
        try $0.text("reports/1/\(name)").replacing(time, with: "").replacing($0.reports, with: "")
      }
      #expect(texts[0] == texts[1], "\(name)")
    }

    let again = await lab.run(resume)
    #expect(again.status == .usage)
    #expect(again.errors == ["run 1 is complete; there is nothing to continue"])
  }
}
