import EvalRecords
import Foundation
import ResultStore
import TestSupport
import Testing

@Suite("Attempts that could not be stored")
struct PendingAttemptsTests {
  /// Returns the folder of a database whose run 1 has two stored attempts, and whose attempts 2 to
  /// 4 wait in a file.
  private func interrupted() throws -> (folder: TemporaryFolder, file: String) {
    let folder = try TemporaryFolder()
    let store = try ResultStore(path: folder.database)
    let run = try store.beginRun(sampleRun())
    try store.append([sampleAttempt(0), sampleAttempt(1)], run: run.id)
    let file = try PendingAttempts.write(
      (2...4).map { sampleAttempt($0) }, of: run, beside: folder.database)
    return (folder, file)
  }

  private func attempts(_ folder: TemporaryFolder) throws -> [AttemptRecord] {
    try ResultStore(path: folder.database, access: .reading).attempts(run: 1)
  }

  @Test("the next store that writes adds the attempts and deletes the file; a reader does neither")
  func added() throws {
    let (folder, file) = try interrupted()
    #expect(file == folder.database + ".pending-1.jsonl")
    #expect(PendingAttempts.files(beside: folder.database) == [file])
    #expect(try attempts(folder).count == 2)
    #expect(PendingAttempts.files(beside: folder.database) == [file])

    let store = try ResultStore(path: folder.database)
    #expect(store.pendingAdded.map(\.attempts) == [3])
    #expect(store.pendingAdded.map(\.run) == [1])
    #expect(try store.attempts(run: 1) == (0...4).map { sampleAttempt($0) })
    #expect(try store.run(1).status == .interrupted)
    #expect(PendingAttempts.files(beside: folder.database) == [])
    #expect(try ResultStore(path: folder.database).pendingAdded == [])
    #expect(try store.integrityProblems() == [])
  }

  @Test("adding the same file again changes nothing, as after a kill before the file was deleted")
  func idempotent() throws {
    let (folder, file) = try interrupted()
    let content = try Data(contentsOf: URL(fileURLWithPath: file))
    _ = try ResultStore(path: folder.database)
    let once = try attempts(folder)
    try content.write(to: URL(fileURLWithPath: file))
    _ = try ResultStore(path: folder.database)
    #expect(try attempts(folder) == once)
    #expect(PendingAttempts.files(beside: folder.database) == [])
  }

  @Test("a stored attempt stays as it is, but a skipped one makes room")
  func replacing() throws {
    let (folder, _) = try interrupted()
    do {
      // A version of Assay that doesn't know the file would continue the run like this.
      let file = folder.database + ".pending-1.jsonl"
      try FileManager.default.moveItem(atPath: file, toPath: folder.path + "/aside")
      let store = try ResultStore(path: folder.database)
      try store.append(
        [
          sampleAttempt(2, output: "made again"),
          sampleAttempt(3, outcome: .skipped, output: "skipped"),
        ], run: 1)
      try FileManager.default.moveItem(atPath: folder.path + "/aside", toPath: file)
    }
    _ = try ResultStore(path: folder.database)
    let outputs = try attempts(folder).map(\.output)
    #expect(outputs.count == 5)
    #expect(outputs[2] == "made again")
    #expect(try attempts(folder)[3...] == [sampleAttempt(3), sampleAttempt(4)])
  }

  @Test("a database that doesn't have the run gets the whole run")
  func otherDatabase() throws {
    let (folder, file) = try interrupted()
    let other = try TemporaryFolder()
    var later = sampleRun()
    later.startedAt = "2026-12-01T01:00:00Z"
    _ = try ResultStore(path: other.database).beginRun(later)
    try FileManager.default.moveItem(
      atPath: file, toPath: other.database + ".pending-1.jsonl")
    let store = try ResultStore(path: other.database)
    #expect(try store.attempts(run: 1).isEmpty, "run 1 of this database is another run")
    #expect(try store.attempts(run: 2) == (2...4).map { sampleAttempt($0) })
    #expect(try store.run(2).status == .interrupted)
    _ = folder
  }

  @Test(
    "a damaged file is kept and gives one error with its place, and the database stays as it is",
    arguments: [
      ("", "1:1: a run and its pending attempts are expected"),
      ("{\"assay\":\"results\",\"version\":1}\n", "1:1: a run and its pending attempts are"),
      ("{\"assay\":\"results\",\"version\":9}\n", "1:1: this is not an archive of version 1"),
      ("HEADER\nRUN\n{\"attempt\":{\"key\"", "3:18: the line is not JSON"),
      ("HEADER\nRUN\n{\"attempt\":{}}\n", "3:1: attempt: "),
      ("HEADER\nRUN\nFOREIGN\n", "3:1: the attempt names a suite, variant, test case or backend"),
      ("HEADER\nATTEMPT\n", "2:1: an attempt without a run before it"),
      ("HEADER\nRUN\nATTEMPT\nATTEMPT\n", "4:1: the attempt zebra/case-2#0 of the variant"),
    ])
  func damaged(text: String, message: String) throws {
    let (folder, file) = try interrupted()
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    let damaged = text.replacing("HEADER", with: lines[0]).replacing("RUN", with: lines[1])
      .replacing("ATTEMPT", with: lines[2])
      .replacing("FOREIGN", with: lines[2].replacing("\"zebra\"", with: "\"lion\""))
    try damaged.write(toFile: file, atomically: true, encoding: .utf8)
    let error = #expect(throws: ArchiveError.self) { _ = try ResultStore(path: folder.database) }
    let words = "\(error.map(String.init(describing:)) ?? "")"
    #expect(words.hasPrefix("\(file):\(message)"), "\(words)")
    #expect(words.hasSuffix("; mend the file, or move it away to give up its attempts"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == damaged)
    #expect(try attempts(folder).count == 2)
  }

  @Test("a salvage also copies the attempts that wait beside the damaged file, and keeps that file")
  func salvaged() throws {
    let (folder, file) = try interrupted()
    let target = try ResultStore(path: folder.path + "/new.sqlite")
    let report = try ResultStore.salvage(from: folder.database, into: target)
    #expect(report.runs == [1])
    #expect(report.attempts == 5)
    #expect(report.losses == [])
    #expect(try target.attempts(run: 1) == (0...4).map { sampleAttempt($0) })
    #expect(FileManager.default.fileExists(atPath: file))
    try "?".write(toFile: file, atomically: true, encoding: .utf8)
    let second = try ResultStore(path: folder.path + "/second.sqlite")
    let losses = try ResultStore.salvage(from: folder.database, into: second).losses
    #expect(losses.count == 1)
    #expect(losses.first?.hasPrefix("\(file):1:1: ") == true, "\(losses)")
  }
}
