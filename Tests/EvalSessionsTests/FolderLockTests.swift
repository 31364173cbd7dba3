import Foundation
import ResultStore
import TestSupport
import Testing

@testable import EvalSessions

@Suite("A folder of reports that another process has locked")
struct FolderLockTests {
  @Test("writing reports gives up, says who has locked the folder, and changes no file")
  func locked() throws {
    let temporary = try TemporaryFolder()
    let path = temporary.path("reports")
    let patient = OutputFolder(path: path)
    try patient.publish([("report.html", "old")], in: "1")
    // A lock belongs to an open folder, so the lock of this test is like another process's lock.
    let lock = try patient.lock()
    let folder = OutputFolder(path: path, waiting: LockWait(limit: 0))
    let failure = #expect(throws: OutputFolder.Failure.self) {
      try folder.publish([("report.html", "new")], in: "2")
    }
    #expect(failure?.path == path)
    #expect(failure?.reason.hasSuffix(" has locked it") == true)
    #if os(Linux)
      #expect(failure?.reason.hasPrefix("process \(getpid()) (") == true)
    #endif
    #expect(!FileManager.default.fileExists(atPath: "\(path)/2"))
    #expect(try String(contentsOfFile: "\(path)/latest/report.html", encoding: .utf8) == "old")

    lock.release()
    try folder.publish([("report.html", "new")], in: "2")
    #expect(try String(contentsOfFile: "\(path)/latest/report.html", encoding: .utf8) == "new")
  }

  @Test("a locked history file gets no line")
  func history() throws {
    let temporary = try TemporaryFolder()
    let path = temporary.path("reports")
    let file = "\(path)/history.jsonl"
    try OutputFolder(path: path).append("{}\n", to: file)
    let descriptor = open(file, O_RDONLY)
    defer { close(descriptor) }
    try LockWait(limit: 0).lock(descriptor, path: file)
    #expect(throws: OutputFolder.Failure.self) {
      try OutputFolder(path: path, waiting: LockWait(limit: 0)).append("{}\n", to: file)
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "{}\n")
  }
}
